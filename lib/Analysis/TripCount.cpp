//===- TripCount.cpp - Iterations of loops and linalg ops -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Analysis/TripCount.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <cmath>
#include <limits>

using namespace mlir;

std::optional<double> baco::tripCount(LoopLikeOpInterface loop) {
  auto lowers = loop.getLoopLowerBounds(), uppers = loop.getLoopUpperBounds(),
       steps = loop.getLoopSteps();
  if (!lowers || !uppers || !steps)
    return std::nullopt;
  double count = 1;
  for (auto [lower, upper, step] : llvm::zip_equal(*lowers, *uppers, *steps)) {
    std::optional<int64_t> from = getConstantIntValue(lower),
                           to = getConstantIntValue(upper),
                           by = getConstantIntValue(step);
    if (!from || !to || !by || *by <= 0)
      return std::nullopt;
    double width = static_cast<double>(*to) - static_cast<double>(*from);
    count *= std::max(0.0, std::ceil(width / static_cast<double>(*by)));
  }
  return count;
}

std::optional<double> baco::tripCount(linalg::LinalgOp op) {
  double count = 1;
  for (int64_t extent : op.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(extent))
      return std::nullopt;
    count *= extent;
  }
  return count;
}

/// Iterations that the IR doesn't tell.
static constexpr double unknown = std::numeric_limits<double>::infinity();

/// The iterations of `loop` itself.
static double countTrips(LoopLikeOpInterface loop) {
  if (std::optional<APInt> trips = loop.getStaticTripCount())
    return trips->roundToDouble();
  return baco::tripCount(loop).value_or(unknown);
}

double baco::countIterations(Operation *op) {
  double count = 1;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return tripCount(structured).value_or(unknown);
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    count = countTrips(loop);
  double inner = 0;
  for (Region &region : op->getRegions())
    for (Operation &nested : region.getOps())
      if (nested.getNumRegions() > 0)
        inner += countIterations(&nested);
  // An endless loop over nothing isn't worth a kernel.
  return count == 0 || inner == 0 ? count : count * inner;
}
