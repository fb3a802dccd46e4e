//===- PlanSimply.cpp - Plans that leave loops in their order -------------===//
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

using namespace baco;
using namespace baco::polyhedral;
using Kind = PlanCommand::Kind;

namespace {
class SimplePlanner {
public:
  SimplePlanner(PlanState &state, const LoopSchedule &schedule)
      : state(state), schedule(schedule) {}

  Result<void> run();

private:
  void addLoops();
  void addLoop(const std::vector<unsigned> &statements);
  bool canBeVector(const std::vector<unsigned> &statements) const;
  void addKnob(Kind kind, const std::string &name, std::vector<int64_t> values,
               int64_t best);

  PlanState &state;
  const LoopSchedule &schedule;
  /// Register of the statements in vectors, in elements; two at least.
  int64_t longest = 2;
};
} // namespace

bool SimplePlanner::canBeVector(const std::vector<unsigned> &statements) const {
  for (unsigned s : statements) {
    const StatementModel &model = state.model.statements[s];
    if (schedule.program().statements[s].isScalar ||
        !isStreamAlong(model, model.depth() - 1))
      return false;
  }
  unsigned first = statements.front();
  Result<bool> isParallel =
      schedule.isParallel(first, state.model.statements[first].depth());
  return isParallel && *isParallel;
}

/// For an innermost loop, which these statements share.
void SimplePlanner::addLoop(const std::vector<unsigned> &statements) {
  unsigned first = statements.front();
  unsigned depth = state.model.statements[first].depth();
  if (depth == 0 || state.model.statements[first].extents[depth - 1] == 1)
    return;
  bool isVector = canBeVector(statements);
  state.plan.commands.push_back(
      onLoop(isVector ? Kind::Vectorize : Kind::Unroll, first, depth));
  for (unsigned s : statements)
    if (isVector)
      longest = std::max(
          longest, state.vectorLength(state.model.statements[s].elementBytes));
}

/// One knob for all commands of a kind, if there are any: each of its own
/// would be more than a search can tell apart.
void SimplePlanner::addKnob(Kind kind, const std::string &name,
                            std::vector<int64_t> values, int64_t best) {
  bool isUsed = false;
  for (PlanCommand &command : state.plan.commands)
    if (command.kind == kind) {
      command.size = PlanField(name);
      isUsed = true;
    }
  if (!isUsed)
    return;
  PlanKnob &knob = state.plan.knobs.emplace_back();
  knob.name = name;
  knob.values = std::move(values);
  knob.best = best;
  knob.isLogarithmic = knob.values.front() > 0;
}

void SimplePlanner::addLoops() {
  size_t count = state.model.statements.size();
  std::vector<bool> isDone(count);
  for (unsigned s = 0; s < count; ++s) {
    if (isDone[s])
      continue;
    unsigned depth = state.model.statements[s].depth();
    std::vector<unsigned> together;
    bool isInnermost = true;
    for (unsigned other = 0; other < count; ++other)
      if (other == s || state.model.share(s, other, depth)) {
        isInnermost &= state.model.statements[other].depth() == depth;
        together.push_back(other);
      }
    if (!isInnermost)
      continue;
    for (unsigned other : together)
      isDone[other] = true;
    addLoop(together);
  }
}

Result<void> SimplePlanner::run() {
  addLoops();
  // Loops that don't become vectors are left to LLVM by default.
  addKnob(Kind::Vectorize, "W", {0, longest, 2 * longest}, longest);
  addKnob(Kind::Unroll, "U", {1, 2, 4, 8}, 1);
  if (state.plan.knobs.empty())
    return {ErrorCode::Unsupported, "it has no loops to unroll"};
  // Who applies the plan has a limit on work, too.
  PlanAssignment widest;
  for (const PlanKnob &knob : state.plan.knobs)
    widest[knob.name] = {knob.values.back()};
  Result<LoopSchedule> result = state.plan.apply(schedule, widest);
  if (!result)
    return result.error();
  if (Result<void> legal = result->checkLegal(); !legal)
    return legal;
  if (Result<GeneratedCode> code = result->generate(); !code)
    return code.error();
  return {};
}

Result<LoopPlan> baco::polyhedral::planSimply(const Program &program,
                                              const MachineSizes &host) {
  return reportFailures("the nest", [&]() -> Result<LoopPlan> {
    NestModel model(program);
    PlanState state(model, host);
    LoopScheduleOptions options;
    options.reassociate = state.plan.reassociate;
    Result<LoopSchedule> schedule = LoopSchedule::create(program, options);
    if (!schedule)
      return schedule.error();
    if (Result<void> done = SimplePlanner(state, *schedule).run(); !done)
      return done.error();
    return std::move(state.plan);
  });
}
