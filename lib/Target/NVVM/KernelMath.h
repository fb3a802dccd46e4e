//===- KernelMath.h - Functions in kernels for GPUs -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_NVVM_KERNELMATH_H
#define BACO_LIB_TARGET_NVVM_KERNELMATH_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace baco::target {

/// Makes of functions of the math dialect in `kernels` what PTX has without
/// CUDA's libdevice: polynomials (VectorMath.h), for f16 and bf16 computed in
/// f32, or ops of the same dialect that are instructions. Reports the first
/// function for which there is neither.
mlir::LogicalResult lowerFunctions(mlir::gpu::GPUModuleOp kernels);

/// Makes calls of LLVM's ops for such instructions in `kernels`: upstream's
/// conversion of kernels refuses the ops, and wants calls of libdevice.
void callIntrinsics(mlir::gpu::GPUModuleOp kernels);

} // namespace baco::target

#endif // BACO_LIB_TARGET_NVVM_KERNELMATH_H
