//===- LowerToNvvm.cpp - From gpu.launch to PTX ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's passes, the properties of arguments that kernels may assume, and
// checks whose errors say more than those of the passes.
//
//===----------------------------------------------------------------------===//

#include "KernelAddresses.h"
#include "KernelMath.h"
#include "baco/Target/CPU/MachineCode.h"
#include "baco/Target/KernelOutlining.h"
#include "baco/Target/NVVM/NvvmTarget.h"
#include "baco/Target/Passes.h"

#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "baco-lower-to-nvvm"

namespace baco::target {
#define GEN_PASS_DEF_LOWERTONVVMPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;
using namespace baco::target;

/// Reports the first op in `kernels` of a dialect that isn't in `Dialects`.
template <typename... Dialects>
static LogicalResult checkDialects(gpu::GPUModuleOp kernels) {
  WalkResult result = kernels->walk([&](Operation *op) {
    if (isa_and_present<Dialects...>(op->getDialect()) || op == kernels)
      return WalkResult::advance();
    emitError(op->getLoc())
        << "'" << op->getName()
        << "' in a kernel can't be lowered to PTX; replace it by loops, "
           "arithmetic, loads and stores";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// The compute capability, times ten, that `op` needs; 0: any. The back end
/// aborts for older chips.
static unsigned neededCapability(Operation *op) {
  if (isa<nvgpu::DeviceAsyncCopyOp, nvgpu::DeviceAsyncCreateGroupOp,
          nvgpu::DeviceAsyncWaitOp, NVVM::CpAsyncOp, NVVM::CpAsyncCommitGroupOp,
          NVVM::CpAsyncWaitGroupOp>(op))
    return 80;
  if (isa<nvgpu::LdMatrixOp, NVVM::LdMatrixOp>(op))
    return 75;
  Type element;
  int64_t depth = 0;
  if (auto mma = dyn_cast<nvgpu::MmaSyncOp>(op)) {
    element = mma.getMatrixA().getType().getElementType();
    depth = mma.getMmaShapeAsArray()[2];
  } else if (auto mma = dyn_cast<NVVM::MmaOp>(op)) {
    element = getElementTypeOrSelf(mma.getOperandA()[0].getType());
    depth = mma.getShape().getK();
  } else {
    return 0;
  }
  // Short products of f16 and of integers are older.
  bool isShort =
      (element.isF16() && depth == 8) || (element.isInteger(8) && depth == 16);
  return isShort ? 75 : element.isF16() && depth == 4 ? 70 : 80;
}

/// Reports the first op in `kernels` that `chip`, such as "sm_90a", is too old
/// for.
static LogicalResult checkChip(gpu::GPUModuleOp kernels, StringRef chip) {
  unsigned capability = 0;
  chip.consume_front("sm_");
  chip.consumeInteger(10, capability);
  WalkResult result = kernels->walk([&](Operation *op) {
    unsigned needed = neededCapability(op);
    if (capability >= needed)
      return WalkResult::advance();
    emitError(op->getLoc())
        << "'" << op->getName() << "' in a kernel needs an "
        << "sm_" << needed << " or later, but the chip is an sm_" << capability;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Reports the first call in `kernels` of a function without code.
static LogicalResult checkCalls(gpu::GPUModuleOp kernels) {
  WalkResult result = kernels.walk([&](LLVM::CallOp call) {
    std::optional<StringRef> callee = call.getCallee();
    auto function =
        callee ? kernels.lookupSymbol<LLVM::LLVMFuncOp>(*callee) : nullptr;
    if (function && !function.isExternal())
      return WalkResult::advance();
    InFlightDiagnostic error = emitError(call.getLoc());
    if (!callee)
      error << "a kernel calls through a pointer";
    else if (callee->starts_with("__nv_"))
      error << "a kernel calls '" << *callee
            << "' of CUDA's libdevice, which baco doesn't link; write the "
               "function by arithmetic";
    else if (*callee == "malloc" || *callee == "free")
      error << "a kernel allocates memory; allocate it before the launch";
    else
      error << "a kernel calls '" << *callee << "', which has no code";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Declares dynamic shared memory as PTX wants it. Upstream defines a variable
/// without elements, which the back end would make static memory of one byte.
static void declareDynamicMemory(gpu::GPUModuleOp kernels) {
  for (auto global : kernels.getOps<LLVM::GlobalOp>()) {
    auto array = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
    if (array && array.getNumElements() == 0)
      global.setLinkage(LLVM::Linkage::External);
  }
}

/// Lets multiplications and additions fuse, as on CPUs.
static void allowContraction(gpu::GPUModuleOp kernels) {
  kernels.walk([](LLVM::FastmathFlagsInterface op) {
    if (isa<LLVM::FAddOp, LLVM::FSubOp, LLVM::FMulOp>(op))
      op->setAttr(op.getFastmathAttrName(),
                  LLVM::FastmathFlagsAttr::get(
                      op->getContext(), op.getFastmathAttr().getValue() |
                                            LLVM::FastmathFlags::contract));
  });
}

/// Removes how long the translation took: the same module gives the same text.
static void removeTimes(gpu::BinaryOp binary) {
  Builder builder(binary.getContext());
  SmallVector<Attribute> objects;
  for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
    NamedAttrList properties(object.getProperties());
    properties.erase("LLVMIRToISATimeInMs");
    objects.push_back(gpu::ObjectAttr::get(
        binary.getContext(), object.getTarget(), object.getFormat(),
        object.getObject(), properties.getDictionary(binary.getContext()),
        object.getKernels()));
  }
  binary.setObjectsAttr(builder.getArrayAttr(objects));
}

namespace {
struct LowerToNvvmPass
    : public baco::target::impl::LowerToNvvmPassBase<LowerToNvvmPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerBuiltinDialectTranslation(registry);
    registerGPUDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
    registerNVVMDialectTranslation(registry);
    NVVM::registerNVVMTargetInterfaceExternalModels(registry);
  }

protected:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (llvm::Error error = checkNvvmTarget(chip, features)) {
      emitError(module.getLoc())
          << "baco-lower-to-nvvm: " << llvm::toString(std::move(error));
      return signalPassFailure();
    }
    if (StringRef mistake = findMistake(); !mistake.empty()) {
      emitError(module.getLoc()) << "baco-lower-to-nvvm: " << mistake;
      return signalPassFailure();
    }
    if (failed(outlineKernels(module, getArgument(), argumentAlignment,
                              [&](OpPassManager &manager) {
                                return runPipeline(manager, module);
                              })))
      return signalPassFailure();
    for (auto kernels : module.getOps<gpu::GPUModuleOp>())
      if (failed(checkDialects<
                 arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
                 gpu::GPUDialect, LLVM::LLVMDialect, math::MathDialect,
                 memref::MemRefDialect, nvgpu::NVGPUDialect, NVVM::NVVMDialect,
                 scf::SCFDialect, ub::UBDialect, vector::VectorDialect>(
              kernels)))
        return signalPassFailure();
    for (auto kernels : module.getOps<gpu::GPUModuleOp>())
      if (failed(checkChip(kernels, chip)) || failed(lowerVectors(kernels)) ||
          failed(lowerFunctions(kernels)))
        return signalPassFailure();
    if (failed(run(&LowerToNvvmPass::addFunctionLowering)))
      return signalPassFailure();
    // The lowering before makes LLVM's ops of functions, and the one that
    // follows refuses these ops.
    for (auto kernels : module.getOps<gpu::GPUModuleOp>())
      callIntrinsics(kernels);
    if (failed(run(&LowerToNvvmPass::addKernelLowering)))
      return signalPassFailure();
    for (auto kernels : module.getOps<gpu::GPUModuleOp>())
      if (failed(
              checkDialects<LLVM::LLVMDialect, NVVM::NVVMDialect>(kernels)) ||
          failed(checkCalls(kernels)) ||
          failed(checkCalledIntrinsics(kernels, llvm::Triple(nvvmTriple))))
        return signalPassFailure();
    for (auto kernels : module.getOps<gpu::GPUModuleOp>()) {
      // All globals and all arithmetic are ops of the LLVM dialect only now.
      declareDynamicMemory(kernels);
      allowContraction(kernels);
      splitAddresses(kernels);
      alignVectors(kernels);
    }
    if (failed(run(&LowerToNvvmPass::addTranslation)))
      return signalPassFailure();
    for (auto binary : module.getOps<gpu::BinaryOp>())
      removeTimes(binary);
  }

private:
  /// The mistake in the options other than the chip.
  StringRef findMistake() const {
    if (optLevel > 3)
      return "'opt-level' must be 0 to 3";
    if (!llvm::isPowerOf2_32(argumentAlignment))
      return "'argument-alignment' must be a power of two";
    if (format != "ptx" && format != "llvm")
      return "'format' must be 'ptx' or 'llvm'";
    return "";
  }

  LogicalResult run(void (LowerToNvvmPass::*addPasses)(OpPassManager &)) {
    OpPassManager manager(ModuleOp::getOperationName());
    (this->*addPasses)(manager);
    return runPipeline(manager, getOperation());
  }

  void addFunctionLowering(OpPassManager &manager) {
    manager.nest<gpu::GPUModuleOp>().addPass(createConvertMathToLLVMPass());
  }

  void addKernelLowering(OpPassManager &manager) {
    OpPassManager &kernels = manager.nest<gpu::GPUModuleOp>();
    kernels.addPass(createSCFToControlFlowPass());
    kernels.addPass(arith::createArithExpandOpsPass());
    kernels.addPass(createConvertNVGPUToNVVMPass());
    ConvertGpuOpsToNVVMOpsOptions options;
    // A memref is one pointer then, which the attributes of the argument
    // describe.
    options.useBarePtrCallConv = true;
    kernels.addPass(createConvertGpuOpsToNVVMOps(options));
    kernels.addPass(createCanonicalizerPass());
    kernels.addPass(createCSEPass());
    // The conversions before leave casts between their types, which have no
    // translation.
    kernels.addPass(createReconcileUnrealizedCastsPass());
  }

  void addTranslation(OpPassManager &manager) {
    GpuNVVMAttachTargetOptions target;
    target.triple = nvvmTriple.str();
    target.chip = chip;
    target.features = features;
    target.optLevel = optLevel;
    manager.addPass(createGpuNVVMAttachTarget(target));
    // For messages. It changes no instruction.
    if (format == "llvm")
      manager.addPass(LLVM::createDIScopeForLLVMFuncOpPass());
    GpuModuleToBinaryPassOptions binary;
    binary.compilationTarget = format == "ptx" ? "isa" : "llvm";
    manager.addPass(createGpuModuleToBinaryPass(binary));
  }
};
} // namespace
