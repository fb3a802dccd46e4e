//===- DeduplicateResults.cpp - Tensors that are returned twice -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy is an op that no folder removes.
//
//===----------------------------------------------------------------------===//

#include "LowerForms.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;

int64_t baco::frontend::separateResults(func::FuncOp function) {
  int64_t count = 0;
  function.walk([&](func::ReturnOp end) {
    llvm::SmallDenseSet<Value> seen;
    OpBuilder builder(end);
    for (OpOperand &operand : end->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      if (!type || seen.insert(operand.get()).second)
        continue;
      operand.set(bufferization::AllocTensorOp::create(
          builder, end.getLoc(), type, /*dynamicSizes=*/ValueRange(),
          /*copy=*/operand.get()));
      ++count;
    }
  });
  return count;
}
