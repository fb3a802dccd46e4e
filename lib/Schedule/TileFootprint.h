//===- TileFootprint.h - Footprints of tiles over knobs ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Footprints as expressions over knobs. They are boxes: along a dimension of an
// operand, a sum of iterators touches as many elements as its largest value
// minus its smallest one, plus 1.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_TILEFOOTPRINT_H
#define BACO_LIB_SCHEDULE_TILEFOOTPRINT_H

#include "baco/Expression/Expression.h"
#include "baco/Schedule/HostInfo.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Types.h"

#include <optional>

namespace baco::schedule {

/// A number: an expression over knobs, and bounds on its value.
struct Amount {
  Amount(int64_t constant)
      : expression(constant), smallest(constant), largest(constant),
        isConstant(true) {}
  Amount(Expression expression, double smallest, double largest)
      : expression(std::move(expression)), smallest(smallest),
        largest(largest) {}

  Expression expression;
  double smallest, largest;
  bool isConstant = false;
};

Amount product(const Amount &a, const Amount &b);
Amount sum(const Amount &a, const Amount &b);
/// The sum of `parts`, with a constant last.
Amount total(llvm::ArrayRef<Amount> parts);
/// The one that is never larger, if there is one, or `min(a, b)`.
Amount minimum(const Amount &a, const Amount &b);

/// The number of bytes that `map` touches when each iterator (its dimensions)
/// takes `extents` values; symbols don't change. Dimension d of its results has
/// `spread[d]` elements more, if that is given. Nullopt if a result isn't a sum
/// of iterators.
std::optional<Amount> footprintBytes(mlir::AffineMap map,
                                     llvm::ArrayRef<Amount> extents,
                                     mlir::Type elementType,
                                     llvm::ArrayRef<int64_t> spread = {});

/// The cache that tiles had better fit: the largest of level 1, level 2 and an
/// eighth of level 3. That is generous, as data in a larger cache isn't lost.
struct TileCache {
  explicit TileCache(const HostInfo &host);

  int64_t bytes;
  /// `level 2`.
  llvm::StringRef name;
};

/// `footprint <= cache`, or nothing if that always holds, or is no choice.
std::optional<Expression> fitsCache(const Amount &footprint,
                                    const TileCache &cache);

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_TILEFOOTPRINT_H
