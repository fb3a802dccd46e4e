//===- LowerTensorLoops.cpp - Affine loops on tensors ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerForms.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace baco;

/// Whether `op` is an affine loop or condition that yields a tensor.
static bool yieldsTensor(Operation *op) {
  return isa<affine::AffineForOp, affine::AffineIfOp, affine::AffineParallelOp>(
             op) &&
         llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
}

/// Whether `op` needs no affine loop around it.
static bool computesOnIndices(Operation *op) {
  return isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(
      op);
}

int64_t frontend::lowerTensorLoops(func::FuncOp function) {
  llvm::DenseSet<Operation *> affine;
  int64_t count = 0;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!yieldsTensor(op))
      return WalkResult::advance();
    op->walk([&](Operation *inner) {
      count += yieldsTensor(inner);
      if (isa_and_present<affine::AffineDialect>(inner->getDialect()) &&
          !computesOnIndices(inner))
        affine.insert(inner);
    });
    return WalkResult::skip();
  });
  if (count == 0)
    return 0;
  MLIRContext *context = function.getContext();
  context->loadDialect<arith::ArithDialect, memref::MemRefDialect,
                       scf::SCFDialect, vector::VectorDialect>();
  RewritePatternSet patterns(context);
  populateAffineToStdConversionPatterns(patterns);
  populateAffineToVectorConversionPatterns(patterns);
  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal(
      [&](Operation *op) { return !affine.contains(op); });
  // On failure, the conversion rolls itself back.
  return succeeded(
             applyPartialConversion(function, target, std::move(patterns)))
             ? count
             : 0;
}
