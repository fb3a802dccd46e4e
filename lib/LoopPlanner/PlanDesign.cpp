//===- PlanDesign.cpp - Plans of nests for high-level synthesis -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The choices of HPVM2FPGA (Ejjeh et al., ASAP 2022), as loop commands. All are
// off by default; what they are worth is left to the search.
//
//===----------------------------------------------------------------------===//

#include "PlanBuilder.h"

#include "baco/LoopPlanner/LoopPlan.h"

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;
using Kind = LoopCommandKind;

namespace {
/// Statements that share their outermost loop, if they have one.
struct DesignNest {
  std::vector<unsigned> statements;
  /// The least number of loops of a statement.
  unsigned leastDepth = 0;
};

class DesignPlanner {
public:
  explicit DesignPlanner(const Program &program)
      : model(program), schedule(originalOrder(program)) {}

  LoopPlan plan();

private:
  std::vector<DesignNest> findNests() const;
  LoopValue knob(std::string name, std::vector<int64_t> values);
  void fuse(const std::string &name, const std::vector<unsigned> &statements,
            unsigned least, unsigned most);
  void fuseLoops(const DesignNest &nest, size_t number);
  void fuseNests(const DesignNest &first, const DesignNest &second,
                 size_t number);
  void privatize(const DesignNest &nest, size_t number);
  void unroll(const DesignNest &nest, size_t number);

  NestModel model;
  LoopSchedule schedule;
  LoopPlan result;
};
} // namespace

std::vector<DesignNest> DesignPlanner::findNests() const {
  std::vector<DesignNest> nests;
  for (unsigned s = 0; s < model.statements.size(); ++s) {
    unsigned depth = model.statements[s].depth();
    bool isNext = nests.empty() || depth == 0 ||
                  !model.share(nests.back().statements.back(), s, 1);
    if (isNext)
      nests.push_back({{}, depth});
    nests.back().statements.push_back(s);
    nests.back().leastDepth = std::min(nests.back().leastDepth, depth);
  }
  return nests;
}

LoopValue DesignPlanner::knob(std::string name, std::vector<int64_t> values) {
  PlanKnob made;
  made.name = name;
  made.best = values.front();
  made.values = std::move(values);
  result.knobs.push_back(std::move(made));
  return LoopValue(name);
}

/// A knob that lets `statements`, which share `least` loops, share `most`, or
/// as many less than that as dependences allow.
void DesignPlanner::fuse(const std::string &name,
                         const std::vector<unsigned> &statements,
                         unsigned least, unsigned most) {
  for (; most > least; --most) {
    if (!areLegal({onLoops(Kind::Fuse, statements, int64_t(most))}, schedule))
      continue;
    result.commands.push_back(
        onLoops(Kind::Fuse, statements, knob(name, {least, most})));
    return;
  }
}

void DesignPlanner::fuseLoops(const DesignNest &nest, size_t number) {
  unsigned shared = nest.leastDepth;
  for (unsigned s : nest.statements)
    while (shared > 0 && !model.share(nest.statements[0], s, shared))
      --shared;
  if (nest.statements.size() > 1)
    fuse("nest" + std::to_string(number) + "_fuse", nest.statements, shared,
         nest.leastDepth);
}

void DesignPlanner::fuseNests(const DesignNest &first, const DesignNest &second,
                              size_t number) {
  std::vector<unsigned> both = first.statements;
  both.insert(both.end(), second.statements.begin(), second.statements.end());
  fuse("nest" + std::to_string(number) + "_join", both, 0,
       std::min(first.leastDepth, second.leastDepth));
}

/// Copies of arrays that are read, and that others may know: arguments.
void DesignPlanner::privatize(const DesignNest &nest, size_t number) {
  for (const Array &array : model.program.arrays) {
    if (array.isTemporary || array.elements.tuple_dim() == 0)
      continue;
    for (unsigned s : nest.statements) {
      const std::vector<Reference> &references = model.statements[s].references;
      auto read = std::ranges::find_if(references, [&](const Reference &its) {
        return !its.isWrite && its.array == array.name;
      });
      if (read == references.end() || model.statements[s].depth() == 0)
        continue;
      LoopCommand copy{Kind::DataCopy, {}};
      copy.arguments.resize(infoOf(Kind::DataCopy).arguments().size());
      copy["statement"] = int64_t(s);
      copy["loop"] = int64_t(1);
      copy["reference"] = int64_t(read - references.begin());
      copy["width"] =
          knob("nest" + std::to_string(number) + "_copy" + array.name.substr(1),
               {0, 1});
      copy["whole"] = int64_t(1);
      result.commands.push_back(std::move(copy));
      break;
    }
  }
}

/// A factor for each loop of the statement with the most loops: divisors of its
/// iterations, at most `maxFactor`.
void DesignPlanner::unroll(const DesignNest &nest, size_t number) {
  constexpr int64_t maxFactor = 16;
  unsigned deepest =
      *std::ranges::max_element(nest.statements, {}, [&](unsigned s) {
        return model.statements[s].depth();
      });
  const std::vector<int64_t> &extents = model.statements[deepest].extents;
  for (unsigned loop = 1; loop <= extents.size(); ++loop) {
    std::vector<int64_t> factors;
    for (int64_t factor = 1; factor <= std::min(maxFactor, extents[loop - 1]);
         ++factor)
      if (extents[loop - 1] % factor == 0)
        factors.push_back(factor);
    if (factors.size() < 2)
      continue;
    LoopValue factor =
        knob("nest" + std::to_string(number) + "_unroll" + std::to_string(loop),
             factors);
    result.knobs.back().isLogarithmic = true;
    result.commands.push_back(onLoop(Kind::Unroll, deepest, loop, factor));
  }
}

LoopPlan DesignPlanner::plan() {
  std::vector<DesignNest> nests = findNests();
  for (size_t k = 0; k < nests.size(); ++k)
    fuseLoops(nests[k], k);
  for (size_t k = 0; k + 1 < nests.size(); ++k)
    fuseNests(nests[k], nests[k + 1], k);
  for (size_t k = 0; k < nests.size(); ++k)
    privatize(nests[k], k);
  for (size_t k = 0; k < nests.size(); ++k)
    unroll(nests[k], k);
  return std::move(result);
}

Result<LoopPlan> baco::polyhedral::planDesign(const Program &program) {
  return reportFailures("the nests", [&]() -> Result<LoopPlan> {
    LoopPlan plan = DesignPlanner(program).plan();
    if (plan.knobs.empty())
      return {ErrorCode::Unsupported,
              "no loop can be unrolled or fused, and no argument is read"};
    return plan;
  });
}
