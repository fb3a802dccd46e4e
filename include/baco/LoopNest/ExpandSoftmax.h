//===- ExpandSoftmax.h - A softmax as linalg ops on memrefs -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream decomposes linalg.softmax on tensors only. On memrefs the results
// that each row has are kept in buffers.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPNEST_EXPANDSOFTMAX_H
#define BACO_LOOPNEST_EXPANDSOFTMAX_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace baco::loopnest {

/// The linalg ops that a softmax stands for, one statement each: the least
/// number for each row, its maximum, the exponentials of what elements are
/// less, zero, their sum, and the quotients.
inline constexpr size_t numSoftmaxOps = 6;

struct ExpandedSoftmax {
  /// In program order. The ops on which they depend are before them.
  llvm::SmallVector<mlir::Operation *, numSoftmaxOps> ops;
  /// Right behind them.
  llvm::SmallVector<mlir::Operation *, 2> deallocations;
};

/// Whether `op` is on memrefs of floating-point numbers.
bool canExpand(mlir::linalg::SoftmaxOp op);

/// Replaces `op`, if that can be done. Shapes may be dynamic.
ExpandedSoftmax expandSoftmax(mlir::RewriterBase &rewriter,
                              mlir::linalg::SoftmaxOp op);

/// Replaces each softmax in `root` for which that can be done.
void expandSoftmaxes(mlir::Operation *root);

} // namespace baco::loopnest

#endif // BACO_LOOPNEST_EXPANDSOFTMAX_H
