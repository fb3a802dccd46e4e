//===- ZeroPoints.cpp - Quantised ops without zero points -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ZeroPoints.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-zero-points"

using namespace mlir;
using namespace baco;

/// Replaces `op` if it is a `Quantized`.
template <typename Quantized, typename Plain>
static bool replace(RewriterBase &rewriter, linalg::LinalgOp op) {
  auto quantized = dyn_cast<Quantized>(op.getOperation());
  if (!quantized)
    return false;
  rewriter.setInsertionPoint(op);
  ValueRange factors = quantized.getInputs().take_front(2);
  if constexpr (requires { quantized.getStrides(); })
    Plain::create(rewriter, op.getLoc(), TypeRange(), factors,
                  quantized.getOutputs(), quantized.getStridesAttr(),
                  quantized.getDilationsAttr());
  else
    Plain::create(rewriter, op.getLoc(), TypeRange(), factors,
                  quantized.getOutputs());
  LDBG() << "the zero points of the op at " << op.getLoc() << " are zero";
  rewriter.eraseOp(op);
  return true;
}

static bool hasZeroPointsOfZero(linalg::LinalgOp op) {
  return op.hasPureBufferSemantics() && op.getNumDpsInputs() == 4 &&
         llvm::all_of(llvm::drop_begin(op.getDpsInputs(), 2), [](Value value) {
           return matchPattern(value, m_Zero());
         });
}

int64_t schedule::dropZeroPoints(RewriterBase &rewriter,
                                 func::FuncOp function) {
  int64_t count = 0;
  for (auto op : llvm::to_vector(function.getOps<linalg::LinalgOp>()))
    if (hasZeroPointsOfZero(op))
      count +=
          replace<linalg::Conv2DNhwcHwcfQOp, linalg::Conv2DNhwcHwcfOp>(rewriter,
                                                                       op) ||
          replace<linalg::Conv2DNhwcFhwcQOp, linalg::Conv2DNhwcFhwcOp>(rewriter,
                                                                       op) ||
          replace<linalg::Conv2DNchwFchwQOp, linalg::Conv2DNchwFchwOp>(rewriter,
                                                                       op) ||
          replace<linalg::DepthwiseConv2DNhwcHwcQOp,
                  linalg::DepthwiseConv2DNhwcHwcOp>(rewriter, op) ||
          replace<linalg::DepthwiseConv2DNhwcHwcmQOp,
                  linalg::DepthwiseConv2DNhwcHwcmOp>(rewriter, op) ||
          replace<linalg::QuantizedMatmulOp, linalg::MatmulOp>(rewriter, op) ||
          replace<linalg::QuantizedBatchMatmulOp, linalg::BatchMatmulOp>(
              rewriter, op);
  return count;
}
