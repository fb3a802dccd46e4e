//===- GpuFuse.cpp - Producers in shared memory ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Producers are tiled to the needs of their reader's tile, from the last one to
// the first, and then distributed over threads, element by element.
//
//===----------------------------------------------------------------------===//

#include "GpuCopies.h"
#include "TargetError.h"

#include "baco/Analysis/BufferedProducers.h"
#include "baco/TransformOps/GpuOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace baco;

//===----------------------------------------------------------------------===//
// gpu_fuse
//===----------------------------------------------------------------------===//

/// Whether two indices are computed in the same way.
static bool isSame(OpFoldResult a, OpFoldResult b) {
  if (a == b)
    return true;
  auto valueOf = [](OpFoldResult index) {
    auto value = dyn_cast<Value>(index);
    return value ? value.getDefiningOp<affine::AffineApplyOp>()
                 : affine::AffineApplyOp();
  };
  affine::AffineApplyOp first = valueOf(a), second = valueOf(b);
  return first && second && first.getMap() == second.getMap() &&
         first.getOperands() == second.getOperands();
}

namespace {
/// The part of a buffer that is read, and its copy in shared memory.
struct Tile {
  SmallVector<OpFoldResult> offsets, sizes;
  Value shared;
};

class ProducerFusion {
public:
  ProducerFusion(RewriterBase &rewriter, linalg::LinalgOp consumer,
                 const BufferedProducers &producers)
      : rewriter(rewriter), consumer(consumer), producers(producers) {}

  llvm::Expected<SmallVector<Operation *>> fuse() {
    if (llvm::Error error = redirectInputs(consumer))
      return error;
    Operation *reader = consumer;
    SmallVector<Operation *> moved;
    for (linalg::LinalgOp op : llvm::reverse(producers.ops)) {
      rewriter.setInsertionPoint(reader);
      llvm::Expected<linalg::LinalgOp> tiled = move(op);
      if (!tiled)
        return tiled.takeError();
      if (llvm::Error error = redirectInputs(*tiled))
        return error;
      reader = *tiled;
      moved.push_back(reader);
    }
    removeBuffers();
    std::reverse(moved.begin(), moved.end());
    return moved;
  }

private:
  /// Lets `op` read tiles in shared memory.
  llvm::Error redirectInputs(linalg::LinalgOp op) {
    for (OpOperand *input : op.getDpsInputOperands()) {
      SmallVector<memref::SubViewOp> views;
      Value buffer = input->get();
      while (auto view = buffer.getDefiningOp<memref::SubViewOp>()) {
        views.push_back(view);
        buffer = view.getSource();
      }
      if (!producers.buffers.contains(buffer))
        continue;
      rewriter.setInsertionPoint(op);
      llvm::Expected<Value> shared =
          share(buffer, cast<MemRefType>(input->get().getType()), views);
      if (!shared)
        return shared.takeError();
      rewriter.modifyOpInPlace(op, [&] { input->set(*shared); });
    }
    return llvm::Error::success();
  }

  /// The tile of `buffer` that is a view of a view of it, in shared memory.
  llvm::Expected<Value> share(Value buffer, MemRefType type,
                              ArrayRef<memref::SubViewOp> views) {
    bool isPlain =
        type.hasStaticShape() &&
        type.getRank() == cast<MemRefType>(buffer.getType()).getRank();
    Tile tile;
    tile.sizes = getAsIndexOpFoldResult(rewriter.getContext(), type.getShape());
    tile.offsets.assign(type.getRank(), rewriter.getIndexAttr(0));
    for (memref::SubViewOp view : views) {
      isPlain &= view.hasUnitStride() &&
                 view.getSourceType().getRank() == view.getType().getRank();
      if (!isPlain)
        break;
      for (auto [sum, offset] :
           llvm::zip_equal(tile.offsets, view.getMixedOffsets())) {
        AffineExpr a = rewriter.getAffineDimExpr(0),
                   b = rewriter.getAffineDimExpr(1);
        sum = affine::makeComposedFoldedAffineApply(rewriter, view.getLoc(),
                                                    a + b, {sum, offset});
      }
    }
    if (!isPlain)
      return llvm::createStringError(
          "a tile of a buffer is not of static shape, or not contiguous");
    auto [known, isNew] = tiles.try_emplace(buffer, tile);
    if (isNew) {
      auto space = gpu::AddressSpaceAttr::get(
          rewriter.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(consumer->getBlock());
      known->second.shared = memref::AllocOp::create(
          rewriter, consumer.getLoc(),
          MemRefType::get(type.getShape(), type.getElementType(),
                          MemRefLayoutAttrInterface(), space));
    } else if (known->second.sizes != tile.sizes ||
               !llvm::equal(known->second.offsets, tile.offsets, isSame)) {
      return llvm::createStringError("different tiles of one buffer are read");
    }
    return known->second.shared;
  }

  /// Computes the tiles of the buffers that `op` writes.
  llvm::Expected<linalg::LinalgOp> move(linalg::LinalgOp op) {
    for (Value result : op.getDpsInits())
      if (!tiles.contains(result))
        return llvm::createStringError(
            "an op writes a buffer that nobody reads");
    const Tile &tile = tiles[op.getDpsInits().front()];
    SmallVector<OpFoldResult> offsets(op.getNumLoops(),
                                      rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> sizes =
        getAsIndexOpFoldResult(rewriter.getContext(), op.getStaticLoopRanges());
    for (auto [i, dim] : llvm::enumerate(
             op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getResults())) {
      unsigned iterator = cast<AffineDimExpr>(dim).getPosition();
      offsets[iterator] = tile.offsets[i];
      sizes[iterator] = tile.sizes[i];
    }
    auto tiled = cast<TilingInterface>(op.getOperation())
                     .getTiledImplementation(rewriter, offsets, sizes);
    if (failed(tiled))
      return llvm::createStringError(
          "an op that computes an input can't be tiled");
    auto moved = cast<linalg::LinalgOp>(tiled->tiledOps.front());
    for (auto [of, result] :
         llvm::zip_equal(op.getDpsInitsMutable(), moved.getDpsInitsMutable())) {
      const Tile &own = tiles[of.get()];
      AffineMap map = op.getMatchingIndexingMap(&of);
      for (auto [i, dim] : llvm::enumerate(map.getResults())) {
        unsigned iterator = cast<AffineDimExpr>(dim).getPosition();
        if (isSame(own.offsets[i], offsets[iterator]) &&
            own.sizes[i] == sizes[iterator])
          continue;
        return llvm::createStringError(
            "different tiles of what one op writes are read");
      }
      rewriter.modifyOpInPlace(
          moved, [&, &result = result] { result.set(own.shared); });
    }
    return moved;
  }

  /// Erases the ops that computed the buffers as a whole.
  void removeBuffers() {
    for (linalg::LinalgOp op : llvm::reverse(producers.ops))
      rewriter.eraseOp(op);
    for (Value buffer : producers.buffers) {
      removeViews(buffer);
      if (buffer.use_empty())
        rewriter.eraseOp(buffer.getDefiningOp());
    }
  }

  /// Erases unused views of `value`, and ops that free it.
  void removeViews(Value value) {
    for (Operation *user : llvm::make_early_inc_range(value.getUsers())) {
      if (isa<memref::SubViewOp>(user))
        removeViews(user->getResult(0));
      if (user->use_empty())
        rewriter.eraseOp(user);
    }
  }

  RewriterBase &rewriter;
  linalg::LinalgOp consumer;
  const BufferedProducers &producers;
  llvm::DenseMap<Value, Tile> tiles;
};
} // namespace

DiagnosedSilenceableFailure
GpuFuseOp::apply(transform::TransformRewriter &rewriter,
                 transform::TransformResults &results,
                 transform::TransformState &state) {
  SmallVector<Operation *> computed;
  for (Operation *payload : state.getPayloadOps(getTarget())) {
    auto op = dyn_cast<linalg::LinalgOp>(payload);
    Operation *nest = payload;
    while (nest->getParentOp() &&
           !isa<FunctionOpInterface>(nest->getParentOp()))
      nest = nest->getParentOp();
    if (!op || !op.hasPureBufferSemantics() || nest == payload ||
        !nest->getParentOp())
      return refuseTarget(
          *this, payload,
          llvm::createStringError(
              "only linalg ops on memrefs in loops read tiles"));
    llvm::Expected<BufferedProducers> producers = findBufferedProducers(
        op, nest, getRows() ? ProducerScope::Rows : ProducerScope::Inputs);
    if (!producers)
      return refuseTarget(*this, payload, producers.takeError());
    llvm::Expected<SmallVector<Operation *>> moved =
        ProducerFusion(rewriter, op, *producers).fuse();
    if (!moved)
      return refuseTarget(*this, payload, moved.takeError());
    llvm::append_range(computed, *moved);
  }
  results.set(cast<OpResult>(getComputed()), computed);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// gpu_compute
//===----------------------------------------------------------------------===//

/// Whether `op` writes `value` in the order in which its elements are given to
/// threads.
static bool writesInOrder(linalg::LinalgOp op, Value value) {
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &result) {
    return result.get() != value ||
           op.getMatchingIndexingMap(&result) ==
               op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  });
}

/// Whether a thread can't do its part of `second` before others have done
/// theirs of `first`. A thread has the same elements of a buffer that both only
/// write, as a fill and a sum do.
static bool mustWait(linalg::LinalgOp first, linalg::LinalgOp second) {
  auto reads = [](linalg::LinalgOp op, Value value) {
    return llvm::is_contained(op.getDpsInputs(), value);
  };
  return llvm::any_of(first->getOperands(), [&](Value value) {
    bool isResult = llvm::is_contained(first.getDpsInits(), value);
    bool isResultToo = llvm::is_contained(second.getDpsInits(), value);
    if (isResult && isResultToo && !reads(first, value) &&
        !reads(second, value))
      return !writesInOrder(first, value) || !writesInOrder(second, value);
    return (isResult && reads(second, value)) ||
           (isResultToo && reads(first, value));
  });
}

namespace {
/// Distributes an op.
class ElementWriter {
public:
  ElementWriter(RewriterBase &rewriter, linalg::LinalgOp op,
                const Threads &threads)
      : rewriter(rewriter), op(op), threads(threads) {
    ranges = op.getStaticLoopRanges();
    AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    for (AffineExpr dim : map.getResults())
      iterators.push_back(cast<AffineDimExpr>(dim).getPosition());
  }

  LogicalResult write() {
    int64_t numElements = 1;
    for (unsigned iterator : iterators)
      numElements *= ranges[iterator];
    int64_t numFull = numElements / threads.count;
    rewriter.setInsertionPoint(op);
    if (numFull > 0) {
      auto loop = scf::ForOp::create(rewriter, op.getLoc(), constant(0),
                                     constant(numFull), constant(1));
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(loop.getBody());
      if (failed(writeElement(loop.getInductionVar())))
        return failure();
    }
    // Not all threads have one of the rest.
    if (int64_t numLeft = numElements % threads.count; numLeft > 0) {
      Value isLeft = arith::CmpIOp::create(rewriter, op.getLoc(),
                                           arith::CmpIPredicate::ult,
                                           threads.number, constant(numLeft));
      auto rest = scf::IfOp::create(rewriter, op.getLoc(), isLeft);
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(rest.thenBlock());
      if (failed(writeElement(constant(numFull))))
        return failure();
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, op.getLoc(), value);
  }

  /// Writes the code of this thread in a turn.
  LogicalResult writeElement(Value turn) {
    Location loc = op.getLoc();
    Value rest = arith::AddIOp::create(
        rewriter, loc,
        arith::MulIOp::create(rewriter, loc, turn, constant(threads.count)),
        threads.number);
    SmallVector<OpFoldResult> offsets(ranges.size(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> sizes =
        getAsIndexOpFoldResult(rewriter.getContext(), ranges);
    for (unsigned iterator : llvm::reverse(iterators)) {
      Value extent = constant(ranges[iterator]);
      bool isFirst = iterator == iterators.front();
      offsets[iterator] =
          isFirst
              ? rest
              : arith::RemUIOp::create(rewriter, loc, rest, extent).getResult();
      if (!isFirst)
        rest = arith::DivUIOp::create(rewriter, loc, rest, extent);
      sizes[iterator] = rewriter.getIndexAttr(1);
    }
    // A view of one element would keep upstream from hoisting transfers.
    if (auto fill = dyn_cast<linalg::FillOp>(op.getOperation())) {
      memref::StoreOp::create(
          rewriter, loc, fill.value(), fill.output(),
          getValueOrCreateConstantIndexOp(rewriter, loc, offsets));
      return success();
    }
    return cast<TilingInterface>(op.getOperation())
        .getTiledImplementation(rewriter, offsets, sizes);
  }

  RewriterBase &rewriter;
  linalg::LinalgOp op;
  Threads threads;
  SmallVector<int64_t> ranges;
  /// The iterators that index the results.
  SmallVector<unsigned> iterators;
};
} // namespace

/// Puts barriers around the ops of a launch, and between them.
static void writeBarriers(RewriterBase &rewriter,
                          ArrayRef<linalg::LinalgOp> ops) {
  SmallVector<bool> follows(ops.size() + 1, false);
  for (size_t i = 1; i < ops.size(); ++i)
    follows[i] = isNextTo(ops[i - 1], ops[i]);
  size_t first = 0;
  for (size_t i = 0; i < ops.size(); ++i) {
    linalg::LinalgOp op = ops[i];
    if (!follows[i]) {
      first = i;
      rewriter.setInsertionPoint(op);
      if (isRepeated(op, op->getParentOfType<gpu::LaunchOp>()))
        gpu::BarrierOp::create(rewriter, op.getLoc());
    }
    if (follows[i + 1] && llvm::none_of(ops.slice(first, i + 1 - first),
                                        [&](linalg::LinalgOp earlier) {
                                          return mustWait(earlier, ops[i + 1]);
                                        }))
      continue;
    first = i + 1;
    rewriter.setInsertionPointAfter(op);
    gpu::BarrierOp::create(rewriter, op.getLoc());
  }
}

static LogicalResult distribute(RewriterBase &rewriter,
                                ArrayRef<linalg::LinalgOp> ops) {
  writeBarriers(rewriter, ops);
  gpu::LaunchOp launchBefore;
  Threads threads;
  for (linalg::LinalgOp op : ops) {
    auto launch = op->getParentOfType<gpu::LaunchOp>();
    if (launch != launchBefore)
      threads = numberThreads(rewriter, launch, *countThreads(launch));
    launchBefore = launch;
    if (failed(ElementWriter(rewriter, op, threads).write()))
      return failure();
  }
  return success();
}

DiagnosedSilenceableFailure
GpuComputeOp::apply(transform::TransformRewriter &rewriter,
                    transform::TransformResults &results,
                    transform::TransformState &state) {
  SmallVector<linalg::LinalgOp> ops;
  for (Operation *payload : state.getPayloadOps(getTarget())) {
    auto op = dyn_cast<linalg::LinalgOp>(payload);
    auto launch = payload->getParentOfType<gpu::LaunchOp>();
    bool isFit = op && op.hasPureBufferSemantics() && launch &&
                 countThreads(launch) && op.getNumDpsInits() > 0 &&
                 llvm::none_of(op.getStaticLoopRanges(), ShapedType::isDynamic);
    if (isFit) {
      AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
      isFit = map.isProjectedPermutation() &&
              map.getNumResults() == op.getNumParallelLoops();
    }
    if (!isFit) {
      DiagnosedSilenceableFailure failure =
          emitSilenceableError()
          << "only linalg ops on memrefs of static shape, whose results are "
             "indexed by their parallel iterators, in a 'gpu.launch' of "
             "constantly many threads can be distributed";
      failure.attachNote(payload->getLoc()) << "the target is this";
      return failure;
    }
    ops.push_back(op);
  }
  if (failed(distribute(rewriter, ops)))
    return emitDefiniteFailure() << "an op can't be tiled";
  return DiagnosedSilenceableFailure::success();
}
