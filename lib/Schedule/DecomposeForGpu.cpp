//===- DecomposeForGpu.cpp - Ops that become several kernels --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On a CPU these ops are parts of a nest, or calls; on a GPU each part is a
// launch.
//
//===----------------------------------------------------------------------===//

#include "baco/IR/BacoDialect.h"
#include "baco/IR/NoTune.h"
#include "baco/LoopNest/ExpandSoftmax.h"
#include "baco/Schedule/Annotate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace baco;

/// Whether `op` has rows; the maximum of a vector isn't one of a grid's atomic
/// operations.
static bool canExpand(linalg::SoftmaxOp op) {
  return loopnest::canExpand(op) && op.getInputOperandRank() > 1 &&
         cast<MemRefType>(op.getInput().getType()).hasStaticShape();
}

static bool isPlain(memref::CopyOp op) {
  auto from = dyn_cast<MemRefType>(op.getSource().getType()),
       to = dyn_cast<MemRefType>(op.getTarget().getType());
  return from && to && from.hasStaticShape() && to.hasStaticShape() &&
         from.getElementType().isIntOrFloat();
}

int64_t schedule::decomposeForGpu(ModuleOp module) {
  module.getContext()
      ->loadDialect<arith::ArithDialect, linalg::LinalgDialect,
                    math::MathDialect, memref::MemRefDialect>();
  size_t count = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (isNoTune(function))
      continue;
    SmallVector<linalg::SoftmaxOp> softmaxes;
    SmallVector<memref::CopyOp> copies;
    function->walk([&](Operation *op) {
      if (op->hasAttr(BacoDialect::kRecipe))
        return;
      if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op);
          softmax && canExpand(softmax))
        softmaxes.push_back(softmax);
      else if (auto copy = dyn_cast<memref::CopyOp>(op); copy && isPlain(copy))
        copies.push_back(copy);
    });
    count += softmaxes.size() + copies.size();
    IRRewriter rewriter(module.getContext());
    for (linalg::SoftmaxOp softmax : softmaxes)
      loopnest::expandSoftmax(rewriter, softmax);
    for (memref::CopyOp copy : copies) {
      OpBuilder builder(copy);
      linalg::CopyOp::create(builder, copy.getLoc(), copy.getSource(),
                             copy.getTarget());
      copy.erase();
    }
  }
  return static_cast<int64_t>(count);
}
