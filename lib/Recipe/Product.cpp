//===- Product.cpp - Products of quantities in conditions -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Product.h"

using namespace mlir;
using namespace baco;

Product &Product::multiply(Quantity quantity) {
  for (Attribute factor : quantity.getFactors()) {
    if (isa<KnobAttr>(factor))
      knobs.push_back(factor);
    else
      constant *= cast<IntegerAttr>(factor).getInt();
  }
  return *this;
}

int64_t Product::smallest() const {
  int64_t product = constant;
  for (Attribute knob : knobs)
    product *= Quantity(knob).smallest();
  return product;
}

int64_t Product::largest() const {
  int64_t product = constant;
  for (Attribute knob : knobs)
    product *= Quantity(knob).largest();
  return product;
}

Expression Product::expression() const {
  SmallVector<Expression> factors;
  if (constant != 1 || knobs.empty())
    factors.push_back(constant);
  for (Attribute knob : knobs)
    factors.push_back(Quantity(knob).expression());
  return Expression::chain("*", factors);
}

LogicalResult baco::requireAtMost(RecipeAnalysis &state, const Product &smaller,
                                  const Product &larger,
                                  const std::string &reason) {
  if (smaller.largest() <= larger.smallest())
    return success();
  if (smaller.smallest() > larger.largest())
    return state.emitError() << reason;
  state.require(smaller.expression() <= larger.expression(), reason);
  return success();
}

LogicalResult baco::requireDivisor(RecipeAnalysis &state,
                                   const Product &divisor,
                                   const Product &number,
                                   const std::string &reason) {
  if (!divisor.isConstant() || !number.isConstant())
    state.require(divides(divisor.expression(), number.expression()), reason);
  else if (number.getConstant() % divisor.getConstant() != 0)
    return state.emitError() << reason;
  return success();
}
