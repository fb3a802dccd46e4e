//===- SparseLoops.cpp - Around upstream's sparsifier ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseLoops.h"

#include "baco/IR/SparseEncoding.h"
#include "baco/IR/SparsifierOptions.h"
#include "baco/IR/Walk.h"
#include "baco/LoopTransforms/LoopTransforms.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

//===----------------------------------------------------------------------===//
// Before
//===----------------------------------------------------------------------===//

void baco::target::generalizeSparseOps(Operation *root) {
  SmallVector<linalg::LinalgOp> named;
  root->walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp>(op) &&
        llvm::any_of(op->getOperandTypes(), baco::isSparse))
      named.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    // An op without a general form stays, and upstream reports it.
    (void)linalg::generalizeNamedOp(rewriter, op);
  }
}

/// The iterators of which sparse operands have blocks.
static llvm::SmallBitVector blockedIterators(linalg::GenericOp op) {
  llvm::SmallBitVector blocked(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    auto encoding = baco::encodingOf(operand.get().getType());
    if (!encoding || encoding.isPermutation())
      continue;
    AffineMap levels =
        encoding.getDimToLvl().compose(op.getMatchingIndexingMap(&operand));
    for (AffineExpr level : levels.getResults())
      for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
        if (!isa<AffineDimExpr>(level) && level.isFunctionOfDim(loop))
          blocked.set(loop);
  }
  return blocked;
}

void baco::target::releaseOrderOfBlocks(Operation *root) {
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) { ops.push_back(op); });
  IRRewriter rewriter(root->getContext());
  for (linalg::GenericOp op : ops) {
    llvm::SmallBitVector blocked = blockedIterators(op);
    if (blocked.none())
      continue;
    // With the attribute, upstream keeps the order of the iterators.
    op->removeAttr(baco::kSorted);
    SmallVector<unsigned> order;
    // Upstream crashes where an iterator with blocks comes before one without.
    for (bool isBlocked : {false, true})
      for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
        if (blocked[loop] == isBlocked)
          order.push_back(loop);
    rewriter.setInsertionPoint(op);
    // An op that can't be permuted stays, and upstream reports the error.
    if (!llvm::is_sorted(order))
      (void)linalg::interchangeGenericOp(rewriter, op, order);
  }
}

/// Checks one operand.
static LogicalResult checkLevelOrder(linalg::GenericOp op, OpOperand &operand) {
  auto encoding = baco::encodingOf(operand.get().getType());
  if (!encoding)
    return success();
  AffineMap levels =
      encoding.getDimToLvl().compose(op.getMatchingIndexingMap(&operand));
  std::optional<unsigned> above;
  for (auto [l, expression] : llvm::enumerate(levels.getResults())) {
    auto iterator = dyn_cast<AffineDimExpr>(expression);
    // Formats with blocks have an order of upstream's by now.
    if (!iterator)
      return success();
    // Upstream's sparsifier crashes at such an order.
    if (above && iterator.getPosition() <= *above)
      return op.emitError()
             << "iterator " << iterator.getPosition() << " visits level " << l
             << " of operand " << operand.getOperandNumber()
             << ", but is not inside iterator " << *above
             << ", which visits the level above; change the "
                "order of the iterators, or the format";
    above = iterator.getPosition();
  }
  return success();
}

LogicalResult baco::target::checkLevelOrder(Operation *root) {
  return visitAll<linalg::GenericOp>(
      root, [](linalg::GenericOp op) -> LogicalResult {
        // Without the attribute, upstream chooses an order that follows the
        // levels.
        if (!op->hasAttr(baco::kSorted))
          return success();
        for (OpOperand &operand : op->getOpOperands())
          if (failed(::checkLevelOrder(op, operand)))
            return failure();
        return success();
      });
}

//===----------------------------------------------------------------------===//
// After
//===----------------------------------------------------------------------===//

/// Whether `op` in `loop` writes memory of outside at a place that doesn't
/// depend on the loop.
static bool mayRace(Operation *op, scf::ParallelOp loop) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return false;
  SmallVector<MemoryEffects::EffectInstance> writes;
  effects.getEffects<MemoryEffects::Write>(writes);
  return llvm::any_of(writes, [&](const auto &write) {
    Value memory = write.getValue();
    // Memory that an iteration allocates is its own.
    if (!memory || loop->isAncestor(memory.getParentBlock()->getParentOp()))
      return false;
    return llvm::none_of(op->getOperands(), [&](Value operand) {
      return operand != memory &&
             getElementTypeOrSelf(operand.getType()).isIntOrIndex() &&
             baco::dependsOn(operand, loop);
    });
  });
}

LogicalResult baco::target::checkRaces(Operation *root) {
  return visitAll<scf::ParallelOp>(
      root, [](scf::ParallelOp loop) -> LogicalResult {
        // Upstream also makes outermost reductions parallel, and doesn't
        // synchronize their sums.
        if (!contains(loop, [&](Operation *op) { return mayRace(op, loop); }))
          return success();
        return emitError(loop.getLoc())
               << "the outermost loop would be parallel, but several of its "
                  "iterations may write one element; put a parallel iterator "
                  "outermost, or set 'baco.sparse_parallel' to \"none\"";
      });
}

void baco::target::relaxArithmetic(Operation *root) {
  root->walk([](vector::ReductionOp op) {
    // LLVM adds the lanes one after the other unless the order is free.
    op.setFastmath(op.getFastmath() | arith::FastMathFlags::reassoc);
  });
  root->walk([](func::FuncOp function) {
    // Only a schedule may round otherwise.
    if (function->hasAttr(kSparseVectorLength))
      loopnest::allowContraction(function);
  });
}

void baco::target::forwardWholeBuffers(Operation *root) {
  root->walk([](memref::SubViewOp view) {
    auto isAccess = [&](OpOperand &use) {
      return isa<memref::LoadOp, vector::LoadOp, vector::MaskedLoadOp,
                 vector::GatherOp>(use.getOwner());
    };
    // The rest of a buffer of rank 1 is behind the accessed elements.
    if (view.getSourceType().getRank() == 1 && view.getType().getRank() == 1 &&
        isConstantIntValue(view.getMixedOffsets().front(), 0) &&
        isConstantIntValue(view.getMixedStrides().front(), 1) &&
        llvm::all_of(view->getUses(), isAccess)) {
      view.replaceAllUsesWith(view.getSource());
      view.erase();
    }
  });
}
