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
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/PatternMatch.h"

namespace baco::schedule {

/// Makes a `linalg.generic` of `op`, if it isn't one.
llvm::LogicalResult generalize(mlir::RewriterBase &rewriter,
                               mlir::linalg::LinalgOp &op);

/// The runs of iterators of `op` that can become one each: all operands have
/// them in this order, or none of them, without gaps in memory. All iterators
/// are in one; empty if operands don't allow any.
llvm::SmallVector<mlir::ReassociationIndices>
listRuns(mlir::linalg::LinalgOp op);

/// Makes one iterator of each of `runs`, so that rows needn't begin at whole
/// vectors and sizes of tiles needn't divide them. Returns whether one had
/// several, and all could become one; then `op` is another one.
bool collapse(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
              llvm::ArrayRef<mlir::ReassociationIndices> runs);

/// Brings the iterators of `op` in the order of the result's dimensions, so
/// that neighboring threads have neighbors in memory, and reductions behind
/// them; if the result is one element, in that of an input. Returns whether
/// `op` is another one then.
bool reorder(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp &op);

} // namespace baco::schedule

#endif // BACO_LIB_GPUSCHEDULE_REORDERITERATORS_H
