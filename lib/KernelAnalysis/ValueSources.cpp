//===- ValueSources.cpp - Where numbers come from -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueSources.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using baco::target::ValueSources;

/// Whether the result of `op` is an operand or an element of one.
static bool keepsValue(Operation *op) {
  return isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
             arith::ExtUIOp, arith::TruncIOp, arith::ExtFOp, arith::TruncFOp,
             arith::SIToFPOp, arith::UIToFPOp, arith::SelectOp>(op) ||
         op->getNumRegions() > 0 || isa<ViewLikeOpInterface>(op) ||
         hasEffect<MemoryEffects::Read>(op);
}

void ValueSources::add(Value number) {
  push(number);
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (isa<BaseMemRefType>(value.getType()))
      addElements(value);
    else if (auto argument = dyn_cast<BlockArgument>(value))
      addArgument(argument);
    else
      addResult(cast<OpResult>(value));
  }
}

/// The value that `user`, which may write `memory`, stores in it.
void ValueSources::addStored(Operation *user, Value memory) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(user)) {
    for (OpOperand &init : structured.getDpsInitsMutable())
      if (init.get() == memory)
        push(structured.getMatchingYieldValue(&init)->get());
    return;
  }
  for (Value operand : user->getOperands())
    if (isa<BaseMemRefType>(operand.getType())
            ? isa<memref::CopyOp>(user)
            : !isa<IndexType>(operand.getType()))
      push(operand);
}

/// Adds the memref `memory`, its views, and the memory that it is a view of.
void ValueSources::addElements(Value memory) {
  if (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    push(view.getViewSource());
  for (Operation *user : memory.getUsers()) {
    if (isa<ViewLikeOpInterface>(user)) {
      for (Value result : user->getResults())
        if (isa<BaseMemRefType>(result.getType()))
          push(result);
    } else if (isa<linalg::LinalgOp, memref::CopyOp>(user) ||
               hasEffect<MemoryEffects::Write>(user, memory)) {
      addStored(user, memory);
    }
  }
}

void ValueSources::addArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto structured = dyn_cast<linalg::LinalgOp>(parent)) {
    push(structured.getMatchingOpOperand(argument)->get());
  } else if (auto loop = dyn_cast<LoopLikeOpInterface>(parent)) {
    if (OpOperand *init = loop.getTiedLoopInit(argument))
      push(init->get());
    if (OpOperand *yielded = loop.getTiedLoopYieldedValue(argument))
      push(yielded->get());
  }
}

void ValueSources::addResult(OpResult result) {
  Operation *op = result.getOwner();
  if (isSame && !keepsValue(op))
    return;
  // An op with regions returns the values that these yield.
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (!block.empty() &&
          block.back().getNumOperands() == op->getNumResults())
        push(block.back().getOperand(result.getResultNumber()));
  for (Value operand : op->getOperands()) {
    // A condition, or an address.
    bool isOther =
        (isa<arith::SelectOp>(op) && operand == op->getOperand(0)) ||
        (!isMemoryEffectFree(op) && isa<IndexType>(operand.getType()));
    if (!isOther && op->getNumRegions() == 0)
      push(operand);
  }
}
