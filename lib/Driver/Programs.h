//===- Programs.h - Functions that call kernels -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DRIVER_PROGRAMS_H
#define BACO_LIB_DRIVER_PROGRAMS_H

#include "baco/Driver/Kernel.h"

#include "mlir/IR/BuiltinOps.h"

namespace baco::driver {

/// The functions of `module` that call some of `kernels`, which were taken from
/// it, and that no other function calls, in their order. `module` still has the
/// inputs of arguments, but no recipes.
std::vector<Program> findPrograms(mlir::ModuleOp module,
                                  llvm::ArrayRef<Kernel> kernels,
                                  const KernelOptions &options);

} // namespace baco::driver

#endif // BACO_LIB_DRIVER_PROGRAMS_H
