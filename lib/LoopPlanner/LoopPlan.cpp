//===- LoopPlan.cpp - Commands and knobs for a nest -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/LoopPlanner/LoopPlan.h"
#include "baco/Polyhedral/LoopSchedule.h"

using namespace baco;
using namespace baco::polyhedral;

PlanAssignment LoopPlan::defaults() const {
  PlanAssignment result;
  for (const PlanKnob &knob : knobs) {
    std::vector<int64_t> &value = result[knob.name];
    if (knob.isOrder())
      value.assign(knob.bestOrder.begin(), knob.bestOrder.end());
    else
      value = {knob.best};
  }
  return result;
}

Result<void> baco::polyhedral::applyCommand(LoopCommand command,
                                            const PlanAssignment &assignment,
                                            LoopSchedule &schedule) {
  bindKnobs(command, [&](std::string_view name) -> std::optional<LoopValue> {
    auto found = assignment.find(std::string(name));
    if (found == assignment.end())
      return std::nullopt;
    // Orders have two elements at least (planOrder), so one value is a number.
    return found->second.size() == 1 ? LoopValue(found->second[0])
                                     : LoopValue(found->second);
  });
  return schedule.apply(std::move(command));
}

Result<LoopSchedule> LoopPlan::apply(const LoopSchedule &original,
                                     const PlanAssignment &assignment,
                                     size_t first) const {
  LoopSchedule schedule = original;
  for (size_t c = first; c < commands.size(); ++c)
    if (Result<void> done = applyCommand(commands[c], assignment, schedule);
        !done)
      return done.error();
  return schedule;
}

std::string LoopPlan::str() const {
  std::string result;
  for (const LoopCommand &command : commands)
    result += command.str() + "\n";
  return result;
}
