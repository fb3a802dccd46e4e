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
#include "mlir/Dialect/Vector/Transforms/VectorTransforms.h"

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
  // What was stored before a loop is in registers, too.
  vector::transferOpflowOpt(rewriter, launch);
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
