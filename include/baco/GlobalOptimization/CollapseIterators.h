//===- CollapseIterators.h - One iterator of several ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_GLOBALOPTIMIZATION_COLLAPSEITERATORS_H
#define BACO_GLOBALOPTIMIZATION_COLLAPSEITERATORS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/PatternMatch.h"

namespace baco::globalopt {

/// Makes a `linalg.generic` of `op`, if it isn't one.
llvm::LogicalResult generalize(mlir::RewriterBase &rewriter,
                               mlir::linalg::LinalgOp &op);

/// Whether `op` is on dense tensors, or on memrefs without gaps, of static
/// shapes.
bool isContiguous(mlir::linalg::LinalgOp op);

/// The runs of iterators of `op` that can become one each: all operands have
/// them in this order, or none of them, without gaps in memory. All iterators
/// are in one; empty if operands don't allow any.
llvm::SmallVector<mlir::ReassociationIndices>
listRuns(mlir::linalg::LinalgOp op);

/// Makes one iterator of each of `runs`, so that rows needn't begin at whole
/// vectors and sizes of tiles needn't divide them. Operands are reshaped, and
/// results of tensors back. Returns what `op` has become; null if none had
/// several, or not all could become one.
mlir::linalg::LinalgOp
collapse(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
         llvm::ArrayRef<mlir::ReassociationIndices> runs);

} // namespace baco::globalopt

#endif // BACO_GLOBALOPTIMIZATION_COLLAPSEITERATORS_H
