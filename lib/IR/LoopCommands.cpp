//===- LoopCommands.cpp - Commands on loop nests --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifies the fields of commands. lib/LoopNest applies commands to nests.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/LoopCommands.h"
#include "baco/IR/RecipeState.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace baco;

using EmitError = function_ref<InFlightDiagnostic()>;

/// Whether `field` is a knob, or the name of one.
static bool isKnobOrName(Attribute field) {
  auto name = dyn_cast<StringAttr>(field);
  return isa<KnobAttr>(field) || (name && isIdentifier(name.getValue()));
}

/// The largest number in a command. Products of a few of them and of loop
/// bounds, which schedules consist of, then fit 64 bits.
static constexpr int64_t maxNumber = int64_t(1) << 31;

static LogicalResult verifyRange(EmitError emitError, StringRef what,
                                 int64_t number) {
  if (number >= -maxNumber && number <= maxNumber)
    return success();
  return emitError() << what << " must be from " << -maxNumber << " to "
                     << maxNumber << ", but is " << number;
}

/// Checks the values of a knob that gives a number of at least `minimum`.
static LogicalResult verifyNumberKnob(EmitError emitError, StringRef what,
                                      KnobAttr knob,
                                      std::optional<int64_t> minimum) {
  int64_t least, greatest;
  if (auto ordinal = dyn_cast<OrdinalAttr>(knob.getDomain())) {
    least = ordinal.getValues().front();
    greatest = ordinal.getValues().back();
  } else if (auto range = dyn_cast<IntegerRangeAttr>(knob.getDomain())) {
    least = range.getLower();
    greatest = range.getUpper();
  } else {
    return emitError() << "knob '" << knob.getName() << "': " << what
                       << " must be an integer, but its domain is "
                       << knob.getDomain();
  }
  if (minimum && least < *minimum)
    return emitError() << "knob '" << knob.getName() << "': " << what
                       << " must be at least " << *minimum << ", but " << least
                       << " is among its values";
  return failure(failed(verifyRange(emitError, what, least)) ||
                 failed(verifyRange(emitError, what, greatest)));
}

/// Checks the values of a knob, if `field` is one, that gives a list: only an
/// order is one.
static LogicalResult verifyListKnob(EmitError emitError, StringRef what,
                                    Attribute field) {
  auto knob = dyn_cast<KnobAttr>(field);
  if (!knob || isa<PermutationAttr>(knob.getDomain()))
    return success();
  return emitError() << "knob '" << knob.getName() << "': " << what
                     << " needs a permutation domain, but has "
                     << knob.getDomain();
}

/// Checks a field that is a number of at least `minimum`; it may be absent.
static LogicalResult verifyNumber(EmitError emitError, StringRef what,
                                  Attribute field,
                                  std::optional<int64_t> minimum) {
  if (auto knob = dyn_cast_or_null<KnobAttr>(field))
    return verifyNumberKnob(emitError, what, knob, minimum);
  if (!field || isKnobOrName(field))
    return success();
  auto integer = dyn_cast<IntegerAttr>(field);
  if (!integer || !integer.getType().isSignlessInteger(64))
    return emitError() << what << " must be an integer, a knob or the name of "
                       << "one, but is " << field;
  if (minimum && integer.getInt() < *minimum)
    return emitError() << what << " must be at least " << *minimum
                       << ", but is " << integer.getInt();
  return verifyRange(emitError, what, integer.getInt());
}

static LogicalResult verifyPlace(EmitError emitError, Attribute statement,
                                 Attribute loop) {
  return failure(failed(verifyNumber(emitError, "statement", statement, 0)) ||
                 failed(verifyNumber(emitError, "loop", loop, 1)));
}

/// Checks a field that is a list of integers of at least `minimum`.
static LogicalResult verifyList(EmitError emitError, StringRef what,
                                Attribute field,
                                std::optional<int64_t> minimum) {
  if (isKnobOrName(field))
    return verifyListKnob(emitError, "a list", field);
  FailureOr<SmallVector<int64_t>> list = getIntegerList(field);
  if (failed(list))
    return emitError() << what << " must be a list of integers, a knob or the "
                       << "name of one, but is " << field;
  for (int64_t element : *list) {
    if (minimum && element < *minimum)
      return emitError() << what << " must be at least " << *minimum << ", but "
                         << element << " is among them";
    if (failed(verifyRange(emitError, what, element)))
      return failure();
  }
  return success();
}

LogicalResult LoopPermuteAttr::verify(EmitError emitError, Attribute order,
                                      Attribute statement) {
  if (failed(verifyNumber(emitError, "statement", statement, 0)))
    return failure();
  if (isKnobOrName(order))
    return verifyListKnob(emitError, "an order", order);
  FailureOr<SmallVector<int64_t>> list = getIntegerList(order);
  if (succeeded(list))
    for (int64_t &loop : *list)
      --loop;
  if (failed(list) || list->empty() || !isOrder(*list))
    return emitError() << "order must be a permutation of the loops 1, 2, ..., "
                       << "a knob or the name of one, but is " << order;
  return success();
}

LogicalResult LoopTileAttr::verify(EmitError emitError, Attribute statement,
                                   Attribute loop, Attribute size,
                                   Attribute outer) {
  return failure(failed(verifyPlace(emitError, statement, loop)) ||
                 failed(verifyNumber(emitError, "size", size, 0)) ||
                 failed(verifyNumber(emitError, "outer", outer, 1)));
}

LogicalResult LoopSplitAttr::verify(EmitError emitError, Attribute statement,
                                    Attribute loop, StringAttr condition) {
  if (condition.getValue().trim().empty())
    return emitError() << "a split needs a condition, such as \"L2 >= L1\"";
  return verifyPlace(emitError, statement, loop);
}

LogicalResult LoopNonsingularAttr::verify(EmitError emitError, Attribute matrix,
                                          Attribute statement) {
  if (failed(verifyNumber(emitError, "statement", statement, 0)))
    return failure();
  auto rows = dyn_cast<ArrayAttr>(matrix);
  if (!rows || rows.empty())
    return emitError() << "matrix must be a list of rows, but is " << matrix;
  std::optional<size_t> columns;
  for (Attribute row : rows) {
    FailureOr<SmallVector<int64_t>> list = getIntegerList(row);
    if (failed(list))
      return emitError() << "a row of the matrix must be a list of integers, "
                         << "but is " << row;
    for (int64_t element : *list)
      if (failed(verifyRange(emitError, "matrix", element)))
        return failure();
    if (list->size() != columns.value_or(list->size()))
      return emitError() << "row " << row << " of the matrix has "
                         << list->size() << " columns, but others have "
                         << *columns;
    columns = list->size();
  }
  if (*columns != rows.size() && *columns != rows.size() + 1)
    return emitError() << "the matrix has " << rows.size() << " rows and "
                       << *columns
                       << " columns, but needs as many columns as rows, or "
                          "one more";
  return success();
}

LogicalResult LoopSkewAttr::verify(EmitError emitError, Attribute statement,
                                   Attribute loop, Attribute coefficients) {
  return failure(failed(verifyPlace(emitError, statement, loop)) ||
                 failed(verifyList(emitError, "coefficients", coefficients,
                                   std::nullopt)));
}

LogicalResult LoopShiftAttr::verify(EmitError emitError, Attribute statement,
                                    Attribute loop, Attribute amount) {
  return failure(
      failed(verifyPlace(emitError, statement, loop)) ||
      failed(verifyNumber(emitError, "amount", amount, std::nullopt)));
}

LogicalResult LoopScaleAttr::verify(EmitError emitError, Attribute statement,
                                    Attribute loop, Attribute factor) {
  auto knob = dyn_cast<KnobAttr>(factor);
  Attribute zero = Builder(factor.getContext()).getI64IntegerAttr(0);
  if (factor == zero || (knob && knob.getDomain().contains(zero)))
    return emitError() << "a loop can't be scaled by 0";
  return failure(
      failed(verifyPlace(emitError, statement, loop)) ||
      failed(verifyNumber(emitError, "factor", factor, std::nullopt)));
}

LogicalResult LoopReverseAttr::verify(EmitError emitError, Attribute statement,
                                      Attribute loop) {
  return verifyPlace(emitError, statement, loop);
}

LogicalResult LoopDistributeAttr::verify(EmitError emitError,
                                         Attribute statements, Attribute loop) {
  return failure(failed(verifyList(emitError, "statements", statements, 0)) ||
                 failed(verifyNumber(emitError, "loop", loop, 1)));
}

LogicalResult LoopFuseAttr::verify(EmitError emitError, Attribute statements,
                                   Attribute loop) {
  return failure(failed(verifyList(emitError, "statements", statements, 0)) ||
                 failed(verifyNumber(emitError, "loop", loop, 0)));
}

LogicalResult LoopAlignAttr::verify(EmitError emitError, Attribute statement,
                                    Attribute loop) {
  return verifyPlace(emitError, statement, loop);
}

LogicalResult LoopUnrollAttr::verify(EmitError emitError, Attribute statement,
                                     Attribute loop, Attribute factor) {
  return failure(failed(verifyPlace(emitError, statement, loop)) ||
                 failed(verifyNumber(emitError, "factor", factor, 0)));
}

LogicalResult LoopVectorizeAttr::verify(EmitError emitError,
                                        Attribute statement, Attribute loop,
                                        Attribute width) {
  return failure(failed(verifyPlace(emitError, statement, loop)) ||
                 failed(verifyNumber(emitError, "width", width, 0)));
}

LogicalResult LoopParallelizeAttr::verify(EmitError emitError,
                                          Attribute statement, Attribute loop) {
  return verifyPlace(emitError, statement, loop);
}

LogicalResult LoopCopyAttr::verify(EmitError emitError, Attribute statement,
                                   Attribute loop, Attribute reference,
                                   Attribute index, Attribute order,
                                   Attribute width, Attribute panel) {
  if (failed(verifyPlace(emitError, statement, loop)) ||
      failed(verifyNumber(emitError, "reference", reference, 0)) ||
      failed(verifyNumber(emitError, "index", index, 0)) ||
      failed(verifyNumber(emitError, "width", width, 0)) ||
      failed(verifyNumber(emitError, "panel", panel, 0)))
    return failure();
  if (index && order)
    return emitError() << "index and order both set the layout of the buffer; "
                          "give only one of them";
  if (!order)
    return success();
  if (isKnobOrName(order))
    return verifyListKnob(emitError, "an order", order);
  FailureOr<SmallVector<int64_t>> list = getIntegerList(order);
  if (failed(list) || !isOrder(*list))
    return emitError() << "order must be a permutation of the dimensions 0, 1, "
                       << "..., a knob or the name of one, but is " << order;
  return success();
}

LogicalResult LoopExpandAttr::verify(EmitError emitError, Attribute statement,
                                     Attribute loop, Attribute reference) {
  return failure(failed(verifyPlace(emitError, statement, loop)) ||
                 failed(verifyNumber(emitError, "reference", reference, 0)));
}

LogicalResult LoopPrefetchAttr::verify(EmitError emitError, Attribute statement,
                                       Attribute loop, Attribute ahead) {
  return failure(failed(verifyPlace(emitError, statement, loop)) ||
                 failed(verifyNumber(emitError, "ahead", ahead, 0)));
}

LogicalResult LoopAutoAttr::verify(EmitError emitError, StringAttr fusion) {
  if (isIdentifier(fusion.getValue()))
    return success();
  return emitError() << R"(fusion must be "min", "max", "smart" or the )"
                     << "name of a knob, but is " << fusion;
}
