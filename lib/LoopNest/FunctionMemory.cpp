//===- FunctionMemory.cpp - Memory for one run of a function --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/LoopNest/FunctionMemory.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

Value baco::loopnest::allocateInFunction(OpBuilder &builder, Location loc,
                                         MemRefType type) {
  OpBuilder::InsertionGuard guard(builder);
  Operation *around = builder.getInsertionBlock()->getParentOp();
  // Iterations of a parallel loop would race for memory outside of it.
  while (!isa<FunctionOpInterface, scf::ParallelOp, scf::ForallOp,
              affine::AffineParallelOp>(around))
    around = around->getParentOp();
  Region &body = around->getRegion(0);
  builder.setInsertionPointToStart(&body.front());
  Value memory = memref::AllocOp::create(
      builder, loc, type, builder.getI64IntegerAttr(bufferAlignment));
  for (Block &block : body) {
    Operation *end = block.getTerminator();
    if (end->getNumSuccessors() > 0)
      continue;
    builder.setInsertionPoint(end);
    memref::DeallocOp::create(builder, loc, memory);
  }
  return memory;
}

void baco::loopnest::eraseWithUsers(Operation *allocation,
                                    function_ref<void(Operation *)> erase) {
  for (Operation *user : llvm::make_early_inc_range(allocation->getUsers()))
    erase(user);
  erase(allocation);
}
