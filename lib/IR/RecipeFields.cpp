//===- RecipeFields.cpp - Fields of a recipe's steps ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifies fields, and computes the numbers that they may represent, see
// RecipeFields.h.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/RecipeFields.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace baco;

using EmitError = function_ref<InFlightDiagnostic()>;

ArrayRef<Attribute> Quantity::getFactors() const {
  if (auto product = dyn_cast<ArrayAttr>(field))
    return product.getValue();
  return field;
}

bool Quantity::isKnob() const {
  return llvm::any_of(getFactors(), llvm::IsaPred<KnobAttr>);
}

int64_t Quantity::getConstant() const {
  int64_t product = 1;
  for (Attribute factor : getFactors())
    product *= cast<IntegerAttr>(factor).getInt();
  return product;
}

/// Whether `holds` is true of every value of the integer or knob `factor`.
static bool allValues(Attribute factor, function_ref<bool(int64_t)> holds) {
  auto knob = dyn_cast<KnobAttr>(factor);
  if (!knob)
    return holds(cast<IntegerAttr>(factor).getInt());
  if (auto ordinal = dyn_cast<OrdinalAttr>(knob.getDomain()))
    return llvm::all_of(ordinal.getValues(), holds);
  auto range = cast<IntegerRangeAttr>(knob.getDomain());
  for (uint64_t i = 0, e = range.getSize(); i < e; ++i)
    if (!holds(range.getLower() + static_cast<int64_t>(i) * range.getStep()))
      return false;
  return true;
}

/// The same for `before` times the product of `factors`.
static bool allProducts(ArrayRef<Attribute> factors, int64_t before,
                        function_ref<bool(int64_t)> holds) {
  if (factors.empty())
    return holds(before);
  return allValues(factors.front(), [&](int64_t value) {
    return allProducts(factors.drop_front(), before * value, holds);
  });
}

bool Quantity::allOf(function_ref<bool(int64_t)> holds) const {
  return allProducts(getFactors(), 1, holds);
}

Expression Quantity::expression() const {
  auto factors = llvm::map_to_vector(getFactors(), [](Attribute factor) {
    if (auto knob = dyn_cast<KnobAttr>(factor))
      return Expression::variable(knob.getName());
    return Expression(cast<IntegerAttr>(factor).getInt());
  });
  Expression product = Expression::chain("*", factors);
  return isa<ArrayAttr>(field) ? product.enclosed() : product;
}

std::string Quantity::quoted() const {
  if (auto knob = dyn_cast<KnobAttr>(field))
    return "'" + knob.getName().str() + "'";
  return str();
}

LogicalResult baco::verifyOperands(function_ref<InFlightDiagnostic()> emitError,
                                   DenseI64ArrayAttr operands, StringRef what) {
  for (auto [index, operand] : llvm::enumerate(operands.asArrayRef())) {
    if (operand < 0)
      return emitError() << "operand index " << operand << " is negative";
    if (llvm::is_contained(operands.asArrayRef().take_front(index), operand))
      return emitError() << "operand " << operand << " is " << what << " twice";
  }
  return success();
}

bool baco::makesLoop(Attribute size) {
  auto constant = dyn_cast<IntegerAttr>(size);
  return !constant || constant.getInt() != 0;
}

/// The least and the greatest value of a domain of integers; nothing for other
/// domains.
static std::optional<std::pair<int64_t, int64_t>>
getBounds(DomainAttrInterface domain) {
  if (auto ordinal = dyn_cast<OrdinalAttr>(domain))
    return std::pair(ordinal.getValues().front(), ordinal.getValues().back());
  if (auto range = dyn_cast<IntegerRangeAttr>(domain))
    return std::pair(range.getLower(), range.getUpper());
  return std::nullopt;
}

/// The product of what `bound` says of each of `factors`.
static int64_t multiply(ArrayRef<Attribute> factors,
                        function_ref<int64_t(DomainAttrInterface)> bound) {
  int64_t product = 1;
  for (Attribute factor : factors) {
    auto knob = dyn_cast<KnobAttr>(factor);
    product *=
        knob ? bound(knob.getDomain()) : cast<IntegerAttr>(factor).getInt();
  }
  return product;
}

int64_t Quantity::smallest() const {
  return multiply(getFactors(), [](DomainAttrInterface domain) {
    return getBounds(domain)->first;
  });
}

int64_t Quantity::largest() const {
  return multiply(getFactors(), [](DomainAttrInterface domain) {
    return getBounds(domain)->second;
  });
}

LogicalResult baco::verifyQuantity(EmitError emitError, StringRef what,
                                   Attribute field, int64_t minimum,
                                   int64_t knobMinimum) {
  if (auto knob = dyn_cast_or_null<KnobAttr>(field)) {
    auto bounds = getBounds(knob.getDomain());
    if (!bounds)
      return emitError() << "knob '" << knob.getName() << "': " << what
                         << " must be an integer, but its domain is "
                         << knob.getDomain();
    if (bounds->first < knobMinimum)
      return emitError() << "knob '" << knob.getName() << "': " << what
                         << " must "
                         << (knobMinimum == 0 ? "not be negative"
                                              : "be positive")
                         << ", but its domain has " << bounds->first;
    return success();
  }
  auto constant = dyn_cast_or_null<IntegerAttr>(field);
  if (!constant || !constant.getType().isSignlessInteger(64))
    return emitError() << what << " must be an integer or a knob, but is "
                       << field;
  if (constant.getInt() < minimum)
    return emitError() << what << " must be at least " << minimum << ", but is "
                       << constant.getInt();
  return success();
}

LogicalResult baco::verifyProduct(EmitError emitError, StringRef what,
                                  Attribute field, int64_t minimum) {
  auto product = dyn_cast<ArrayAttr>(field);
  if (!product)
    return verifyQuantity(emitError, what, field, minimum);
  if (product.size() < 2)
    return emitError() << what << " is a product of " << product.size()
                       << " numbers; write the number alone";
  for (Attribute factor : product)
    if (failed(verifyQuantity(emitError, what, factor, /*minimum=*/1)))
      return failure();
  return success();
}

LogicalResult baco::verifySwitch(EmitError emitError, Attribute enabled) {
  if (!enabled)
    return success();
  std::optional<std::pair<int64_t, int64_t>> bounds;
  if (auto knob = dyn_cast<KnobAttr>(enabled))
    bounds = getBounds(knob.getDomain());
  else if (auto constant = dyn_cast<IntegerAttr>(enabled))
    bounds = {constant.getInt(), constant.getInt()};
  if (!bounds || bounds->first < 0 || bounds->second > 1)
    return emitError()
           << "'enabled' must be 0, 1, or a knob over these, but is "
           << enabled;
  return success();
}

/// The condition that `enabled` is `value`.
static std::optional<SmallVector<Expression, 1>> whereIs(Attribute enabled,
                                                         int64_t value) {
  if (auto knob = dyn_cast_or_null<KnobAttr>(enabled))
    return SmallVector<Expression, 1>{Quantity(knob).expression() == value};
  bool isOn = !enabled || cast<IntegerAttr>(enabled).getInt() == 1;
  if (isOn == (value == 1))
    return SmallVector<Expression, 1>();
  return std::nullopt;
}

std::optional<SmallVector<Expression, 1>> baco::whereOff(Attribute enabled) {
  return whereIs(enabled, 0);
}

std::optional<SmallVector<Expression, 1>> baco::whereOn(Attribute enabled) {
  return whereIs(enabled, 1);
}

LogicalResult baco::verifyEntries(EmitError emitError, StringRef what,
                                  ArrayAttr entries) {
  for (Attribute entry : entries)
    if (failed(verifyQuantity(emitError, what, entry, /*minimum=*/0)))
      return failure();
  if (llvm::none_of(entries, makesLoop))
    return emitError() << "all entries are 0, so that the step does nothing";
  return success();
}

LogicalResult baco::verifyOrder(EmitError emitError, Attribute order,
                                std::optional<int64_t> count) {
  if (auto knob = dyn_cast<KnobAttr>(order)) {
    auto domain = dyn_cast<PermutationAttr>(knob.getDomain());
    if (!domain)
      return emitError() << "knob '" << knob.getName()
                         << "': an order needs a permutation domain, but has "
                         << knob.getDomain();
    if (count && domain.getCount() != *count)
      return emitError() << "knob '" << knob.getName() << "' orders "
                         << domain.getCount() << " elements, but there are "
                         << *count;
    return success();
  }
  FailureOr<SmallVector<int64_t>> list = getIntegerList(order);
  if (failed(list))
    return emitError() << "an order must be a list of integers or a knob, but "
                          "is "
                       << order;
  if (!isPermutationVector(*list))
    return emitError() << "order [" << ArrayRef<int64_t>(*list)
                       << "] must hold each of 0 to its length - 1 once";
  if (count && static_cast<int64_t>(list->size()) != *count)
    return emitError() << "order [" << ArrayRef<int64_t>(*list) << "] is for "
                       << list->size() << " elements, but there are " << *count;
  return success();
}

SmallVector<StringRef> baco::textsOf(Attribute field) {
  if (auto text = dyn_cast<StringAttr>(field))
    return {text.getValue()};
  SmallVector<StringRef> texts;
  auto domain = cast<CategoricalAttr>(cast<KnobAttr>(field).getDomain());
  for (auto text : domain.getValues().getAsRange<StringAttr>())
    texts.push_back(text.getValue());
  return texts;
}
