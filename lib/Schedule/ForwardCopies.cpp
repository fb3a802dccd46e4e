//===- ForwardCopies.cpp - Results in the buffer of the whole -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-forward-copies"

namespace baco::target {
#define GEN_PASS_DEF_FORWARDCOPIESPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;

/// Whether offsets, sizes and strides of `view` are constants.
static bool isStatic(memref::SubViewOp view) {
  return view.getOffsets().empty() && view.getSizes().empty() &&
         view.getStrides().empty();
}

/// Whether two static parts of one buffer have no element in common, which is
/// so if their ranges in some dimension don't overlap.
static bool areDisjoint(memref::SubViewOp a, memref::SubViewOp b) {
  auto end = [](memref::SubViewOp view, unsigned d) {
    return view.getStaticOffset(d) +
           (view.getStaticSize(d) - 1) * view.getStaticStride(d);
  };
  for (unsigned d = 0; d < a.getSourceType().getRank(); ++d)
    if (end(a, d) < b.getStaticOffset(d) || end(b, d) < a.getStaticOffset(d))
      return true;
  return false;
}

/// Whether the memory that `user` is given may be reached by what it yields.
static bool mayYieldAlias(Operation *user) {
  return user->hasTrait<OpTrait::IsTerminator>() ||
         llvm::any_of(user->getResultTypes(),
                      llvm::IsaPred<BaseMemRefType, IndexType>);
}

/// Whether an op from `first` on and before `last`, both of one block, may
/// access elements of `part` by `buffer` or an alias of it.
static bool isAccessedBetween(mlir::Value buffer, memref::SubViewOp part,
                              Operation *first, Operation *last) {
  for (Operation *user : buffer.getUsers()) {
    auto view = dyn_cast<memref::SubViewOp>(user);
    if (view == part || (view && buffer == part.getSource() && isStatic(view) &&
                         areDisjoint(view, part)))
      continue;
    if (isa<ViewLikeOpInterface>(user)) {
      for (mlir::Value result : user->getResults())
        if (isAccessedBetween(result, part, first, last))
          return true;
      continue;
    }
    Operation *ancestor = first->getBlock()->findAncestorOpInBlock(*user);
    bool isBefore = !ancestor || ancestor->isBeforeInBlock(last);
    bool isEarly = ancestor && ancestor->isBeforeInBlock(first);
    if (isBefore && (!isEarly || mayYieldAlias(user)))
      return true;
  }
  return false;
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
  if (!place || !writer || !isStatic(place))
    return nullptr;
  auto whole = place.getSource().getDefiningOp<memref::AllocOp>();
  bool isEarly = whole && whole->getBlock() == copy->getBlock() &&
                 whole->isBeforeInBlock(writer);
  if (!isEarly || isAccessedBetween(whole, place, writer, copy))
    return nullptr;
  // The view is moved to its buffer, and must have no other users meanwhile.
  return place->hasOneUse() ? place : nullptr;
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
