//===- GpuGroup.cpp - The parts of a chain in a block ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuViews.h"
#include "IntegerOperand.h"
#include "TargetError.h"

#include "baco/Analysis/RowChain.h"
#include "baco/TransformOps/GpuOps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Hoisting.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/VectorInterfaces.h"

using namespace mlir;
using namespace baco;

/// Makes rows of matrices that don't stay in registers `padding` elements
/// longer.
static void padMatrices(RewriterBase &rewriter, const RowChain &chain,
                        int64_t padding) {
  for (Value buffer : listMatrices(chain)) {
    auto alloc = buffer.getDefiningOp<memref::AllocOp>();
    if (!alloc)
      continue;
    rewriter.setInsertionPoint(alloc);
    rewriter.replaceOp(alloc,
                       allocateBuffer(rewriter, alloc.getLoc(), alloc.getType(),
                                      padding, /*stages=*/1));
  }
}

DiagnosedSilenceableFailure
GpuGroupOp::apply(transform::TransformRewriter &rewriter,
                  transform::TransformResults &results,
                  transform::TransformState &state) {
  std::optional<int64_t> padding;
  DiagnosedSilenceableFailure read = readInteger(
      *this, "padding", getPadding(), getPaddingParam(), state, padding);
  if (!read.succeeded())
    return read;
  if (padding.value_or(0) < 0)
    return emitSilenceableError()
           << "the padding is " << *padding << ", but must not be negative";
  SmallVector<linalg::LinalgOp> ops;
  for (Operation *payload : state.getPayloadOps(getTarget())) {
    auto op = dyn_cast<linalg::LinalgOp>(payload);
    if (!op || !op.hasPureBufferSemantics())
      return refuseTarget(
          *this, payload,
          llvm::createStringError("only linalg ops on memrefs form a chain"));
    ops.push_back(op);
  }
  llvm::Expected<RowChain> chain = findRowChain(ops);
  if (!chain)
    return emitSilenceableError() << llvm::toString(chain.takeError());
  SmallVector<Operation *> elements(chain->elements.begin(),
                                    chain->elements.end()),
      rows;
  Operation *last = chain->product;
  for (const PlacedOp &placed : chain->rows.ops) {
    rows.push_back(placed.op);
    if (placed.op->isBeforeInBlock(chain->product)) {
      rewriter.moveOpAfter(placed.op, last);
      last = placed.op;
    }
  }
  if (padding.value_or(0) > 0)
    padMatrices(rewriter, *chain, *padding);
  results.set(cast<OpResult>(getElements()), elements);
  results.set(cast<OpResult>(getProduct()), {chain->product.getOperation()});
  results.set(cast<OpResult>(getRows()), rows);
  return DiagnosedSilenceableFailure::success();
}

LogicalResult GpuGroupOp::verify() {
  return verifyInteger(*this, "padding", getPadding(), getPaddingParam(),
                       "padding", /*isNeeded=*/false);
}

//===----------------------------------------------------------------------===//
// gpu_hoist
//===----------------------------------------------------------------------===//

/// Whether `op`, or one in it, may access what `memory` is.
static bool accesses(Operation *op, Value memory) {
  return op
      ->walk([&](Operation *inner) {
        return llvm::is_contained(inner->getOperands(), memory)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `first` and `second` are of the same elements.
static bool areAlike(VectorTransferOpInterface first,
                     VectorTransferOpInterface second) {
  return first && first.getBase() == second.getBase() &&
         first.getIndices() == second.getIndices() && !first.getMask() &&
         !second.getMask() && first.getVectorType() == second.getVectorType() &&
         first.getPermutationMap() == second.getPermutationMap() &&
         !first.hasOutOfBoundsDim() && !second.hasOutOfBoundsDim();
}

/// Takes what `read` reads from the store before it, if nothing accesses its
/// buffer between them: upstream's forwarding knows nothing of other threads. A
/// store whose elements are set again before anything accesses the buffer goes.
static void forwardStore(RewriterBase &rewriter, vector::TransferReadOp read) {
  Value buffer = read.getBase();
  Operation *allocation = buffer.getDefiningOp();
  // Others may have other names for the memory.
  bool isBuffer = isa_and_present<memref::AllocOp>(allocation) ||
                  isa<BlockArgument>(buffer);
  if (!isBuffer || !gpu::GPUDialect::isWorkgroupMemoryAddressSpace(
                       cast<MemRefType>(buffer.getType()).getMemorySpace()))
    return;
  for (Operation *user : buffer.getUsers())
    if (!isa<vector::TransferReadOp, vector::TransferWriteOp>(user))
      return;
  Operation *before = read->getPrevNode();
  while (before && !accesses(before, buffer))
    before = before->getPrevNode();
  auto store = dyn_cast_or_null<vector::TransferWriteOp>(before);
  if (!store || !areAlike(store, read))
    return;
  rewriter.replaceOp(read, store.getValueToStore());
  Operation *after = store->getNextNode();
  while (after && !accesses(after, buffer))
    after = after->getNextNode();
  if (auto next = dyn_cast_or_null<vector::TransferWriteOp>(after);
      next && areAlike(next, store))
    rewriter.eraseOp(store);
}

/// Hoists in `launch`, whose views of dynamic shared memory are allocations for
/// that time: gpu_map makes them of different bytes.
static void hoistSums(RewriterBase &rewriter, gpu::LaunchOp launch) {
  SmallVector<std::pair<memref::ViewOp, memref::AllocOp>> buffers;
  launch.walk([&](memref::ViewOp view) {
    if (!view.getSource().getDefiningOp<gpu::DynamicSharedMemoryOp>())
      return;
    rewriter.setInsertionPointAfter(view);
    auto buffer =
        memref::AllocOp::create(rewriter, view.getLoc(), view.getType());
    rewriter.replaceAllUsesWith(view.getResult(), buffer.getResult());
    buffers.push_back({view, buffer});
  });
  linalg::hoistRedundantVectorTransfers(launch);
  SmallVector<vector::TransferReadOp> reads;
  launch.walk([&](vector::TransferReadOp read) { reads.push_back(read); });
  for (vector::TransferReadOp read : reads)
    forwardStore(rewriter, read);
  for (auto [view, buffer] : buffers)
    rewriter.replaceOp(buffer, view);
}

DiagnosedSilenceableFailure
GpuHoistOp::apply(transform::TransformRewriter &rewriter,
                  transform::TransformResults &results,
                  transform::TransformState &state) {
  SmallVector<Operation *> functions;
  for (Operation *payload : state.getPayloadOps(getTarget())) {
    SmallVector<gpu::LaunchOp> launches;
    payload->walk([&](gpu::LaunchOp launch) { launches.push_back(launch); });
    for (gpu::LaunchOp launch : launches)
      hoistSums(rewriter, launch);
    functions.push_back(payload);
  }
  results.set(cast<OpResult>(getTransformed()), functions);
  return DiagnosedSilenceableFailure::success();
}
