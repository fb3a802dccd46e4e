//===- ReorderIterators.h - Iterators as a GPU wants them -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_GPUSCHEDULE_REORDERITERATORS_H
#define BACO_LIB_GPUSCHEDULE_REORDERITERATORS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace baco::schedule {

/// Brings the iterators of `op` in the order of the result's dimensions, so
/// that neighboring threads have neighbors in memory, and reductions behind
/// them; if the result is one element, in that of an input. Returns whether
/// `op` is another one then.
bool reorder(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp &op);

} // namespace baco::schedule

#endif // BACO_LIB_GPUSCHEDULE_REORDERITERATORS_H
