//===- KernelMath.cpp - Functions in kernels for GPUs ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelMath.h"

#include "baco/Target/CPU/LowerToLoops.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace baco::target;

/// Whether LLVM's back end has instructions for `op`, whatever its type.
static bool hasInstructions(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
             math::CountLeadingZerosOp, math::CountTrailingZerosOp,
             math::CtPopOp, math::FloorOp, math::FmaOp, math::RoundEvenOp,
             math::RoundOp, math::RsqrtOp, math::SqrtOp, math::TruncOp>(op);
}

/// Computes functions that have polynomials in f32, and rounds the results.
static LogicalResult widenFunctions(gpu::GPUModuleOp kernels) {
  SmallVector<Operation *> functions;
  kernels.walk([&](Operation *op) {
    if (hasPolynomial(op) || isTrigonometric(op) || isPower(op))
      functions.push_back(op);
  });
  if (functions.empty())
    return success();
  RewritePatternSet patterns(kernels.getContext());
  // Polynomials are for f32 only.
  populateMathF32ExpansionPatterns(patterns, [](StringRef) { return true; });
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps);
  return applyOpPatternsGreedily(functions, std::move(patterns), config);
}

LogicalResult baco::target::lowerFunctions(gpu::GPUModuleOp kernels) {
  if (failed(widenFunctions(kernels)))
    return failure();
  expandTrigonometry(kernels);
  expandPowers(kernels);
  // The second time those that polynomials are made of: log1p has a log.
  for (int turn = 0; turn < 2; ++turn)
    if (failed(expandFunctions(kernels, [](Type) { return true; })))
      return failure();
  WalkResult result = kernels->walk([&](Operation *op) {
    if (!isa_and_present<math::MathDialect>(op->getDialect()) ||
        hasInstructions(op))
      return WalkResult::advance();
    emitError(op->getLoc())
        << "'" << op->getName() << "' of "
        << getElementTypeOrSelf(op->getResult(0))
        << " in a kernel: there is no instruction and no polynomial for it; "
           "write the function by arithmetic, or by others such as "
           "'math.exp' of f32";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

void baco::target::callIntrinsics(gpu::GPUModuleOp kernels) {
  kernels.walk([](Operation *op) {
    if (!isa<LLVM::CopySignOp, LLVM::FAbsOp, LLVM::FCeilOp, LLVM::FFloorOp,
             LLVM::FMAOp, LLVM::FTruncOp, LLVM::RoundEvenOp, LLVM::RoundOp,
             LLVM::SqrtOp>(op))
      return;
    // An op of LLVM has the name of its intrinsic behind "intr.".
    StringRef name = op->getName().stripDialect();
    name.consume_front("intr.");
    OpBuilder builder(op);
    auto call = LLVM::CallIntrinsicOp::create(
        builder, op->getLoc(), op->getResult(0).getType(),
        builder.getStringAttr("llvm." + name), op->getOperands());
    op->replaceAllUsesWith(call);
    op->erase();
  });
}
