//===- ResultLoop.cpp - The loop along a result's memory ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Analysis/ResultLoop.h"

using namespace mlir;

std::optional<unsigned> baco::findResultLoop(linalg::LinalgOp op) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (map.getNumResults() > 0)
    if (auto last = dyn_cast<AffineDimExpr>(map.getResults().back()))
      return last.getPosition();
  return std::nullopt;
}

std::optional<SmallVector<int64_t>> baco::orderToEndWith(AffineMap map,
                                                         unsigned loop) {
  std::optional<int64_t> place;
  SmallVector<int64_t> order;
  for (auto [i, subscript] : llvm::enumerate(map.getResults())) {
    if (!subscript.isFunctionOfDim(loop)) {
      order.push_back(i);
      continue;
    }
    if (place || !isa<AffineDimExpr>(subscript))
      return std::nullopt;
    place = i;
  }
  if (!place || *place + 1 == map.getNumResults())
    return std::nullopt;
  order.push_back(*place);
  return order;
}
