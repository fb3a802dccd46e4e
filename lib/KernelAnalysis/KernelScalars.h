//===- KernelScalars.h - Sizes, offsets and flags of a kernel ---*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Derives values for the integer scalars of a kernel from the IR.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_KERNELANALYSIS_KERNELSCALARS_H
#define BACO_LIB_KERNELANALYSIS_KERNELSCALARS_H

#include "baco/Protocol/Candidate.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco::target {

/// Sets `isStructural` and `values` of integer scalars, and `hasSafeScalars`.
/// The structural ones get the largest values at which all accesses are known
/// to be in bounds, and all loops to end: by ranges of integers, which know
/// nothing of how two values relate. `hasSafeScalars` is false if no values, or
/// tiny ones only, are known to be so: there may be larger ones.
///
/// Copies and simplifies the kernel, and analyzes it some fifty times for each
/// structural scalar; nothing of that if there are none.
void readScalars(mlir::func::FuncOp kernel, runtime::Signature &signature);

} // namespace baco::target

#endif // BACO_LIB_KERNELANALYSIS_KERNELSCALARS_H
