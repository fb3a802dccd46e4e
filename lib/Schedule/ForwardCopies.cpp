//===- ForwardCopies.cpp - Results in the buffer of the whole -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Analysis/MemoryRoots.h"
#include "baco/IR/Walk.h"
#include "baco/Target/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-forward-copies"

namespace baco::target {
#define GEN_PASS_DEF_FORWARDCOPIESPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;

/// Whether `op`, without what is in it, may access memory that `memref` shows.
static bool mayAccess(Operation *op, Value memref) {
  return !isa<ViewLikeOpInterface>(op) &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           if (isa<BaseMemRefType>(operand.getType()))
             return baco::mayOverlap(operand, memref);
           // Tensors and pointers may be of any memory.
           return !isa<IntegerType, IndexType, FloatType, VectorType>(
               operand.getType());
         });
}

/// Whether an op from `first` on and before `last`, both of one block, may
/// access memory that `memref` shows.
static bool isAccessedBetween(Value memref, Operation *first, Operation *last) {
  return llvm::any_of(baco::opsFrom(first, last->getPrevNode()),
                      [&](Operation &op) {
                        return baco::contains(&op, [&](Operation *inner) {
                          return mayAccess(inner, memref);
                        });
                      });
}

/// The op with several outputs that alone writes to `buffer`, before `copy`
/// alone reads it, in the same block; null if there is none.
static linalg::LinalgOp findWriter(memref::AllocOp buffer,
                                   memref::CopyOp copy) {
  if (!buffer || !buffer.getMemref().hasNUses(2))
    return nullptr;
  for (OpOperand &use : buffer->getUses()) {
    auto writer = dyn_cast<linalg::LinalgOp>(use.getOwner());
    if (writer && writer.getNumDpsInits() > 1 && writer.isDpsInit(&use) &&
        writer->getBlock() == copy->getBlock() && writer->isBeforeInBlock(copy))
      return writer;
  }
  return nullptr;
}

/// The part of a buffer that `copy` copies to, if the op that writes what is
/// copied may write there.
static memref::SubViewOp findPlace(memref::CopyOp copy) {
  auto place = copy.getTarget().getDefiningOp<memref::SubViewOp>();
  linalg::LinalgOp writer =
      findWriter(copy.getSource().getDefiningOp<memref::AllocOp>(), copy);
  // The view is moved to its buffer: without other operands, and other users
  // meanwhile.
  if (!place || !writer || place->getNumOperands() != 1 || !place->hasOneUse())
    return nullptr;
  auto whole = place.getSource().getDefiningOp<memref::AllocOp>();
  bool isEarly = whole && whole->getBlock() == copy->getBlock() &&
                 whole->isBeforeInBlock(writer);
  return isEarly && !isAccessedBetween(place, writer, copy)
             ? place
             : memref::SubViewOp();
}

namespace {
struct ForwardCopies
    : baco::target::impl::ForwardCopiesPassBase<ForwardCopies> {
protected:
  void runOnOperation() override {
    getOperation()->walk([](memref::CopyOp copy) {
      memref::SubViewOp place = findPlace(copy);
      if (!place)
        return;
      LDBG() << "writes to " << place << " without a copy";
      Operation *buffer = copy.getSource().getDefiningOp();
      place->moveAfter(place.getSource().getDefiningOp());
      copy.erase();
      buffer->replaceAllUsesWith(place);
      buffer->erase();
    });
  }
};
} // namespace
