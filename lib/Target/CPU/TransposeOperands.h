//===- TransposeOperands.h - Contiguous operands of sums --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_CPU_TRANSPOSEOPERANDS_H
#define BACO_LIB_TARGET_CPU_TRANSPOSEOPERANDS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco::target {

/// Gives the linalg ops in `entry`, on memrefs, transposed copies of operands
/// that they read many times, so that the loop that walks along the memory of
/// the result walks along theirs. That loop can then be innermost, where its
/// iterations are independent, rather than a loop that waits for its own sum.
/// Operands that may share memory with the result are left as they are.
void transposeOperands(mlir::func::FuncOp entry);

} // namespace baco::target

#endif // BACO_LIB_TARGET_CPU_TRANSPOSEOPERANDS_H
