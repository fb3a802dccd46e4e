//===- PrepareNest.cpp - Nests in the form that is read -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/LoopNest/PrepareNest.h"
#include "baco/IR/Structured.h"
#include "baco/IR/Walk.h"
#include "baco/LoopNest/ExpandSoftmax.h"
#include "baco/LoopNest/LoopBounds.h"

#include "mlir/Dialect/Affine/Analysis/Utils.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-prepare-nest"

using namespace mlir;
using namespace baco;

bool loopnest::canHoist(Operation *op, Operation *first) {
  if (op->getNumRegions() > 0 ||
      !(isMemoryEffectFree(op) || isa<memref::AllocOp, memref::AllocaOp>(op)))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation *def = operand.getDefiningOp();
    return !def || def->getBlock() != first->getBlock() ||
           def->isBeforeInBlock(first);
  });
}

/// The ops from `first` to `last`, and in these.
template <typename OpT>
static SmallVector<OpT> findBetween(Operation *first, Operation *last) {
  SmallVector<OpT> ops;
  for (Operation &op : opsFrom(first, last))
    op.walk([&](OpT found) { ops.push_back(found); });
  return ops;
}

/// Replaces each softmax from `first` to `last` by linalg ops. Its buffers are
/// freed behind all.
static LogicalResult
lowerSoftmaxes(RewriterBase &rewriter, Operation *&first, Operation *&last,
               function_ref<void(Operation *, const Twine &)> fail) {
  auto ops = findBetween<linalg::SoftmaxOp>(first, last);
  for (linalg::SoftmaxOp op : ops)
    if (op->getBlock() != first->getBlock() || !loopnest::canExpand(op)) {
      fail(op, isOnTensors(op) ? "this op works on tensors: bufferize it first"
               : loopnest::canExpand(op)
                   ? "a softmax in a loop needs buffers and can't be part of a "
                     "nest: restructure it alone"
                   : "only a softmax of floating-point numbers can be lowered "
                     "to loops");
      return failure();
    }
  SmallVector<Operation *> deallocations;
  for (linalg::SoftmaxOp op : ops) {
    bool isFirst = op == first, isLast = op == last;
    loopnest::ExpandedSoftmax expanded = loopnest::expandSoftmax(rewriter, op);
    first = isFirst ? expanded.ops.front() : first;
    last = isLast ? expanded.ops.back() : last;
    deallocations.append(expanded.deallocations);
  }
  for (Operation *op : deallocations)
    if (op->isBeforeInBlock(last))
      op->moveAfter(last);
  return success();
}

/// Subscripts that are iterators become these: a copy is a load and a store.
static void dropIdentities(RewriterBase &rewriter, Operation *nest) {
  nest->walk([&](affine::AffineApplyOp apply) {
    AffineMap map = apply.getAffineMap();
    if (map.isIdentity() && map.getNumDims() == 1)
      rewriter.replaceOp(apply, apply.getMapOperands().front());
  });
}

/// Replaces the linalg ops from `first` to `last`, and in what is there, by
/// affine loops in the order of their iterators, one nest with a statement for
/// each output.
static LogicalResult
lowerLinalg(RewriterBase &rewriter, Operation *&first, Operation *&last,
            function_ref<void(Operation *, const Twine &)> fail) {
  auto ops = findBetween<linalg::LinalgOp>(first, last);
  for (linalg::LinalgOp op : ops)
    if (!isOnMemRefs(op) || countIterators(op) == 0) {
      fail(op, op.hasPureBufferSemantics()
                   ? "this op can't be lowered to loops"
                   : "this op works on tensors: bufferize it first");
      return failure();
    }
  for (linalg::LinalgOp op : ops) {
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::LinalgLoops> loops =
        linalg::linalgOpToAffineLoops(rewriter, op);
    if (failed(loops) || loops->empty()) {
      fail(op, "this op can't be lowered to loops");
      return failure();
    }
    LDBG() << "lowered " << op->getName() << " at " << op->getLoc() << " to "
           << loops->size() << " loops";
    first = op == first ? loops->front() : first;
    last = op == last ? loops->front() : last;
    rewriter.eraseOp(op);
    dropIdentities(rewriter, loops->front());
  }
  return success();
}

static void hoistBetween(Operation *first, Operation *last) {
  if (first == last)
    return;
  for (Operation *op = first->getNextNode(), *next; op != last; op = next) {
    next = op->getNextNode();
    if (loopnest::canHoist(op, first))
      op->moveBefore(first);
  }
}

/// The depth of the nest `op`.
static unsigned countNested(Operation *op) {
  unsigned most = 0, around = affine::getNestingDepth(op);
  op->walk([&](affine::AffineForOp loop) {
    most = std::max(most, affine::getNestingDepth(loop) + 1 - around);
  });
  return most;
}

/// Leaves the body of `loop`, which has one iteration and carries no values.
/// (Upstream's promoteIfSingleIteration knows no rewriter.)
static void dropLoop(RewriterBase &rewriter, affine::AffineForOp loop) {
  rewriter.setInsertionPointToStart(
      &loop->getParentOfType<FunctionOpInterface>().getFunctionBody().front());
  Value first = arith::ConstantIndexOp::create(rewriter, loop.getLoc(),
                                               loop.getConstantLowerBound());
  rewriter.eraseOp(loop.getBody()->getTerminator());
  rewriter.inlineBlockBefore(loop.getBody(), loop, first);
  rewriter.eraseOp(loop);
}

/// Checks that `nest` isn't too deep for isl. In a deeper one, loops that run
/// once don't count as loops, and have no number in commands.
static LogicalResult
limitDepth(RewriterBase &rewriter, Operation *nest,
           function_ref<void(Operation *, const Twine &)> fail) {
  if (countNested(nest) <= loopnest::maxDepth)
    return success();
  nest->walk([&](affine::AffineForOp loop) {
    if (loop != nest && loop.hasConstantLowerBound() &&
        loopnest::constantTripCount(loop) == 1)
      dropLoop(rewriter, loop);
  });
  unsigned depth = countNested(nest);
  if (depth <= loopnest::maxDepth)
    return success();
  fail(nest, "it is " + Twine(depth) + " loops deep, but at most " +
                 Twine(loopnest::maxDepth) +
                 " can be reordered: outline or unroll inner loops");
  return failure();
}

LogicalResult
loopnest::prepareNest(RewriterBase &rewriter, Operation *&first,
                      Operation *&last,
                      function_ref<void(Operation *, const Twine &)> fail) {
  if (failed(lowerSoftmaxes(rewriter, first, last, fail)) ||
      failed(lowerLinalg(rewriter, first, last, fail)))
    return failure();
  hoistBetween(first, last);
  LDBG() << "prepares the ops from " << first->getLoc() << " to "
         << last->getLoc();
  SmallVector<Operation *> ops;
  for (Operation &op : opsFrom(first, last))
    ops.push_back(&op);
  for (auto [index, op] : llvm::enumerate(ops)) {
    Operation *before = op->getPrevNode();
    Operation *raised = raiseToAffine(rewriter, op);
    raiseConditionals(rewriter, raised);
    raised = demoteCarriedValues(rewriter, raised);
    // Tiles and vectors are of iterations, however far apart these are. (Not
    // of a loop that starts at a maximum, which has no affine name.)
    raised->walk([](affine::AffineForOp loop) {
      if (loop.getStepAsInt() > 1)
        (void)affine::normalizeAffineFor(loop);
    });
    if (failed(limitDepth(rewriter, raised, fail)))
      return failure();
    // Demotion stores first values in front of the loop and loads last ones
    // behind it. Its scratch arrays come first in the function.
    Block::iterator begin =
        before ? std::next(before->getIterator()) : raised->getBlock()->begin();
    while (isa<memref::AllocOp>(begin))
      ++begin;
    if (index == 0)
      first = raised == op ? op : &*begin;
    if (index + 1 == ops.size())
      last = raised;
  }
  return success();
}
