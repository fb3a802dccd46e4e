//===- Commands.cpp - Attributes as commands on schedules -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "baco/IR/BacoAttributes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace baco;
using namespace baco::loopnest;
using polyhedral::LoopSchedule;

namespace {
/// Reads the fields of one command; a field without a value is an error.
class Fields {
public:
  int64_t number(Attribute field, int64_t absent = 0) {
    if (!field)
      return absent;
    if (auto integer = dyn_cast<IntegerAttr>(field))
      return integer.getInt();
    refuse(field);
    return 0;
  }

  /// Statements and loops; their least value was verified, the schedule knows
  /// the greatest.
  unsigned place(Attribute field, int64_t absent = 0) {
    int64_t value = number(field, absent);
    if (value < 0 || value > maximum) {
      refuse(field);
      return 0;
    }
    return value;
  }

  std::optional<unsigned> optionalPlace(Attribute field) {
    if (!field)
      return std::nullopt;
    return place(field);
  }

  template <typename T = unsigned>
  std::vector<T> list(Attribute field) {
    if (!field)
      return {};
    FailureOr<SmallVector<int64_t>> values = getIntegerList(field);
    if (failed(values)) {
      refuse(field);
      return {};
    }
    for (int64_t value : *values)
      if (std::is_unsigned_v<T> && (value < 0 || value > maximum))
        refuse(field);
    return std::vector<T>(values->begin(), values->end());
  }

  std::vector<std::vector<int64_t>> matrix(Attribute field) {
    std::vector<std::vector<int64_t>> rows;
    if (auto array = dyn_cast<ArrayAttr>(field))
      for (Attribute row : array)
        rows.push_back(list<int64_t>(row));
    else
      refuse(field);
    return rows;
  }

  std::optional<Error> error;

private:
  static constexpr int64_t maximum = 1 << 20;

  void refuse(Attribute field) {
    if (error)
      return;
    std::string text;
    llvm::raw_string_ostream(text) << field;
    if (isa<StringAttr, KnobAttr>(field))
      text += " has no value; choose one with --baco-concretize";
    else
      text += " is out of range";
    error = Error{ErrorCode::InvalidArgument, text};
  }
};
} // namespace

static Result<void> autoSchedule(LoopAutoAttr command, LoopSchedule &schedule) {
  polyhedral::AutoScheduleOptions options;
  StringRef fusion = command.getFusion();
  if (fusion == "min")
    options.fusion = polyhedral::Fusion::Min;
  else if (fusion == "max")
    options.fusion = polyhedral::Fusion::Max;
  else if (fusion != "smart")
    return Error{
        ErrorCode::InvalidArgument,
        "fusion must be \"min\", \"max\" or \"smart\", or a knob whose "
        "value --baco-concretize chose, but is \"" +
            fusion.str() + "\""};
  return schedule.autoSchedule(options);
}

/// The references that read or write what reference number `reference` does.
static std::vector<size_t>
equalReferences(const polyhedral::ScheduledStatement &statement,
                size_t reference) {
  std::vector<size_t> equal;
  for (const auto &[index, access] : llvm::enumerate(statement.accesses))
    if (access.relation.is_equal(statement.accesses[reference].relation))
      equal.push_back(index);
  return equal;
}

/// The dimensions of what a reference of a statement refers to. An error if
/// there is no such reference, or nothing is known of its subscripts.
static Result<unsigned> rankOf(const LoopSchedule &schedule, unsigned number,
                               size_t reference) {
  if (number >= schedule.statements().size())
    return Error{ErrorCode::InvalidArgument,
                 "there is no statement " + std::to_string(number) +
                     "; there are " +
                     std::to_string(schedule.statements().size())};
  const auto &accesses = schedule.statements()[number].accesses;
  if (reference >= accesses.size())
    return Error{ErrorCode::InvalidArgument,
                 "statement " + std::to_string(number) + " has no reference " +
                     std::to_string(reference) + "; it has " +
                     std::to_string(accesses.size())};
  unsigned rank = accesses[reference].relation.range_tuple_dim();
  if (rank == 0)
    return Error{ErrorCode::Unsupported,
                 "the memory is accessed through several views, or is a single "
                 "element, and can't be copied"};
  return rank;
}

static Result<void> copy(LoopCopyAttr command, LoopSchedule &schedule,
                         Fields &fields) {
  unsigned number = fields.place(command.getStatement());
  unsigned loop = fields.place(command.getLoop());
  size_t reference = fields.place(command.getReference());
  size_t index = fields.place(command.getIndex());
  std::vector<unsigned> order = fields.list(command.getOrder());
  int64_t width = fields.number(command.getWidth(), /*absent=*/1);
  int64_t panel = fields.number(command.getPanel(), /*absent=*/0);
  if (fields.error)
    return *fields.error;
  Result<unsigned> rank = rankOf(schedule, number, reference);
  if (!rank)
    return rank.error();
  if (index >= *rank)
    return Error{ErrorCode::InvalidArgument,
                 "index " + std::to_string(index) + " of an array with " +
                     std::to_string(*rank) + " dimensions"};
  if (index > 0) {
    // Counted from the dimension that varies fastest, which is the last.
    unsigned fastest = *rank - 1 - index;
    for (unsigned dimension = 0; dimension < *rank; ++dimension)
      if (dimension != fastest)
        order.push_back(dimension);
    order.push_back(fastest);
  }
  return schedule.datacopy(
      number, loop, equalReferences(schedule.statements()[number], reference),
      order, width, panel);
}

Result<void> baco::loopnest::applyCommand(Attribute command,
                                          LoopSchedule &schedule) {
  Fields fields;
  // Fields are read first: if one has no value, nothing is called.
  auto run = [&](auto call) -> Result<void> {
    if (fields.error)
      return *fields.error;
    return call();
  };
  return llvm::TypeSwitch<Attribute, Result<void>>(command)
      .Case([&](LoopOriginalAttr) { return Result<void>(); })
      .Case([&](LoopPermuteAttr c) {
        auto statement = fields.optionalPlace(c.getStatement());
        auto order = fields.list(c.getOrder());
        return run([&] { return schedule.permute(statement, order); });
      })
      .Case([&](LoopTileAttr c) {
        unsigned statement = fields.place(c.getStatement());
        unsigned loop = fields.place(c.getLoop());
        int64_t size = fields.number(c.getSize());
        unsigned outer = fields.place(c.getOuter(), /*absent=*/1);
        return run([&] { return schedule.tile(statement, loop, size, outer); });
      })
      .Case([&](LoopSplitAttr c) {
        unsigned statement = fields.place(c.getStatement());
        unsigned loop = fields.place(c.getLoop());
        std::string condition = c.getCondition().str();
        return run([&] { return schedule.split(statement, loop, condition); });
      })
      .Case([&](LoopNonsingularAttr c) {
        auto statement = fields.optionalPlace(c.getStatement());
        auto matrix = fields.matrix(c.getMatrix());
        return run([&] { return schedule.nonsingular(statement, matrix); });
      })
      .Case([&](LoopSkewAttr c) {
        unsigned statement = fields.place(c.getStatement());
        unsigned loop = fields.place(c.getLoop());
        auto coefficients = fields.list<int64_t>(c.getCoefficients());
        return run(
            [&] { return schedule.skew(statement, loop, coefficients); });
      })
      .Case([&](LoopShiftAttr c) {
        unsigned statement = fields.place(c.getStatement());
        unsigned loop = fields.place(c.getLoop());
        int64_t amount = fields.number(c.getAmount());
        return run([&] { return schedule.shift(statement, loop, amount); });
      })
      .Case([&](LoopScaleAttr c) {
        unsigned statement = fields.place(c.getStatement());
        unsigned loop = fields.place(c.getLoop());
        int64_t factor = fields.number(c.getFactor());
        return run([&] { return schedule.scale(statement, loop, factor); });
      })
      .Case([&](LoopReverseAttr c) {
        unsigned statement = fields.place(c.getStatement());
        unsigned loop = fields.place(c.getLoop());
        return run([&] { return schedule.reverse(statement, loop); });
      })
      .Case([&](LoopDistributeAttr c) {
        auto statements = fields.list(c.getStatements());
        unsigned loop = fields.place(c.getLoop());
        return run([&] { return schedule.distribute(statements, loop); });
      })
      .Case([&](LoopFuseAttr c) {
        auto statements = fields.list(c.getStatements());
        unsigned loop = fields.place(c.getLoop());
        return run([&] { return schedule.fuse(statements, loop); });
      })
      .Case([&](LoopAlignAttr c) {
        unsigned statement = fields.place(c.getStatement());
        unsigned loop = fields.place(c.getLoop());
        return run([&] { return schedule.align(statement, loop); });
      })
      .Case([&](LoopUnrollAttr c) {
        unsigned statement = fields.place(c.getStatement());
        unsigned loop = fields.place(c.getLoop());
        int64_t factor = fields.number(c.getFactor());
        return run([&] { return schedule.unroll(statement, loop, factor); });
      })
      .Case([&](LoopVectorizeAttr c) {
        unsigned statement = fields.place(c.getStatement());
        unsigned loop = fields.place(c.getLoop());
        int64_t width = fields.number(c.getWidth());
        return run([&] { return schedule.vectorize(statement, loop, width); });
      })
      .Case([&](LoopParallelizeAttr c) {
        unsigned statement = fields.place(c.getStatement());
        unsigned loop = fields.place(c.getLoop());
        return run([&] { return schedule.parallelize(statement, loop); });
      })
      .Case([&](LoopCopyAttr c) { return copy(c, schedule, fields); })
      .Case([&](LoopExpandAttr c) {
        unsigned statement = fields.place(c.getStatement());
        unsigned loop = fields.place(c.getLoop());
        size_t reference = fields.place(c.getReference());
        return run([&]() -> Result<void> {
          if (auto rank = rankOf(schedule, statement, reference); !rank)
            return rank.error();
          return schedule.expand(statement, loop, reference);
        });
      })
      .Case([&](LoopPrefetchAttr c) {
        unsigned statement = fields.place(c.getStatement());
        unsigned loop = fields.place(c.getLoop());
        int64_t ahead = fields.number(c.getAhead());
        return run([&] { return schedule.prefetch(statement, loop, ahead); });
      })
      .Case([&](LoopAutoAttr c) { return autoSchedule(c, schedule); })
      .Default([](Attribute) {
        return Error{ErrorCode::InvalidArgument, "this is not a loop command"};
      });
}
