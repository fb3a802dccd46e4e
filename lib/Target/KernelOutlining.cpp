//===- KernelOutlining.cpp - From gpu.launch to kernels -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/KernelOutlining.h"

#include "baco/Target/CPU/LowerToLoops.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

/// The memory of which `memref` is a view, and whether it is a view of all of
/// it.
static std::pair<Value, bool> findRoot(Value memref) {
  bool isWhole = true;
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>()) {
    // Other views may begin elsewhere in the memory, or end before it does.
    isWhole &= isa<memref::CastOp>(view);
    memref = view.getViewSource();
  }
  return {memref, isWhole};
}

/// Whether memory behind `root` is in no other root.
static bool isDistinct(Value root) {
  if (auto argument = dyn_cast<BlockArgument>(root))
    return isa<func::FuncOp>(argument.getOwner()->getParentOp());
  return isa<memref::AllocOp, gpu::AllocOp>(root.getDefiningOp());
}

/// Annotates the kernel with the known properties of the arguments of its one
/// launch.
static void describeArguments(gpu::LaunchFuncOp launch, unsigned alignment) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      launch, launch.getKernel());
  Builder builder(launch.getContext());
  SmallVector<std::pair<Value, bool>> roots;
  for (Value operand : launch.getKernelOperands())
    roots.push_back(isa<MemRefType>(operand.getType())
                        ? findRoot(operand)
                        : std::pair<Value, bool>(operand, false));
  for (auto [index, operand] : llvm::enumerate(launch.getKernelOperands())) {
    if (!isa<MemRefType>(operand.getType()))
      continue;
    auto [root, isWhole] = roots[index];
    // Two arguments that are views of one memory may overlap.
    bool isOnly = llvm::count_if(roots, [root = root](const auto &other) {
                    return other.first == root;
                  }) == 1;
    // Memory of unknown origin may overlap any other, so no argument is
    // distinct then.
    bool allDistinct = llvm::all_of(roots, [](const auto &other) {
      return !isa<MemRefType>(other.first.getType()) || isDistinct(other.first);
    });
    if (isOnly && allDistinct)
      kernel.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(),
                        builder.getUnitAttr());
    // A view may begin anywhere in the memory, which alone is aligned.
    if (isWhole && isDistinct(root))
      kernel.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(),
                        builder.getI64IntegerAttr(alignment));
  }
  // Else vectors in shared memory are accessed element by element.
  for (unsigned i = 0; i < kernel.getNumWorkgroupAttributions(); ++i)
    kernel.setWorkgroupAttributionAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                                       builder.getI64IntegerAttr(16));
}

LogicalResult baco::target::lowerVectors(gpu::GPUModuleOp kernels) {
  RewritePatternSet patterns(kernels.getContext());
  vector::populateVectorToVectorCanonicalizationPatterns(patterns);
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  vector::populateVectorContractLoweringPatterns(
      patterns, vector::VectorContractLowering::OuterProduct);
  vector::populateVectorOuterProductLoweringPatterns(patterns);
  vector::populateVectorMaskOpLoweringPatterns(patterns);
  vector::populateVectorShapeCastLoweringPatterns(patterns);
  vector::populateVectorTransposeLoweringPatterns(
      patterns, vector::VectorTransposeLowering::EltWise);
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  vector::populateVectorRankReducingFMAPattern(patterns);
  return applyPatternsGreedily(kernels, std::move(patterns));
}

LogicalResult baco::target::outlineKernels(
    ModuleOp module, StringRef pass, unsigned alignment,
    llvm::function_ref<LogicalResult(OpPassManager &)> run) {
  bool hasLaunch = false;
  module.walk([&](gpu::LaunchOp launch) {
    hasLaunch = true;
    // Upstream would make calls of its run-time library, which kernels don't
    // have.
    launch.walk(makeCopyLinalg);
  });
  if (!hasLaunch)
    return emitError(module.getLoc())
           << pass
           << ": there is no 'gpu.launch' to lower; map loops to blocks "
              "and threads before";
  OpPassManager manager(ModuleOp::getOperationName());
  addLoweringToLoops(manager);
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  // A loop of one iteration needs no barrier before its copies.
  manager.addNestedPass<func::FuncOp>(createGpuEliminateBarriers());
  // Values from outside become arguments of the kernel, so what it can
  // compute itself goes in before.
  manager.addPass(createGpuLaunchSinkIndexComputationsPass());
  manager.addPass(createGpuKernelOutliningPass());
  if (failed(run(manager)))
    return failure();
  module.walk(
      [&](gpu::LaunchFuncOp launch) { describeArguments(launch, alignment); });
  return success();
}
