//===- LowerToOpenCl.cpp - From gpu.launch to OpenCL C --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpenClPrinter.h"
#include "baco/IR/GpuTarget.h"
#include "baco/Target/KernelOutlining.h"
#include "baco/Target/Passes.h"

#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

namespace baco::target {
#define GEN_PASS_DEF_LOWERTOOPENCLPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;
using namespace baco;
using namespace baco::target;

/// Rewrites what OpenCL C has no operator for.
static LogicalResult expandArithmetic(gpu::GPUModuleOp kernels) {
  RewritePatternSet patterns(kernels.getContext());
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  return applyPatternsGreedily(kernels, std::move(patterns));
}

/// A device that has all types, and any limits.
static OpenClTargetAttr anyDevice(MLIRContext *context) {
  GpuLimits limits;
  return OpenClTargetAttr::get(context, "any", limits.maxThreads,
                               limits.maxBlockExtents, nvidia::maxStaticShared,
                               /*units=*/1, /*half=*/true, /*doubles=*/true);
}

/// Replaces kernels by their text.
static LogicalResult writeText(gpu::GPUModuleOp kernels,
                               OpenClTargetAttr device) {
  // An error is at the op, so that nothing is left behind here.
  FailureOr<std::string> text = OpenClPrinter(device).print(kernels);
  if (failed(text))
    return failure();
  OpBuilder builder(kernels);
  // A kernel declares what launches would give it.
  cast<ModuleOp>(kernels->getParentOp()).walk([&](gpu::LaunchFuncOp launch) {
    if (launch.getKernelModuleName() == kernels.getName())
      launch.getDynamicSharedMemorySizeMutable().clear();
  });
  Attribute object = gpu::ObjectAttr::get(
      builder.getContext(), device, gpu::CompilationTarget::Assembly,
      builder.getStringAttr(*text), /*properties=*/DictionaryAttr(),
      /*kernels=*/gpu::KernelTableAttr());
  gpu::BinaryOp::create(builder, kernels.getLoc(), kernels.getName(),
                        /*offloadingHandler=*/nullptr,
                        builder.getArrayAttr(object));
  kernels.erase();
  return success();
}

namespace {
struct LowerToOpenClPass
    : public baco::target::impl::LowerToOpenClPassBase<LowerToOpenClPass> {
  using Base::Base;

protected:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    OpenClTargetAttr device = findOpenClTarget(module);
    if (!device)
      device = anyDevice(&getContext());
    auto run = [&](OpPassManager &manager) {
      return runPipeline(manager, module);
    };
    // Steps are those of the lowering to PTX, so that both lower the same
    // kernels.
    if (failed(outlineKernels(module, getArgument(), /*alignment=*/16, run)))
      return signalPassFailure();
    for (auto kernels : module.getOps<gpu::GPUModuleOp>())
      if (failed(lowerVectors(kernels)) || failed(expandArithmetic(kernels)))
        return signalPassFailure();
    OpPassManager manager(ModuleOp::getOperationName());
    OpPassManager &inKernels = manager.nest<gpu::GPUModuleOp>();
    // What isn't used would be text for a person to read.
    inKernels.addPass(createCanonicalizerPass());
    inKernels.addPass(createCSEPass());
    if (failed(run(manager)))
      return signalPassFailure();
    for (auto kernels :
         llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>()))
      if (failed(writeText(kernels, device)))
        return signalPassFailure();
  }
};
} // namespace
