//===- ZeroPoints.h - Quantised ops without zero points ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Named ops on integers whose zero points are zero become those without.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_GPUSCHEDULE_ZEROPOINTS_H
#define BACO_LIB_GPUSCHEDULE_ZEROPOINTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace baco::schedule {

/// Replaces the ops on memrefs of `function` whose zero points are constants 0;
/// their number. Tensor cores multiply integers as they are.
int64_t dropZeroPoints(mlir::RewriterBase &rewriter,
                       mlir::func::FuncOp function);

} // namespace baco::schedule

#endif // BACO_LIB_GPUSCHEDULE_ZEROPOINTS_H
