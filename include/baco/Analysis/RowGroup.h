//===- RowGroup.h - Ops on the rows of a matrix ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which linalg ops on memrefs, such as those of a softmax or of a layer norm,
// need only a row of all that they share: who has a row can do them all.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_ANALYSIS_ROWGROUP_H
#define BACO_ANALYSIS_ROWGROUP_H

#include "baco/Analysis/PlacedOp.h"

#include "llvm/Support/Error.h"

namespace baco {

/// Elements of a row that a lane has in registers.
inline constexpr int64_t maxRowElements = 64;
/// A block of 1024 lanes has no registers for longer rows.
inline constexpr int64_t maxKeptColumns = 1024 * maxRowElements;

struct RowGroup {
  /// In their order. The last dimension is that of columns, which all elements
  /// of a row have; ops without it are done once for a row.
  llvm::SmallVector<PlacedOp> ops;
  /// The extents of the other dimensions, and of the last one.
  llvm::SmallVector<int64_t> rows;
  int64_t columns;

  /// Whether only the reduction needs elements of rows.
  bool needsElementsOnce() const;
  /// The lanes without which the registers don't hold the elements of a row
  /// that others than the reduction need.
  int64_t leastLanes() const;
};

/// The op of the body of `op` that adds an element to a sum of any order, if
/// that's what `op` does with its one result; null otherwise.
mlir::Operation *findRowCombiner(mlir::linalg::LinalgOp op);

/// The group of `reduction`, whose last iterator is a reduction, and ops
/// without recipes next to it; of it alone, if each iteration has an element of
/// an operand for itself. Others in the group of rows of more than
/// `maxKeptColumns` don't need their elements. The error says why there is
/// none.
llvm::Expected<RowGroup> findRowGroup(mlir::linalg::LinalgOp reduction);

/// The group of just `ops`, at least one of which has the dimension of columns,
/// in their order. The error says which of them isn't done row by row.
llvm::Expected<RowGroup> groupRows(llvm::ArrayRef<mlir::linalg::LinalgOp> ops);

} // namespace baco

#endif // BACO_ANALYSIS_ROWGROUP_H
