//===- KernelTrigonometry.h - Sines and cosines in kernels -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_NVVM_KERNELTRIGONOMETRY_H
#define BACO_LIB_TARGET_NVVM_KERNELTRIGONOMETRY_H

#include "mlir/IR/Operation.h"

namespace baco::target {

/// Whether `op` is a sine or a cosine.
bool isSineOrCosine(mlir::Operation *op);

/// Replaces such functions of f32 in `root`, for any argument, by arithmetic
/// with errors of less than 3 units in the last place.
void expandSinesAndCosines(mlir::Operation *root);

} // namespace baco::target

#endif // BACO_LIB_TARGET_NVVM_KERNELTRIGONOMETRY_H
