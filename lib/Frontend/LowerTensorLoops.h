//===- LowerTensorLoops.h - Affine loops on tensors -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's bufferization knows scf's loops and conditions, not affine's.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FRONTEND_LOWERTENSORLOOPS_H
#define BACO_LIB_FRONTEND_LOWERTENSORLOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco::frontend {

/// Makes the affine loops and conditions of `function` that yield tensors, and
/// what is affine in them, ops of scf, memref and arith. Returns the number of
/// these loops and conditions; 0 if one can't be lowered, and then the function
/// stays as it is.
int64_t lowerTensorLoops(mlir::func::FuncOp function);

} // namespace baco::frontend

#endif // BACO_LIB_FRONTEND_LOWERTENSORLOOPS_H
