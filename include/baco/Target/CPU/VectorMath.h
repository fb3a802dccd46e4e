//===- VectorMath.h - Functions of vectors as polynomials -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_VECTORMATH_H
#define BACO_TARGET_CPU_VECTORMATH_H

#include "mlir/Pass/Pass.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>

namespace baco::target {

/// Whether `op` is a function of the math dialect that baco knows a polynomial
/// for, if it is of f32.
bool hasPolynomial(mlir::Operation *op);

/// Replaces such functions of f32 in `root`, whose results' types `isWanted`
/// accepts, by polynomials with errors of less than 6 units in the last place,
/// and of less than 2 for the exponential function.
llvm::LogicalResult
expandFunctions(mlir::Operation *root,
                llvm::function_ref<bool(mlir::Type)> isWanted);

} // namespace baco::target

#endif // BACO_TARGET_CPU_VECTORMATH_H
