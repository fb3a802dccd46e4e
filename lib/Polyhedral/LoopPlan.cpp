//===- LoopPlan.cpp - Commands and knobs for a nest -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Polyhedral/LoopPlan.h"
#include "baco/Polyhedral/LoopSchedule.h"

#include <algorithm>
#include <numeric>

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
/// Runs a command. Its arguments have values.
class Caller {
public:
  Caller(const LoopCommand &command, LoopSchedule &schedule)
      : command(command), schedule(schedule) {}

  Result<void> run();

private:
  const LoopValue &value(std::string_view name) const {
    return command.arguments[*infoOf(command.kind).find(name)];
  }
  int64_t number(std::string_view name) const {
    return std::get<int64_t>(value(name));
  }
  template <typename T = unsigned>
  std::vector<T> list(std::string_view name) const {
    const auto *given = std::get_if<std::vector<int64_t>>(&value(name));
    return given ? std::vector<T>(given->begin(), given->end())
                 : std::vector<T>();
  }
  std::optional<unsigned> onlyStatement() const {
    const auto *given = std::get_if<int64_t>(&value("statement"));
    return given ? std::optional<unsigned>(*given) : std::nullopt;
  }

  const Access *reference() const;
  Result<void> copy(unsigned statement, unsigned loop);
  Result<void> autoSchedule();

  const LoopCommand &command;
  LoopSchedule &schedule;
};
} // namespace

/// The one that the command names; null if there is none.
const Access *Caller::reference() const {
  const std::vector<ScheduledStatement> &statements = schedule.statements();
  size_t statement = number("statement"), reference = number("reference");
  return statement < statements.size() &&
                 reference < statements[statement].accesses.size()
             ? &statements[statement].accesses[reference]
             : nullptr;
}

/// References of equal subscripts are copied together.
Result<void> Caller::copy(unsigned statement, unsigned loop) {
  std::vector<size_t> copied = {size_t(number("reference"))};
  std::vector<unsigned> order = list("order");
  // What doesn't exist, datacopy refuses.
  if (const Access *access = reference()) {
    unsigned index = number("index");
    unsigned rank = access->relation.range_tuple_dim();
    if (index >= rank)
      return {ErrorCode::InvalidArgument,
              "index " + std::to_string(index) + " of an array with " +
                  std::to_string(rank) + " dimensions"};
    if (index > 0) {
      // Counted from the dimension that varies fastest, which is the last.
      order.resize(rank);
      std::iota(order.begin(), order.end(), 0);
      std::rotate(order.end() - 1 - index, order.end() - index, order.end());
    }
    const auto &all = schedule.statements()[statement].accesses;
    copied.clear();
    for (size_t a = 0; a < all.size(); ++a)
      if (all[a].relation.is_equal(access->relation))
        copied.push_back(a);
  }
  return schedule.datacopy(statement, loop, copied, order, number("width"),
                           number("panel"));
}

Result<void> Caller::autoSchedule() {
  const std::string &fusion = std::get<std::string>(value("fusion"));
  AutoScheduleOptions options;
  if (fusion == "min")
    options.fusion = Fusion::Min;
  else if (fusion == "max")
    options.fusion = Fusion::Max;
  else if (fusion != "smart")
    return Error{
        ErrorCode::InvalidArgument,
        "fusion must be \"min\", \"max\" or \"smart\", or a knob whose "
        "value --baco-concretize chose, but is \"" +
            fusion + "\""};
  return schedule.autoSchedule(options);
}

Result<void> Caller::run() {
  const LoopCommandInfo &info = infoOf(command.kind);
  if (info.find("reference") && reference() &&
      reference()->relation.range_tuple_dim() == 0)
    return {ErrorCode::Unsupported,
            "the memory is accessed through several views, or is a single "
            "element, and can't be copied"};
  unsigned s = 0, loop = 0;
  if (info.find("statement"))
    s = onlyStatement().value_or(0);
  if (info.find("loop"))
    loop = number("loop");
  switch (command.kind) {
  case Kind::Original:
    return {};
  case Kind::Permute:
    return schedule.permute(onlyStatement(), list("order"));
  case Kind::Tile:
    return schedule.tile(s, loop, number("size"), number("outer"));
  case Kind::Split:
    return schedule.split(s, loop, std::get<std::string>(value("condition")));
  case Kind::Nonsingular:
    return schedule.nonsingular(
        onlyStatement(),
        std::get<std::vector<std::vector<int64_t>>>(value("matrix")));
  case Kind::Skew:
    return schedule.skew(s, loop, list<int64_t>("coefficients"));
  case Kind::Shift:
    return schedule.shift(s, loop, number("amount"));
  case Kind::Scale:
    return schedule.scale(s, loop, number("factor"));
  case Kind::Reverse:
    return schedule.reverse(s, loop);
  case Kind::Distribute:
    return schedule.distribute(list("statements"), loop);
  case Kind::Fuse:
    return schedule.fuse(list("statements"), loop);
  case Kind::Align:
    return schedule.align(s, loop);
  case Kind::Unroll:
    return schedule.unroll(s, loop, number("factor"));
  case Kind::Vectorize:
    return schedule.vectorize(s, loop, number("width"));
  case Kind::Parallelize:
    return schedule.parallelize(s, loop);
  case Kind::DataCopy:
    return copy(s, loop);
  case Kind::Expand:
    return schedule.expand(s, loop, number("reference"));
  case Kind::Prefetch:
    return schedule.prefetch(s, loop, number("ahead"));
  case Kind::Auto:
    return autoSchedule();
  }
  return {ErrorCode::InvalidArgument, "a command of an unknown kind"};
}

Result<void> baco::polyhedral::applyCommand(LoopCommand command,
                                            const PlanAssignment &assignment,
                                            LoopSchedule &schedule) {
  bindKnobs(command, [&](std::string_view name) -> std::optional<LoopValue> {
    auto found = assignment.find(std::string(name));
    if (found == assignment.end())
      return std::nullopt;
    return found->second.size() == 1 ? LoopValue(found->second[0])
                                     : LoopValue(found->second);
  });
  if (Result<void> completed = complete(command); !completed)
    return completed;
  return Caller(command, schedule).run();
}

Result<LoopSchedule> LoopPlan::apply(const LoopSchedule &original,
                                     const PlanAssignment &assignment,
                                     size_t first) const {
  LoopSchedule schedule = original;
  for (size_t c = first; c < commands.size(); ++c)
    if (Result<void> done =
            applyCommand(toLoopCommand(commands[c]), assignment, schedule);
        !done)
      return done.error();
  return schedule;
}

std::string LoopPlan::str() const {
  std::string result;
  for (const PlanCommand &command : commands)
    result += toLoopCommand(command).str() + "\n";
  return result;
}
