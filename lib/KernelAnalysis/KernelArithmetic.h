//===- KernelArithmetic.h - How a kernel computes ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How results of a kernel can be compared, derived from its ops.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_KERNELANALYSIS_KERNELARITHMETIC_H
#define BACO_LIB_KERNELANALYSIS_KERNELARITHMETIC_H

#include "baco/Protocol/Candidate.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco::target {

/// The runtime's name of a type of numbers; nullopt if it has none.
std::optional<runtime::ElementType> elementTypeOf(mlir::Type type);

/// Whether a float that `op` yields may have been rounded by it.
bool roundsFloats(mlir::Operation *op);

/// Sets `roundedTo`, `hasJumps`, `areJumpsExact`, `isPiecewise`, `constants`,
/// `takesAnyInteger`, `takesNaN`, `takesInfinity`, `mayOverflow` and
/// `variables` of the signature, which has its `reductionLength`, by the ops of
/// `kernel` and of what it calls. O(ops) for each jump.
void readArithmetic(mlir::func::FuncOp kernel, runtime::Signature &signature);

} // namespace baco::target

#endif // BACO_LIB_KERNELANALYSIS_KERNELARITHMETIC_H
