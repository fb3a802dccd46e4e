//===- ZeroPoints.h - Quantised ops without zero points ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Named ops on integers become those without zero points. One of the factor
// beside the weights is subtracted from the results.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_GPUSCHEDULE_ZEROPOINTS_H
#define BACO_LIB_GPUSCHEDULE_ZEROPOINTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace baco::schedule {

/// Replaces the ops on memrefs of `function` whose weights have the zero point
/// 0, and the other factor a constant one, and returns their number: tensor
/// cores multiply integers as they are. Where the constant isn't 0, which takes
/// products of bytes with 64 or more results for each sum of weights, two ops
/// compute these sums, and one subtracts their products with it.
int64_t dropZeroPoints(mlir::RewriterBase &rewriter,
                       mlir::func::FuncOp function);

} // namespace baco::schedule

#endif // BACO_LIB_GPUSCHEDULE_ZEROPOINTS_H
