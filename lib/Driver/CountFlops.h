//===- CountFlops.h - Floating point operations of a kernel -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DRIVER_COUNTFLOPS_H
#define BACO_LIB_DRIVER_COUNTFLOPS_H

#include "mlir/IR/Operation.h"

#include "baco/Verification/Scalars.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace baco::driver {

/// Floating point operations of one execution of `function`: those of its
/// arith, math and linalg ops, also in loops whose trip counts are constants.
/// nullopt if there are none, or if anything else (a call, a branch, a dynamic
/// shape) may do more.
std::optional<double> countFlops(mlir::Operation *function);

/// The same with these values for the integers that `function` takes: more
/// bounds are constants then. Copies the function's module.
std::optional<double> countFlops(mlir::func::FuncOp function,
                                 const runtime::ScalarValues &values);

} // namespace baco::driver

#endif // BACO_LIB_DRIVER_COUNTFLOPS_H
