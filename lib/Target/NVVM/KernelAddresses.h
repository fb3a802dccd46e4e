//===- KernelAddresses.h - Addresses in GPU kernels -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What LLVM doesn't find in addresses of the LLVM dialect: the constant parts
// of their indices, and how far vectors are aligned.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_NVVM_KERNELADDRESSES_H
#define BACO_LIB_TARGET_NVVM_KERNELADDRESSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace baco::target {

/// Makes constant parts of indices distances from an address that accesses
/// share.
void splitAddresses(mlir::gpu::GPUModuleOp kernels);

/// Raises the alignment of loads and stores of vectors to what their addresses
/// certainly are multiples of. PTX accesses others element by element.
void alignVectors(mlir::gpu::GPUModuleOp kernels);

} // namespace baco::target

#endif // BACO_LIB_TARGET_NVVM_KERNELADDRESSES_H
