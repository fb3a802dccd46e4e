//===- RecipeFields.cpp - Fields of a recipe's steps ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifies fields, and computes the numbers that they may represent, see
// RecipeState.h.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/RecipeState.h"
#include "baco/Space/Expression.h"

using namespace mlir;
using namespace baco;

using EmitError = function_ref<InFlightDiagnostic()>;

int64_t Quantity::getConstant() const {
  return cast<IntegerAttr>(field).getInt();
}

bool Quantity::allOf(function_ref<bool(int64_t)> holds) const {
  auto knob = dyn_cast<KnobAttr>(field);
  if (!knob)
    return holds(getConstant());
  if (auto ordinal = dyn_cast<OrdinalAttr>(knob.getDomain()))
    return llvm::all_of(ordinal.getValues(), holds);
  auto range = cast<IntegerRangeAttr>(knob.getDomain());
  for (uint64_t i = 0, e = range.getSize(); i < e; ++i)
    if (!holds(range.getLower() + static_cast<int64_t>(i) * range.getStep()))
      return false;
  return true;
}

std::string Quantity::str() const {
  if (auto knob = dyn_cast<KnobAttr>(field))
    return variableText(knob.getName().str());
  return std::to_string(getConstant());
}

std::string Quantity::quoted() const {
  if (auto knob = dyn_cast<KnobAttr>(field))
    return "'" + knob.getName().str() + "'";
  return str();
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

int64_t Quantity::smallest() const {
  if (auto knob = dyn_cast<KnobAttr>(field))
    return getBounds(knob.getDomain())->first;
  return getConstant();
}

int64_t Quantity::largest() const {
  if (auto knob = dyn_cast<KnobAttr>(field))
    return getBounds(knob.getDomain())->second;
  return getConstant();
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
static std::optional<std::string> whereIs(Attribute enabled, int64_t value) {
  if (auto knob = dyn_cast_or_null<KnobAttr>(enabled))
    return Quantity(knob).str() + " == " + std::to_string(value);
  bool isOn = !enabled || cast<IntegerAttr>(enabled).getInt() == 1;
  if (isOn == (value == 1))
    return "";
  return std::nullopt;
}

std::optional<std::string> baco::whereOff(Attribute enabled) {
  return whereIs(enabled, 0);
}

std::optional<std::string> baco::whereOn(Attribute enabled) {
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
  if (!isOrder(*list))
    return emitError() << "order [" << ArrayRef<int64_t>(*list)
                       << "] must hold each of 0 to its length - 1 once";
  if (count && static_cast<int64_t>(list->size()) != *count)
    return emitError() << "order [" << ArrayRef<int64_t>(*list) << "] is for "
                       << list->size() << " elements, but there are " << *count;
  return success();
}
