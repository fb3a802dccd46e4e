//===- KernelOutlining.h - From gpu.launch to kernels -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the lowerings for all kinds of GPUs begin with.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_KERNELOUTLINING_H
#define BACO_TARGET_KERNELOUTLINING_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace baco::target {

/// Makes a kernel of each `gpu.launch` of `module`, of loops, arithmetic,
/// vectors and accesses, by passes that `run` runs. Arguments of kernels get
/// the attributes `llvm.noalias`, and `llvm.align` where they begin at
/// multiples of `alignment` bytes. Fails, with an error of the pass `pass`, if
/// there is none.
mlir::LogicalResult outlineKernels(
    mlir::ModuleOp module, llvm::StringRef pass, unsigned alignment,
    llvm::function_ref<mlir::LogicalResult(mlir::OpPassManager &)> run);

/// Makes operations on vectors of several dimensions operations on vectors of
/// one, as upstream's lowering to CPUs does by itself.
mlir::LogicalResult lowerVectors(mlir::gpu::GPUModuleOp kernels);

} // namespace baco::target

#endif // BACO_TARGET_KERNELOUTLINING_H
