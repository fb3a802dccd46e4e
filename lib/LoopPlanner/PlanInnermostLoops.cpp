//===- PlanInnermostLoops.cpp - Plans that leave loops in their order -----===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For nests that take too long to plan. Innermost loops become vectors where
// they are parallel, and are unrolled elsewhere, which is always legal. One
// pass over the dependences is all that it takes.
//
//===----------------------------------------------------------------------===//

#include "PlanStrategies.h"

#include <algorithm>
#include <set>

using namespace baco;
using namespace baco::polyhedral;
using Kind = LoopCommandKind;

/// Statements that share an innermost loop, for each such loop.
static std::vector<std::vector<unsigned>>
findInnermost(const NestModel &model) {
  std::vector<std::vector<unsigned>> result;
  for (unsigned s = 0; s < model.statements.size(); ++s) {
    unsigned depth = model.statements[s].depth();
    std::vector<unsigned> together = model.sharing(s, depth);
    bool isInnermost = depth > 0 && model.statements[s].extents.back() != 1 &&
                       std::ranges::all_of(together, [&](unsigned other) {
                         return model.statements[other].depth() == depth;
                       });
    if (isInnermost && together.front() == s)
      result.push_back(std::move(together));
  }
  return result;
}

static bool canBeVector(const NestModel &model, const LoopSchedule &schedule,
                        const std::vector<unsigned> &statements) {
  unsigned depth = model.statements[statements[0]].depth();
  return std::ranges::all_of(statements,
                             [&](unsigned s) {
                               return !model.program.statements[s].isScalar &&
                                      isStreamAlong(model.statements[s],
                                                    depth - 1);
                             }) &&
         orFail(schedule.isParallel(statements[0], depth));
}

Result<LoopPlan>
baco::polyhedral::planInnermostLoops(const Program &program,
                                     const MachineSizes &host) {
  return reportFailures("the nest", [&]() -> Result<LoopPlan> {
    NestModel model(program);
    PlanState state(model, host);
    LoopSchedule schedule = originalOrder(program);
    // Register of the statements in vectors, in elements; two at least.
    int64_t longest = 2;
    std::set<Kind> kinds;
    for (const std::vector<unsigned> &statements : findInnermost(model)) {
      bool isVector = canBeVector(model, schedule, statements);
      Kind kind = isVector ? Kind::Vectorize : Kind::Unroll;
      state.add(
          onLoop(kind, statements[0], model.statements[statements[0]].depth()));
      kinds.insert(kind);
      for (unsigned s : statements)
        if (isVector)
          longest = std::max(
              longest, state.vectorLength(model.statements[s].elementBytes));
    }
    if (kinds.empty())
      return {ErrorCode::Unsupported, "it has no loops to unroll"};
    // One knob for all commands of a kind: each of its own would be more than a
    // search can tell apart. Loops that don't become vectors are left to LLVM
    // by default.
    KnobGroup knobs(state);
    LoopValue width = 0, factor = 0;
    if (kinds.count(Kind::Vectorize))
      width = knobs.add("W", {0, longest, 2 * longest});
    if (kinds.count(Kind::Unroll))
      factor = knobs.add("U", {1, 2, 4, 8});
    knobs.choose([&](const auto &value) -> std::vector<double> {
      return {std::abs(double(value(width) - longest)), double(value(factor))};
    });
    for (LoopCommand &command : state.plan.commands)
      command.arguments.back() =
          command.kind == Kind::Vectorize ? width : factor;
    // Who applies the plan has a limit on work, too.
    PlanAssignment widest;
    for (const PlanKnob &knob : state.plan.knobs)
      widest[knob.name] = {knob.values.back()};
    LoopSchedule result = orFail(applyLegally(state.plan, schedule, widest));
    orFail(result.generate());
    return std::move(state.plan);
  });
}
