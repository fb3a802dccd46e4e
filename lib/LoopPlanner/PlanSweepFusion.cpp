//===- PlanSweepFusion.cpp - Fuses sweeps over one matrix -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nests that each pass once over the same matrix, by rows or by columns, such
// as products of a matrix and of its transpose with vectors, become one nest
// over the rows of the matrix. It is then planned like any other.
//
// isl's scheduler isn't asked which loops to fuse: that a nest which runs by
// columns has to be interchanged follows from its strides, and nests that only
// read the same matrix don't depend on each other, so that a scheduler, which
// sees dependences, has no reason to fuse them.
//
//===----------------------------------------------------------------------===//

#include "ContractionRoles.h"
#include "PlanStrategies.h"

#include <algorithm>
#include <numeric>

using namespace baco;
using namespace baco::polyhedral;
using Kind = LoopCommandKind;

namespace {
/// Nests that may share the loops over a matrix.
struct Passes {
  /// Bytes of the matrix.
  int64_t bytes = 0;
  /// For each nest, which is one statement: does it pass over the matrix by
  /// columns, so that its loops have to change places?
  std::vector<bool> isTransposed;
};
} // namespace

/// Whether a statement passes over the matrix `array`, which has all its loops;
/// `isTransposed`: column by column.
static bool readPass(const StatementModel &model, const std::string &array,
                     bool &isTransposed) {
  for (const Reference &reference : model.references) {
    if (reference.array != array || !reference.isAffine ||
        reference.coefficients.size() != 2)
      continue;
    // Each loop must move in a dimension of its own: a diagonal is no pass over
    // the matrix.
    std::optional<unsigned> outer = movedDimension(reference, 0, 1);
    std::optional<unsigned> inner = movedDimension(reference, 1, 1);
    if (!outer || !inner || *outer == *inner)
      continue;
    isTransposed = *outer == 1;
    return true;
  }
  return false;
}

static bool isPlain(const StatementModel &model) {
  return model.depth() == 2 && model.isRectangular && model.extents[0] > 0 &&
         model.extents[1] > 0;
}

/// The nests from the first on that pass over `array`, whether or not fusing
/// them is legal.
static Passes findPasses(const NestModel &model, const std::string &array) {
  Passes passes;
  std::vector<int64_t> extents;
  for (unsigned s = 0; s < model.statements.size(); ++s) {
    const StatementModel &statement = model.statements[s];
    // The loop along rows has to be fit for vectors once loops have changed
    // places.
    bool isTransposed = false;
    if (!isPlain(statement) || (s > 0 && model.share(s - 1, s, 1)) ||
        !readPass(statement, array, isTransposed) ||
        !isStreamAlong(statement, isTransposed ? 0 : 1))
      break;
    std::vector<int64_t> own = statement.extents;
    if (isTransposed)
      std::ranges::reverse(own);
    if (s == 0) {
      extents = own;
      passes.bytes = own[0] * own[1] * statement.elementBytes;
    } else if (own != extents) {
      break;
    }
    passes.isTransposed.push_back(isTransposed);
  }
  // The last one may have statements beside it.
  size_t last = passes.isTransposed.size();
  if (last > 0 && last < model.statements.size() &&
      model.share(last - 1, last, 1))
    passes.isTransposed.pop_back();
  return passes;
}

/// The commands that fuse the nests.
static std::vector<LoopCommand>
fuseSweeps(const std::vector<bool> &isTransposed) {
  // The interchange comes first: fusion is of outermost loops, which must run
  // over the same rows.
  std::vector<LoopCommand> commands;
  for (unsigned s = 0; s < isTransposed.size(); ++s)
    if (isTransposed[s])
      commands.push_back({Kind::Permute, {s, std::vector<int64_t>{2, 1}}});
  std::vector<unsigned> all(isTransposed.size());
  std::iota(all.begin(), all.end(), 0);
  commands.push_back(onLoops(Kind::Fuse, all, 1));
  return commands;
}

size_t baco::polyhedral::countFusibleSweeps(const NestModel &model,
                                            const LoopSchedule &original) {
  size_t best = 1;
  for (const Reference &reference : model.statements[0].references) {
    std::vector<bool> passes = findPasses(model, reference.array).isTransposed;
    // The longest legal prefix counts; ones no longer than the best are
    // skipped.
    for (; passes.size() > best; passes.pop_back())
      if (areLegal(fuseSweeps(passes), original))
        best = passes.size();
  }
  return best;
}

Result<LoopPlan> baco::polyhedral::planSweepFusion(const NestModel &model,
                                                   const LoopSchedule &original,
                                                   const MachineSizes &host) {
  Result<LoopPlan> plan(ErrorCode::Unsupported,
                        "the nests can't share a matrix");
  for (const Reference &reference : model.statements[0].references) {
    Passes passes = findPasses(model, reference.array);
    if (passes.isTransposed.size() != model.statements.size() ||
        model.statements.size() < 2)
      continue;
    if (passes.bytes <= host.l2Bytes)
      return {ErrorCode::Unsupported,
              "the matrix that the nests share stays in level 2 anyway"};
    plan = planAfter(fuseSweeps(passes.isTransposed), original, host);
    if (!plan)
      continue;
    plan->remarks.push_back("nests pass over their matrix together");
    break;
  }
  return plan;
}
