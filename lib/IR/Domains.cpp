//===- Domains.cpp - Sets of values ---------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers and members of the domain attributes.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/BacoAttributes.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;
using namespace baco;

using EmitError = function_ref<InFlightDiagnostic()>;

/// The value of an `i64` attribute (an `index` one also counts).
static std::optional<int64_t> getInteger(Attribute value) {
  auto integer = dyn_cast<IntegerAttr>(value);
  if (!integer ||
      !(integer.getType().isSignlessInteger(64) || integer.getType().isIndex()))
    return std::nullopt;
  return integer.getInt();
}

static Attribute makeInteger(MLIRContext *context, int64_t value) {
  return Builder(context).getI64IntegerAttr(value);
}

FailureOr<SmallVector<int64_t>> baco::getIntegerList(Attribute attr) {
  if (auto dense = dyn_cast<DenseI64ArrayAttr>(attr))
    return SmallVector<int64_t>(dense.asArrayRef());
  auto array = dyn_cast<ArrayAttr>(attr);
  if (!array)
    return failure();
  SmallVector<int64_t> list;
  for (Attribute element : array) {
    std::optional<int64_t> integer = getInteger(element);
    if (!integer)
      return failure();
    list.push_back(*integer);
  }
  return list;
}

//===----------------------------------------------------------------------===//
// OrdinalAttr
//===----------------------------------------------------------------------===//

LogicalResult OrdinalAttr::verify(EmitError emitError, ArrayRef<int64_t> values,
                                  bool log) {
  if (values.empty())
    return emitError() << "an ordinal domain needs at least one value";
  for (auto [previous, next] :
       llvm::zip(values.drop_back(), values.drop_front()))
    if (next <= previous)
      return emitError() << "values of an ordinal domain must increase, but "
                         << next << " follows " << previous;
  if (log && values.front() <= 0)
    return emitError() << "'log' needs positive values, but " << values.front()
                       << " is not";
  return success();
}

bool OrdinalAttr::contains(Attribute value) const {
  std::optional<int64_t> integer = getInteger(value);
  return integer && llvm::binary_search(getValues(), *integer);
}

Attribute OrdinalAttr::getFirst() const {
  return makeInteger(getContext(), getValues().front());
}

uint64_t OrdinalAttr::getSize() const { return getValues().size(); }

//===----------------------------------------------------------------------===//
// IntegerRangeAttr
//===----------------------------------------------------------------------===//

LogicalResult IntegerRangeAttr::verify(EmitError emitError, int64_t lower,
                                       int64_t upper, int64_t step, bool log) {
  if (lower > upper)
    return emitError() << "the range of integers " << lower << " to " << upper
                       << " is empty";
  if (step < 1)
    return emitError() << "the step of a range must be at least 1, but is "
                       << step;
  if (log && lower <= 0)
    return emitError() << "'log' needs positive values, but " << lower
                       << " is not";
  return success();
}

bool IntegerRangeAttr::contains(Attribute value) const {
  std::optional<int64_t> integer = getInteger(value);
  if (!integer || *integer < getLower() || *integer > getUpper())
    return false;
  // Unsigned, because the range may be wider than an int64_t.
  uint64_t offset =
      static_cast<uint64_t>(*integer) - static_cast<uint64_t>(getLower());
  return offset % static_cast<uint64_t>(getStep()) == 0;
}

Attribute IntegerRangeAttr::getFirst() const {
  return makeInteger(getContext(), getLower());
}

uint64_t IntegerRangeAttr::getSize() const {
  uint64_t width =
      static_cast<uint64_t>(getUpper()) - static_cast<uint64_t>(getLower());
  uint64_t last = width / static_cast<uint64_t>(getStep());
  return last == UINT64_MAX ? last : last + 1;
}

//===----------------------------------------------------------------------===//
// RealRangeAttr
//===----------------------------------------------------------------------===//

// NOLINTBEGIN(performance-unnecessary-value-param): as TableGen declares it.
LogicalResult RealRangeAttr::verify(EmitError emitError, APFloat lower,
                                    APFloat upper, bool log) {
  // NOLINTEND(performance-unnecessary-value-param)
  double low = lower.convertToDouble(), high = upper.convertToDouble();
  if (!std::isfinite(low) || !std::isfinite(high))
    return emitError() << "the bounds of a range must be finite";
  if (low >= high)
    return emitError() << "the range of reals " << low << " to " << high
                       << " is empty";
  if (log && low <= 0)
    return emitError() << "'log' needs positive values, but " << low
                       << " is not";
  return success();
}

bool RealRangeAttr::contains(Attribute value) const {
  auto real = dyn_cast<FloatAttr>(value);
  if (!real)
    return false;
  double number = real.getValueAsDouble();
  return number >= getLower().convertToDouble() &&
         number <= getUpper().convertToDouble();
}

Attribute RealRangeAttr::getFirst() const {
  return Builder(getContext()).getF64FloatAttr(getLower().convertToDouble());
}

uint64_t RealRangeAttr::getSize() const { return 0; }

//===----------------------------------------------------------------------===//
// CategoricalAttr
//===----------------------------------------------------------------------===//

/// 0: string, 1: boolean, 2: integer; nothing: not a value.
static std::optional<int> kindOfValue(Attribute value) {
  if (isa<StringAttr>(value))
    return 0;
  if (isa<BoolAttr>(value))
    return 1;
  if (getInteger(value))
    return 2;
  return std::nullopt;
}

LogicalResult CategoricalAttr::verify(EmitError emitError, ArrayAttr values) {
  if (values.empty())
    return emitError() << "a categorical domain needs at least one value";
  SmallPtrSet<const void *, 8> seen;
  for (Attribute value : values) {
    std::optional<int> kind = kindOfValue(value);
    if (!kind)
      return emitError() << "a categorical value is a string, a boolean or an "
                            "i64 integer, but "
                         << value << " is not";
    if (kind != kindOfValue(values[0]))
      return emitError() << "categorical values must have one type, but "
                         << values[0] << " and " << value << " are not";
    if (!seen.insert(value.getAsOpaquePointer()).second)
      return emitError() << "categorical value " << value << " appears twice";
  }
  return success();
}

bool CategoricalAttr::contains(Attribute value) const {
  return llvm::is_contained(getValues(), value);
}

Attribute CategoricalAttr::getFirst() const { return getValues()[0]; }

uint64_t CategoricalAttr::getSize() const { return getValues().size(); }

//===----------------------------------------------------------------------===//
// PermutationAttr
//===----------------------------------------------------------------------===//

LogicalResult PermutationAttr::verify(EmitError emitError, int64_t count,
                                      PermutationMetric) {
  // 21! overflows what counts orders.
  if (count < 1 || count > 20)
    return emitError() << "a permutation has 1 to 20 elements, but " << count
                       << " were asked for";
  return success();
}

bool PermutationAttr::contains(Attribute value) const {
  FailureOr<SmallVector<int64_t>> list = getIntegerList(value);
  return succeeded(list) && static_cast<int64_t>(list->size()) == getCount() &&
         isPermutationVector(*list);
}

Attribute PermutationAttr::getFirst() const {
  return Builder(getContext())
      .getI64ArrayAttr(llvm::to_vector(llvm::seq<int64_t>(0, getCount())));
}

uint64_t PermutationAttr::getSize() const {
  uint64_t size = 1;
  for (int64_t factor = 2; factor <= getCount(); ++factor)
    size *= factor;
  return size;
}
