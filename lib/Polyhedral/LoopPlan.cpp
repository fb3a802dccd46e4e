//===- LoopPlan.cpp - Commands and knobs for a nest -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Polyhedral/LoopPlan.h"
#include "baco/Polyhedral/LoopSchedule.h"

#include <span>

using namespace baco;
using namespace baco::polyhedral;
using Kind = PlanCommand::Kind;

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

namespace {
/// Runs commands with the values of an assignment. After a knob without value
/// `error` is set.
class Applier {
public:
  Applier(LoopSchedule &schedule, const PlanAssignment &assignment)
      : schedule(schedule), assignment(assignment) {}

  Result<void> run(const PlanCommand &command);

private:
  int64_t value(const PlanField &field);
  std::vector<unsigned> orderOf(const PlanCommand &command);
  std::string conditionOf(const PlanCommand &command);
  Result<void> call(const PlanCommand &command);

  LoopSchedule &schedule;
  const PlanAssignment &assignment;
  std::string missing;
};
} // namespace

int64_t Applier::value(const PlanField &field) {
  if (field.knob.empty())
    return field.constant;
  auto found = assignment.find(field.knob);
  if (found != assignment.end() && found->second.size() == 1)
    return found->second[0];
  missing = field.knob;
  return 0;
}

std::vector<unsigned> Applier::orderOf(const PlanCommand &command) {
  if (command.orderKnob.empty())
    return command.order;
  auto found = assignment.find(command.orderKnob);
  std::vector<unsigned> order;
  if (found == assignment.end())
    missing = command.orderKnob;
  else
    for (int64_t element : found->second)
      order.push_back(element + 1);
  return order;
}

std::string Applier::conditionOf(const PlanCommand &command) {
  std::string condition = command.condition;
  const std::string &knob = command.size.knob;
  if (size_t at = condition.find(knob); !knob.empty() && at != condition.npos)
    condition.replace(at, knob.size(), std::to_string(value(command.size)));
  return condition;
}

Result<void> Applier::run(const PlanCommand &command) {
  Result<void> done = call(command);
  if (!missing.empty())
    return {ErrorCode::InvalidArgument, "knob '" + missing + "' has no value"};
  return done;
}

Result<void> Applier::call(const PlanCommand &command) {
  unsigned s = command.statement;
  unsigned loop = value(command.loop);
  switch (command.kind) {
  case Kind::Permute:
    return schedule.permute(s, orderOf(command));
  case Kind::Tile:
    return schedule.tile(s, loop, value(command.size), command.outerLoop);
  case Kind::Split:
    return schedule.split(s, loop, conditionOf(command));
  case Kind::Skew:
    return schedule.skew(s, loop, command.coefficients);
  case Kind::Shift:
    return schedule.shift(s, loop, value(command.size));
  case Kind::Reverse:
    return schedule.reverse(s, loop);
  case Kind::Distribute:
    return schedule.distribute(command.statements, loop);
  case Kind::Fuse:
    return schedule.fuse(command.statements, loop);
  case Kind::Unroll:
    return schedule.unroll(s, loop, value(command.size));
  case Kind::Vectorize:
    return schedule.vectorize(s, loop, value(command.size));
  case Kind::Parallelize:
    return schedule.parallelize(s, loop);
  case Kind::DataCopy:
    return schedule.datacopy(s, loop, std::span(&command.access, 1),
                             command.order, value(command.size),
                             value(command.panel));
  case Kind::Expand:
    return schedule.expand(s, loop, command.access);
  case Kind::Prefetch:
    return schedule.prefetch(s, loop, value(command.size));
  }
  return {ErrorCode::InvalidArgument, "a command of an unknown kind"};
}

Result<LoopSchedule> LoopPlan::apply(const LoopSchedule &original,
                                     const PlanAssignment &assignment,
                                     size_t first) const {
  LoopSchedule schedule = original;
  Applier applier(schedule, assignment);
  for (size_t c = first; c < commands.size(); ++c)
    if (Result<void> done = applier.run(commands[c]); !done)
      return done.error();
  return schedule;
}

static std::string text(const PlanField &field) {
  return field.knob.empty() ? std::to_string(field.constant) : field.knob;
}

template <typename T>
static std::string list(const std::vector<T> &values) {
  std::string result;
  for (const T &value : values)
    result += (result.empty() ? "" : ", ") + std::to_string(value);
  return "[" + result + "]";
}

static std::string text(const PlanCommand &command) {
  std::string place =
      std::to_string(command.statement) + ", " + text(command.loop);
  switch (command.kind) {
  case Kind::Permute:
    return "permute(" + std::to_string(command.statement) + ", " +
           (command.orderKnob.empty() ? list(command.order)
                                      : command.orderKnob) +
           ")";
  case Kind::Tile:
    return "tile(" + place + ", " + text(command.size) + ", " +
           std::to_string(command.outerLoop) + ")";
  case Kind::Split:
    return "split(" + place + ", " + command.condition + ")";
  case Kind::Skew:
    return "skew(" + place + ", " + list(command.coefficients) + ")";
  case Kind::Shift:
    return "shift(" + place + ", " + text(command.size) + ")";
  case Kind::Reverse:
    return "reverse(" + place + ")";
  case Kind::Distribute:
    return "distribute(" + list(command.statements) + ", " +
           text(command.loop) + ")";
  case Kind::Fuse:
    return "fuse(" + list(command.statements) + ", " + text(command.loop) + ")";
  case Kind::Unroll:
    return "unroll(" + place + ", " + text(command.size) + ")";
  case Kind::Vectorize:
    return "vectorize(" + place + ", " + text(command.size) + ")";
  case Kind::Parallelize:
    return "parallelize(" + place + ")";
  case Kind::DataCopy:
    return "datacopy(" + place + ", " + std::to_string(command.access) + ", " +
           (command.order.empty() ? "" : list(command.order) + ", ") +
           text(command.size) +
           (text(command.panel) == "0" ? ""
                                       : ", panel " + text(command.panel)) +
           ")";
  case Kind::Expand:
    return "expand(" + place + ", " + std::to_string(command.access) + ")";
  case Kind::Prefetch:
    return "prefetch(" + place + ", " + text(command.size) + ")";
  }
  return "?";
}

std::string LoopPlan::str() const {
  std::string result;
  for (const PlanCommand &command : commands)
    result += text(command) + "\n";
  return result;
}
