//===- AllowContraction.cpp - Fused multiply-adds -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CPUs execute about two multiply-adds in a cycle and take four cycles for
// each, so that eight independent sums keep them busy.
//
//===----------------------------------------------------------------------===//

#include "baco/LoopTransforms/LoopTransforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

/// Sums under way at once from which on fused ones aren't slower.
static constexpr size_t minParallelSums = 8;

/// Collects the sums and differences of scalars through which `loop` carries
/// values from one iteration to the next.
static void findCarriedSums(LoopLikeOpInterface loop,
                            llvm::SmallPtrSetImpl<Operation *> &carried) {
  llvm::SetVector<Value> reached;
  for (Value value : loop.getRegionIterArgs())
    if (isa<FloatType>(value.getType()))
      reached.insert(value);
  if (reached.size() >= minParallelSums)
    return;
  for (size_t i = 0; i < reached.size(); ++i)
    for (Operation *user : reached[i].getUsers())
      if (isa<arith::AddFOp, arith::SubFOp>(user)) {
        carried.insert(user);
        reached.insert(user->getResult(0));
      }
}

void baco::loopnest::allowContraction(Operation *root) {
  llvm::SmallPtrSet<Operation *, 16> carried;
  root->walk([&](LoopLikeOpInterface loop) { findCarriedSums(loop, carried); });
  root->walk([&](Operation *op) {
    if (!isa<arith::MulFOp, arith::AddFOp, arith::SubFOp>(op) ||
        carried.contains(op))
      return;
    auto arithmetic = cast<arith::ArithFastMathInterface>(op);
    arithmetic->setAttr(
        arithmetic.getFastMathAttrName(),
        arith::FastMathFlagsAttr::get(
            op->getContext(), arithmetic.getFastMathFlagsAttr().getValue() |
                                  arith::FastMathFlags::contract));
  });
}
