//===- KernelMath.h - Functions of mathematics in GPU kernels ---*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX has some functions as instructions; polynomials and arithmetic replace
// the others, without CUDA's libdevice.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_NVVM_KERNELMATH_H
#define BACO_LIB_TARGET_NVVM_KERNELMATH_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Operation.h"

namespace baco::target {

/// Makes of functions of the math dialect in `kernels` what PTX has without
/// CUDA's libdevice: polynomials (LowerToLoops.h), for f16 and bf16 computed in
/// f32, or ops of the same dialect that are instructions. Reports the first
/// function for which there is neither.
mlir::LogicalResult lowerFunctions(mlir::gpu::GPUModuleOp kernels);

/// Makes calls of LLVM's ops for such instructions in `kernels`: upstream's
/// conversion of kernels refuses the ops, and wants calls of libdevice.
void callIntrinsics(mlir::gpu::GPUModuleOp kernels);

/// Whether `op` is a sine, a cosine or a tangent.
bool isTrigonometric(mlir::Operation *op);

/// Replaces such functions of f32 in `root`, for any argument, by arithmetic
/// with errors of less than 3 units in the last place, of tangents 6.
void expandTrigonometry(mlir::Operation *root);

/// Whether `op` is a power, a root, a logarithm of base 10, or a hyperbolic
/// function, none of which has a polynomial.
bool isPower(mlir::Operation *op);

/// Replaces such functions of f32 in `root` by arithmetic in f64, with errors
/// of less than one unit in the last place.
void expandPowers(mlir::Operation *root);

} // namespace baco::target

#endif // BACO_LIB_TARGET_NVVM_KERNELMATH_H
