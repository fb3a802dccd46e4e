//===- TileFootprint.cpp - Footprints of tiles over knobs -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileFootprint.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"

#include <algorithm>

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

/// A constant. All that no cache holds is alike.
static Amount makeConstant(double value) {
  return static_cast<int64_t>(std::min(value, 0x1p56));
}

Amount schedule::product(const Amount &a, const Amount &b) {
  if (a.isConstant && b.isConstant)
    return makeConstant(a.largest * b.largest);
  if (a.isConstant && a.largest == 1)
    return b;
  if (b.isConstant && b.largest == 1)
    return a;
  return {Expression::chain("*", std::vector{a.expression, b.expression}),
          a.smallest * b.smallest, a.largest * b.largest};
}

Amount schedule::sum(const Amount &a, const Amount &b) {
  if (a.isConstant && b.isConstant)
    return makeConstant(a.largest + b.largest);
  if (a.isConstant && a.largest == 0)
    return b;
  if (b.isConstant && b.largest == 0)
    return a;
  Expression result =
      b.isConstant && b.largest < 0
          ? a.expression - static_cast<int64_t>(-b.largest)
          : Expression::chain("+", std::vector{a.expression, b.expression});
  return {std::move(result), a.smallest + b.smallest, a.largest + b.largest};
}

Amount schedule::total(ArrayRef<Amount> parts) {
  Amount all = 0, constants = 0;
  for (const Amount &part : parts) {
    Amount &some = part.isConstant ? constants : all;
    some = sum(some, part);
  }
  return sum(all, constants);
}

Amount schedule::minimum(const Amount &a, const Amount &b) {
  if (a.largest <= b.smallest || a.expression.isLike(b.expression))
    return a;
  if (b.largest <= a.smallest)
    return b;
  return {Expression::function("min", std::vector{a.expression, b.expression}),
          std::min(a.smallest, b.smallest), std::min(a.largest, b.largest)};
}

/// Elements of other types count as addresses.
static int64_t bytesOf(Type element) {
  constexpr int64_t addressBytes = 8;
  return element.isIntOrFloat()
             ? std::max<int64_t>(element.getIntOrFloatBitWidth() / 8, 1)
             : addressBytes;
}

std::optional<Amount> schedule::footprintBytes(AffineMap map,
                                               ArrayRef<Amount> extents,
                                               Type elementType,
                                               ArrayRef<int64_t> spread) {
  std::vector<SmallVector<int64_t, 8>> rows;
  if (failed(getFlattenedAffineExprs(map, &rows)))
    return std::nullopt;
  Amount result = 1;
  for (auto [dimension, row] : llvm::enumerate(rows)) {
    // Longer rows stand for remainders and quotients.
    if (row.size() != map.getNumInputs() + 1)
      return std::nullopt;
    Amount span = 0;
    double rest = 1 + (spread.empty() ? 0. : double(spread[dimension]));
    for (auto [extent, factor] :
         llvm::zip(extents, ArrayRef(row).take_front(map.getNumDims()))) {
      if (factor == 0)
        continue;
      double distance = std::abs(double(factor));
      Amount steps = product(makeConstant(distance), extent);
      rest -= distance;
      if (steps.isConstant)
        rest += steps.largest;
      else
        span = sum(span, steps);
    }
    result = product(result, sum(span, makeConstant(rest)));
  }
  return product(result, bytesOf(elementType));
}

TileCache::TileCache(const HostInfo &host)
    : bytes(std::max({host.l1Bytes, host.l2Bytes, host.l3Bytes / 8})),
      name(bytes == host.l3Bytes / 8 ? "an eighth of level 3"
           : bytes == host.l2Bytes   ? "level 2"
                                     : "level 1") {}

std::optional<Expression> schedule::fitsCache(const Amount &footprint,
                                              const TileCache &cache) {
  if (footprint.isConstant || footprint.largest <= cache.bytes)
    return std::nullopt;
  return footprint.expression <= cache.bytes;
}
