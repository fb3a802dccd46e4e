//===- Structured.cpp - Linalg ops that become loops ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/Structured.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

bool baco::isStructured(Operation *op) {
  return isa<linalg::LinalgOp, linalg::SoftmaxOp>(op);
}

bool baco::isOnTensors(Operation *op) {
  if (isa<LoopLikeOpInterface>(op))
    return llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
  return isStructured(op) &&
         cast<DestinationStyleOpInterface>(op).hasPureTensorSemantics();
}

bool baco::isOnMemRefs(Operation *op) {
  return isStructured(op) &&
         cast<DestinationStyleOpInterface>(op).hasPureBufferSemantics();
}

int64_t baco::countIterators(Operation *op) {
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
    return softmax.getInputOperandRank();
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured ? structured.getNumLoops() : 0;
}

bool baco::convertsOtherwise(linalg::LinalgOp op) {
  return llvm::any_of(op.getBlock()->getOperations(), [](Operation &inner) {
    return isa<CastOpInterface>(inner) &&
           !isa<arith::ExtFOp, arith::ExtSIOp>(inner);
  });
}
