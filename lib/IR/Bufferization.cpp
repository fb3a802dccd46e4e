//===- Bufferization.cpp - Tensors at the boundaries of functions
//--------------- ===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/Bufferization.h"

#include "baco/IR/Walk.h"

#include "mlir/Dialect/Bufferization/TransformOps/BufferizationTransformOps.h"

using namespace mlir;
using namespace baco;

bool baco::hasTensorBoundary(func::FuncOp function) {
  FunctionType type = function.getFunctionType();
  return llvm::any_of(type.getInputs(), llvm::IsaPred<TensorType>) ||
         llvm::any_of(type.getResults(), llvm::IsaPred<TensorType>);
}

bool baco::bufferizesBoundaries(Operation *schedule) {
  return contains(schedule, [](Operation *op) {
    auto bufferize = dyn_cast<transform::OneShotBufferizeOp>(op);
    return bufferize && bufferize.getBufferizeFunctionBoundaries();
  });
}
