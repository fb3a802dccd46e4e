//===- RowChain.h - A product and ops on its rows --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops whose results another op reads, as the scores of attention: a product of
// matrices and what follows it row by row, such as a softmax. Who has some rows
// of the product in memory can do them all there.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_ANALYSIS_ROWCHAIN_H
#define BACO_ANALYSIS_ROWCHAIN_H

#include "baco/Analysis/RowGroup.h"

namespace baco {

struct RowChain {
  /// Compute what the product reads and adds to, in their order.
  llvm::SmallVector<mlir::linalg::LinalgOp> elements;
  mlir::linalg::LinalgOp product;
  /// The iterators of the rows and columns of the product's result, of its sum,
  /// and of a batch.
  unsigned m, n, k;
  std::optional<unsigned> batch;
  /// The inputs of the product that have its rows, and its columns.
  unsigned rowInput, columnInput;
  /// Follow the product. A row of the group is one of the product's result, and
  /// so is one of each memref that has the dimension of columns.
  RowGroup rows;
  /// The buffers that ops of `rows` alone use.
  llvm::SetVector<mlir::Value> registers;
};

/// `ops`, of static shape in their order in a block, as such a chain; the error
/// says why they aren't one.
llvm::Expected<RowChain>
findRowChain(llvm::ArrayRef<mlir::linalg::LinalgOp> ops);

/// The buffers with all columns of rows that aren't in `registers`: that of the
/// product first, then those that others read.
llvm::SetVector<mlir::Value> listMatrices(const RowChain &chain);

} // namespace baco

#endif // BACO_ANALYSIS_ROWCHAIN_H
