//===- StaticCost.h - Cycles of a module's kernels by a model ---*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cycles of functions that launch kernels, for the evaluator `static` and
// the pass `baco-static-cost`.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_CANDIDATECOMPILER_STATICCOST_H
#define BACO_LIB_CANDIDATECOMPILER_STATICCOST_H

#include "baco/CostModel/GpuCost.h"
#include "baco/Target/NVVM/PtxText.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace baco::target {

/// One launch in a function.
struct LaunchCost {
  KernelWork work;
  GpuBounds bounds;
  /// How often the function launches it.
  double launches = 1;

  /// All in all.
  double cycles() const { return launches * (bounds.total() + launchCycles); }
};

/// The cycles of all launches in `module`, of which `baco-lower-to-nvvm` has
/// kept the LLVM IR (format=llvm), on `gpu`. `onLaunch`, which may be null,
/// gets the cost of each launch. With an assembler, registers and spills are
/// those that it reports. The error, of one line, says which limit of such GPUs
/// a launch exceeds, why it has no cost, or why the assembler refuses it.
llvm::Expected<double> costOfLaunches(
    mlir::ModuleOp module, const NvidiaGpu &gpu,
    llvm::function_ref<void(mlir::gpu::LaunchFuncOp, const LaunchCost &)>
        onLaunch = {},
    const KernelAssembler *assembler = nullptr);

struct ModuleCost {
  double cycles = 0;
  /// The needs of the costliest launch, in one line that starts with
  /// staticCostNote.
  std::string note;
  /// The resources of the kernels, as an assembler reports them.
  std::optional<KernelResources> resources;
};

/// Lowers `module` by the pass `lowering`. The error is its own, or that
/// `entry` does something outside of kernels.
llvm::Error lowerKernels(mlir::ModuleOp module, llvm::StringRef entry,
                         std::unique_ptr<mlir::Pass> lowering);

/// The same for `target`, of which the table of chips has a row; kernels stay
/// LLVM IR.
llvm::Error lowerKernels(mlir::ModuleOp module,
                         mlir::NVVM::NVVMTargetAttr target,
                         llvm::StringRef entry);

/// The cost of the launches in `module`, which lowerKernels has lowered for
/// `target`. `ptxas`, which may be null, assembles them. Errors as above.
llvm::Expected<ModuleCost> costOfModule(mlir::ModuleOp module,
                                        mlir::NVVM::NVVMTargetAttr target,
                                        runtime::PtxAssembler *ptxas);

/// Makes a kernel of each linalg op of the function `entry`: one thread for
/// each element of its parallel iterators, in blocks of 256. This is the
/// "plain" kernel of a GPU. The error names the op that isn't a linalg op with
/// static shapes.
llvm::Error mapElementsToThreads(mlir::ModuleOp module, llvm::StringRef entry);

} // namespace baco::target

#endif // BACO_LIB_CANDIDATECOMPILER_STATICCOST_H
