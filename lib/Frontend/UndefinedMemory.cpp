//===- UndefinedMemory.cpp - Reads of undefined memory --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Zero is one of the values that undefined elements can have.
//
//===----------------------------------------------------------------------===//

#include "LowerForms.h"

#include "baco/IR/Walk.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace baco;

/// Whether `op` reads elements of `operand` by itself.
static bool readsOperand(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return structured.payloadUsesValueFromOperand(&operand);
  return isa<memref::LoadOp, affine::AffineLoadOp>(op);
}

/// Whether `operand` is the initial value of a loop that writes one element
/// after the other, perhaps not all: elements that it leaves out can be read
/// behind the loop.
static bool entersLoopOverElements(OpOperand &operand) {
  auto loop = dyn_cast<LoopLikeOpInterface>(operand.getOwner());
  return loop && llvm::is_contained(loop.getInits(), operand.get()) &&
         contains(loop, llvm::IsaPred<tensor::InsertOp>);
}

/// Whether `operand` shows elements of a tensor that nobody may have written.
static bool showsElements(OpOperand &operand) {
  return readsOperand(operand) || entersLoopOverElements(operand);
}

/// The op of the allocation's block in which its first use is; null if that
/// isn't a read.
static Operation *findFirstRead(Operation *allocation) {
  Block *block = allocation->getBlock();
  Operation *first = nullptr;
  for (Operation *user : allocation->getUsers())
    if (Operation *here = block->findAncestorOpInBlock(*user);
        here && (!first || here->isBeforeInBlock(first)))
      first = here;
  if (!first)
    return nullptr;
  bool isRead = false;
  first->walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isUsed = false;
    for (OpOperand &operand : op->getOpOperands())
      if (operand.get() == allocation->getResult(0)) {
        isUsed = true;
        isRead |= readsOperand(operand);
      }
    return isUsed ? WalkResult::interrupt() : WalkResult::advance();
  });
  return isRead ? first : nullptr;
}

/// Makes a fill with zeros in front of `op`; null if the type has no zero.
static linalg::FillOp fillBefore(Operation *op, Value memory) {
  OpBuilder builder(op);
  TypedAttr zero = builder.getZeroAttr(getElementTypeOrSelf(memory.getType()));
  if (!zero)
    return {};
  Value constant = arith::ConstantOp::create(builder, op->getLoc(), zero);
  return linalg::FillOp::create(builder, op->getLoc(), constant, memory);
}

int64_t baco::frontend::fillUndefined(func::FuncOp function) {
  SmallVector<Operation *> made;
  function.walk([&](Operation *op) {
    auto tensor = dyn_cast<bufferization::AllocTensorOp>(op);
    if (isa<tensor::EmptyOp, memref::AllocOp, memref::AllocaOp>(op) ||
        (tensor && !tensor.getCopy()))
      made.push_back(op);
  });
  int64_t count = 0;
  for (Operation *op : made) {
    Value memory = op->getResult(0);
    bool isTensor = isa<TensorType>(memory.getType());
    bool isShown = isTensor && llvm::any_of(memory.getUses(), showsElements);
    Operation *place = isShown    ? op->getNextNode()
                       : isTensor ? nullptr
                                  : findFirstRead(op);
    linalg::FillOp fill = place ? fillBefore(place, memory) : linalg::FillOp();
    if (!fill)
      continue;
    ++count;
    if (isTensor)
      memory.replaceUsesWithIf(fill->getResult(0), showsElements);
  }
  return count;
}

int64_t baco::frontend::replacePoison(func::FuncOp function) {
  int64_t count = 0;
  function.walk([&](ub::PoisonOp poison) {
    OpBuilder builder(poison);
    Type type = poison.getType();
    Operation *defined = nullptr;
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      if (tensor.hasStaticShape())
        defined =
            tensor::EmptyOp::create(builder, poison.getLoc(), tensor.getShape(),
                                    tensor.getElementType());
    } else if (TypedAttr zero = builder.getZeroAttr(type)) {
      defined = arith::ConstantOp::create(builder, poison.getLoc(), zero);
    }
    if (!defined)
      return;
    ++count;
    poison->replaceAllUsesWith(defined);
    poison.erase();
  });
  return count;
}
