//===- TileSize.cpp - Sizes of tiles in conditions ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileSize.h"

#include "mlir/IR/AffineExpr.h"

using namespace mlir;
using namespace baco;

TileSize baco::operator*(const TileSize &a, const TileSize &b) {
  if (a.value && b.value)
    return *a.value * *b.value;
  if (a.value == 1)
    return b;
  if (b.value == 1)
    return a;
  return TileSize(
      Expression::chain("*", std::vector{a.expression, b.expression}));
}

TileSize baco::operator+(const TileSize &a, const TileSize &b) {
  if (a.value && b.value)
    return *a.value + *b.value;
  if (a.value == 0)
    return b;
  if (b.value == 0)
    return a;
  return TileSize((a.expression + b.expression).enclosed());
}

std::optional<Quantity> baco::findExtent(RecipeAnalysis &state,
                                         unsigned origin) {
  for (auto [iterator, extents] : llvm::enumerate(state.getExtents()))
    if (state.getOrigin(iterator) == origin)
      return extents.size() == 1 && !extents.front().isPartial
                 ? extents.front().count
                 : std::nullopt;
  return std::nullopt;
}

/// Adds the iterators that `expression` sums, with their factors, to `terms`.
/// Returns whether it is such a sum.
static bool collectTerms(AffineExpr expression,
                         SmallVectorImpl<std::pair<unsigned, int64_t>> &terms) {
  if (auto dim = dyn_cast<AffineDimExpr>(expression)) {
    terms.push_back({dim.getPosition(), 1});
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return collectTerms(binary.getLHS(), terms) &&
           collectTerms(binary.getRHS(), terms);
  auto dim = dyn_cast<AffineDimExpr>(binary.getLHS());
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (binary.getKind() != AffineExprKind::Mul || !dim || !factor ||
      factor.getValue() < 1)
    return false;
  terms.push_back({dim.getPosition(), factor.getValue()});
  return true;
}

/// The extent of one dimension.
static std::optional<TileSize>
sizeOf(AffineExpr expression,
       function_ref<std::optional<TileSize>(unsigned)> extentOf) {
  SmallVector<std::pair<unsigned, int64_t>> terms;
  if (!collectTerms(expression, terms))
    return std::nullopt;
  TileSize size = 0;
  int64_t last = 0;
  for (auto [iterator, factor] : terms) {
    std::optional<TileSize> extent = extentOf(iterator);
    if (!extent)
      return std::nullopt;
    // One iterator: the extent itself.
    if (terms.size() == 1 && factor == 1)
      return extent;
    if (!extent->value)
      size = size + TileSize(factor) * *extent;
    last += factor * (extent->value.value_or(0) - 1);
  }
  // Up to the element of the last iteration.
  return size + TileSize(last + 1);
}

std::optional<SmallVector<TileSize>>
baco::sizesOfTile(AffineMap map,
                  function_ref<std::optional<TileSize>(unsigned)> extentOf) {
  SmallVector<TileSize> sizes;
  for (AffineExpr expression : map.getResults()) {
    std::optional<TileSize> size = sizeOf(expression, extentOf);
    if (!size)
      return std::nullopt;
    sizes.push_back(std::move(*size));
  }
  return sizes;
}
