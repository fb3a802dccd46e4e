//===- LowerToCPU.cpp - From memrefs to the LLVM dialect ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream passes, in an order that works for vectorised and for scalar code,
// and one small pass that prepares the module for them.
//
//===----------------------------------------------------------------------===//

#include "baco/Target/Pipelines.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace {

/// Requests the C interface of public functions, and makes copies of strided
/// memrefs linalg ops: upstream lowers those to calls of `memrefCopy`, which
/// would need a run-time library beside the kernel.
struct PrepareForCPU : PassWrapper<PrepareForCPU, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrepareForCPU)

  StringRef getArgument() const final { return "baco-prepare-for-cpu"; }
  StringRef getDescription() const final {
    return "request C interfaces and lower copies of strided memrefs";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<linalg::LinalgDialect>();
  }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal())
        function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                          UnitAttr::get(&getContext()));
    getOperation().walk([](memref::CopyOp copy) {
      auto source = dyn_cast<MemRefType>(copy.getSource().getType());
      auto target = dyn_cast<MemRefType>(copy.getTarget().getType());
      if (!source || !target ||
          (source.getLayout().isIdentity() && target.getLayout().isIdentity()))
        return;
      OpBuilder builder(copy);
      linalg::makeMemRefCopyOp(builder, copy.getLoc(), copy.getSource(),
                               copy.getTarget());
      copy.erase();
    });
  }
};

} // namespace

void baco::target::buildLowerToCPUPipeline(OpPassManager &manager) {
  manager.addPass(std::make_unique<PrepareForCPU>());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  manager.addNestedPass<func::FuncOp>(
      vector::createLowerVectorMultiReductionPass());
  VectorTransferToSCFOptions transfers;
  manager.addNestedPass<func::FuncOp>(
      createConvertVectorToSCFPass(transfers.enableFullUnroll()));
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(arith::createArithExpandOpsPass());
  manager.addPass(createConvertVectorToLLVMPass());
  manager.addPass(createConvertComplexToLLVMPass());
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createConvertMathToLibmPass());
  manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  manager.addPass(createConvertFuncToLLVMPass());
  manager.addPass(createConvertIndexToLLVMPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createUBToLLVMConversionPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void baco::target::registerTargetPipelines() {
  PassPipelineRegistration<>(
      "baco-lower-to-cpu",
      "lower linalg, affine, scf, vector and memref ops on memrefs to the LLVM "
      "dialect, with C interfaces for public functions",
      buildLowerToCPUPipeline);
}
