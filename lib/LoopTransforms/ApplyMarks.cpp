//===- ApplyMarks.cpp - Vectors, unrolled loops, parallel loops -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorParts.h"
#include "baco/LoopNest/Restructure.h"
#include "baco/LoopTransforms/LoopTransforms.h"

#include "baco/LoopNest/FunctionMemory.h"
#include "baco/LoopNest/LoopBounds.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-apply-marks"

using namespace mlir;
using namespace baco::loopnest;

/// Buffers that are filled in each iteration of a loop become local to it.
static void giveOwnBuffers(MarkedLoop &marked, ArrayRef<NestBuffer> buffers) {
  Block *body = marked.loop.getBody();
  for (const NestBuffer &buffer : buffers) {
    if (buffer.loop <= marked.number)
      continue;
    auto isInside = [&](OpOperand &use) {
      return marked.loop->isProperAncestor(use.getOwner());
    };
    if (llvm::none_of(buffer.memref.getUses(), isInside))
      continue;
    OpBuilder builder(body, body->begin());
    Operation *own = builder.clone(*buffer.memref.getDefiningOp());
    Value(buffer.memref).replaceUsesWithIf(own->getResult(0), isInside);
    builder.setInsertionPoint(body->getTerminator());
    memref::DeallocOp::create(builder, own->getLoc(), own->getResult(0));
  }
}

/// Shared buffers of which every parallel loop has its own copy are erased.
static void eraseUnused(SmallVectorImpl<NestBuffer> &buffers) {
  for (NestBuffer &buffer : buffers)
    if (llvm::all_of(buffer.memref.getUsers(),
                     llvm::IsaPred<memref::DeallocOp>))
      eraseWithUsers(buffer.memref.getDefiningOp());
  buffers.clear();
}

/// Lanes that aren't loaded become zeros. Nothing reads them, but they are
/// computed with, and what a register happens to hold may be denormal numbers,
/// with which a multiply-add takes a hundred times as long.
static void clearMaskedLanes(ArrayRef<Operation *> nest) {
  llvm::SetVector<Operation *> replaced;
  for (Operation *op : nest)
    op->walk([&](vector::MaskedLoadOp load) {
      auto poison = load.getPassThru().getDefiningOp<ub::PoisonOp>();
      if (!poison)
        return;
      OpBuilder builder(poison);
      load.getPassThruMutable().assign(arith::ConstantOp::create(
          builder, poison.getLoc(), builder.getZeroAttr(load.getType())));
      replaced.insert(poison);
    });
  for (Operation *poison : replaced)
    if (poison->use_empty())
      poison->erase();
}

LogicalResult baco::loopnest::applyMarks(RestructuredNest &nest) {
  if (nest.ops.empty())
    return success();
  for (const MarkedLoop &marked : nest.marked)
    LDBG() << "loop made at " << marked.loop->getLoc() << ": vectors of "
           << marked.vectorWidth << ", unrolled: " << marked.unroll
           << ", parallel: " << marked.parallel << ", prefetch "
           << marked.prefetch << " ahead";
  // Loops are replaced, and neighbors such as the release of a buffer erased,
  // so the nest is what is between two marks.
  OpBuilder builder(nest.ops.front());
  Location loc = nest.ops.front()->getLoc();
  Operation *begin = arith::ConstantIndexOp::create(builder, loc, 0);
  builder.setInsertionPointAfter(nest.ops.back());
  Operation *end = arith::ConstantIndexOp::create(builder, loc, 0);
  llvm::scope_exit eraseMarks([&] {
    begin->erase();
    end->erase();
  });
  auto collect = [&] {
    nest.ops.clear();
    for (Operation &op :
         llvm::make_range(std::next(begin->getIterator()), end->getIterator()))
      nest.ops.push_back(&op);
  };
  // The loop itself may be replaced until its vectors are known.
  for (MarkedLoop &marked : nest.marked)
    if (marked.prefetch > 0)
      markForPrefetch(marked.loop, marked.prefetch);
  LogicalResult result = success();
  // Loops in loops before those around them.
  auto forEach = [&](auto change) {
    for (MarkedLoop &marked : llvm::reverse(nest.marked))
      if (succeeded(result))
        result = change(marked);
  };
  // Sums are found best while they are scalars.
  forEach([&](MarkedLoop &marked) {
    if (!marked.parallel)
      return success();
    SmallVector<Value> own;
    for (const NestBuffer &buffer : nest.buffers)
      if (buffer.loop > marked.number)
        own.push_back(buffer.memref);
    return sumInParts(marked.loop, own);
  });
  forEach([](MarkedLoop &marked) {
    if (marked.vectorWidth == 0 ||
        succeeded(transposeCopy(marked.loop, marked.vectorWidth)))
      return success();
    return vectorizeLoop(marked.loop, marked.vectorWidth);
  });
  forEach([](MarkedLoop &marked) {
    // A remainder may have any number of iterations.
    bool canUnroll =
        marked.unroll && marked.vectorWidth == 0 &&
        constantTripCount(marked.loop).value_or(maxUnrolledCopies + 1) <=
            maxUnrolledCopies;
    return canUnroll ? unrollFully(marked.loop) : success();
  });
  forEach([&](MarkedLoop &marked) {
    if (!marked.parallel || marked.unroll || marked.vectorWidth > 0)
      return success();
    giveOwnBuffers(marked, nest.buffers);
    return affine::affineParallelize(marked.loop);
  });
  eraseUnused(nest.buffers);
  nest.marked.clear();
  replaceWithScalars(begin, end);
  collect();
  for (Operation *op : SmallVector<Operation *>(nest.ops))
    widenReductions(op);
  collect();
  for (Operation *op : nest.ops)
    prefetchMarked(op);
  clearMaskedLanes(nest.ops);
  collect();
  return result;
}
