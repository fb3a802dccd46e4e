//===- TileSize.h - Sizes of tiles in conditions ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How large tiles of operands are: numbers, or expressions over knobs.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_RECIPE_TILESIZE_H
#define BACO_LIB_RECIPE_TILESIZE_H

#include "baco/Recipe/RecipeAnalysis.h"

#include "mlir/IR/AffineMap.h"

namespace baco {

/// A number in a condition: an expression, and the value if no knob is in it.
struct TileSize {
  Expression expression;
  std::optional<int64_t> value;
  /// Its value if that is one quantity.
  std::optional<Quantity> quantity;

  TileSize(int64_t value) : expression(value), value(value) {}
  TileSize(Quantity quantity)
      : expression(quantity.expression()), quantity(quantity) {
    if (!quantity.isKnob())
      value = quantity.getConstant();
  }
  explicit TileSize(Expression expression)
      : expression(std::move(expression)) {}
};

TileSize operator*(const TileSize &a, const TileSize &b);
/// In parentheses, so that it can be a factor.
TileSize operator+(const TileSize &a, const TileSize &b);

/// The number of iterations of the iterator that was `origin` in the payload,
/// within the loops that there are.
std::optional<Quantity> findExtent(RecipeAnalysis &state, unsigned origin);

/// The extents of the dimensions of an operand's tile, which `map` indexes, by
/// those of iterators. A window of a stencil or a convolution has a border: the
/// sum of factors times extents, less one each, and one. Nothing if an extent
/// isn't known, or an expression isn't such a sum.
std::optional<llvm::SmallVector<TileSize>>
sizesOfTile(mlir::AffineMap map,
            llvm::function_ref<std::optional<TileSize>(unsigned)> extentOf);

} // namespace baco

#endif // BACO_LIB_RECIPE_TILESIZE_H
