//===- Product.h - Products of quantities in conditions ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_RECIPE_PRODUCT_H
#define BACO_LIB_RECIPE_PRODUCT_H

#include "baco/Recipe/RecipeAnalysis.h"

namespace baco {

/// A product of numbers, for a condition.
class Product {
public:
  Product(int64_t constant = 1) : constant(constant) {}
  Product(Quantity quantity) { multiply(quantity); }

  Product &multiply(Quantity quantity);
  /// Whether it depends on no knob.
  bool isConstant() const { return knobs.empty(); }
  /// The constant; only if it is one.
  int64_t getConstant() const { return constant; }
  int64_t smallest() const;
  int64_t largest() const;
  /// As expressions read it: `4 * BM`.
  Expression expression() const;

private:
  int64_t constant = 1;
  llvm::SmallVector<mlir::Attribute> knobs;
};

/// Requires that `smaller` is at most `larger`. Fails with an error if it can't
/// be.
mlir::LogicalResult requireAtMost(RecipeAnalysis &state, const Product &smaller,
                                  const Product &larger,
                                  const std::string &reason);

/// Requires that `divisor` divides `number`.
mlir::LogicalResult requireDivisor(RecipeAnalysis &state,
                                   const Product &divisor,
                                   const Product &number,
                                   const std::string &reason);

} // namespace baco

#endif // BACO_LIB_RECIPE_PRODUCT_H
