//===- CallerAlignment.h - Alignment of arguments ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The alignment of a kernel's arguments that follows from its callers, if all
// of them are in the module.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_KERNELANALYSIS_CALLERALIGNMENT_H
#define BACO_KERNELANALYSIS_CALLERALIGNMENT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco::target {

/// Sets BacoDialect::kAlignment of the arguments of `kernel`, which is
/// `function` or a copy of it in a module without callers. Something is
/// promised if `function` is private and only called, and each caller passes
/// what `memref.alloc`, `memref.alloca`, `memref.global` or
/// `memref.assume_alignment` align.
void promiseAlignments(mlir::func::FuncOp function, mlir::func::FuncOp kernel);

} // namespace baco::target

#endif // BACO_KERNELANALYSIS_CALLERALIGNMENT_H
