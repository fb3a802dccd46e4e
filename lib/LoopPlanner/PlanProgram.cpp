//===- PlanProgram.cpp - Plans for whole programs -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopPlanner.h"

#include <algorithm>
#include <numeric>

using namespace baco;
using namespace baco::polyhedral;

Result<LoopPlan> baco::polyhedral::planAfter(std::vector<LoopCommand> commands,
                                             const LoopSchedule &original,
                                             const MachineSizes &host) {
  LoopPlan first;
  first.commands = std::move(commands);
  // The new program's dependences are all that its plan is checked against, so
  // it must mean the same as the original.
  Result<LoopSchedule> schedule = applyLegally(first, original, {});
  if (!schedule)
    return schedule.error();
  Program program = orFail(schedule->asProgram());
  Result<LoopPlan> plan = planAsWritten(program, host);
  if (!plan)
    return plan;
  plan->commands.insert(plan->commands.begin(), first.commands.begin(),
                        first.commands.end());
  // The check so far was of the new program; the recipe runs on the original.
  schedule = applyLegally(*plan, original, plan->defaults());
  if (!schedule)
    return schedule.error();
  return plan;
}

/// Fewer iterations than this take less than a microsecond, however they are
/// computed.
static constexpr double fewInstances = 1024;

/// Offers to do without vectors, where these are all that a plan has: else it
/// would leave nothing to choose, and LLVM's own may be as good.
static void offerScalars(PlanState &state) {
  for (LoopCommand &command : state.plan.commands) {
    if (command.kind != LoopCommandKind::Vectorize)
      continue;
    unsigned statement = std::get<int64_t>(command["statement"]);
    const auto *width = std::get_if<int64_t>(&command["width"]);
    if (!width || *width < 2 || isMinor(state, statement) ||
        state.model.statements[statement].countInstances() < fewInstances)
      continue;
    KnobGroup knobs(state, statement);
    LoopValue choice = knobs.add("W", {0, *width});
    // The plan had these vectors before there was a knob: they stay the
    // default.
    knobs.choose([&](const auto &value) -> std::vector<double> {
      return {-double(value(choice))};
    });
    command["width"] = choice;
  }
}

static Group allStatements(const Program &program) {
  Group all;
  all.statements.resize(program.statements.size());
  std::iota(all.statements.begin(), all.statements.end(), 0);
  return all;
}

Result<LoopPlan> baco::polyhedral::planAsWritten(const Program &program,
                                                 const MachineSizes &host,
                                                 unsigned outer) {
  NestModel model(program, outer);
  PlanState state(model, host);
  Group all = allStatements(program);
  for (; all.firstDim < outer; ++all.firstDim)
    all.outside.push_back({all.firstDim, false});
  if (all.statements.empty())
    return {ErrorCode::Unsupported, "there are no statements"};
  Planner(state, originalOrder(program)).plan(all);
  if (state.plan.knobs.empty())
    offerScalars(state);
  if (state.plan.knobs.empty()) {
    std::string why = "nothing in it can be chosen";
    for (const std::string &remark : state.plan.remarks)
      why += "; " + remark;
    return {ErrorCode::Unsupported, why};
  }
  return std::move(state.plan);
}

Result<LoopPlan> baco::polyhedral::planLoops(const Program &program,
                                             const MachineSizes &host) {
  if (host.threads < 1)
    return {ErrorCode::InvalidArgument, "a kernel needs at least one thread"};
  if (host.vectorBytes < 8 || host.vectorRegisters < 8 || host.l1Bytes < 0 ||
      host.l2Bytes < 0)
    return {ErrorCode::InvalidArgument,
            "vectors need at least 8 bytes and 8 registers, and caches can't "
            "have negative sizes"};
  return reportFailures("the nest", [&]() -> Result<LoopPlan> {
    NestModel model(program);
    PlanState state(model, host);
    // Rewrites precede the plan of the unchanged nest.
    if (!program.statements.empty() &&
        Planner(state, originalOrder(program))
            .tryStrategies(
                {.group = allStatements(program), .scope = Scope::Nest}))
      return std::move(state.plan);
    return planAsWritten(program, host);
  });
}

size_t baco::polyhedral::countRowFusionGroup(const Program &program,
                                             const MachineSizes &host) {
  if (program.statements.empty())
    return 0;
  size_t count = 1;
  // Nests on which isl fails don't form a group.
  (void)reportFailures("the nests", [&]() -> Result<LoopPlan> {
    NestModel model(program);
    PlanState state(model, host);
    Planner planner(state, originalOrder(program));
    Task task{.group = allStatements(program), .scope = Scope::Neighbors};
    for (const Strategy &strategy : strategies())
      if (count < 2)
        count = std::max<size_t>(strategy.matches(planner, task), 1);
    return LoopPlan();
  });
  return count;
}

Result<LoopPlan> baco::polyhedral::planRowFusion(const Program &program,
                                                 const MachineSizes &host) {
  return reportFailures("the nests", [&]() -> Result<LoopPlan> {
    NestModel model(program);
    PlanState state(model, host);
    Planner planner(state, originalOrder(program));
    if (planner.tryStrategies(
            {.group = allStatements(program), .scope = Scope::Neighbors}))
      return std::move(state.plan);
    return planner.refusal;
  });
}
