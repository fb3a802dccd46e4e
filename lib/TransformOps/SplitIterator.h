//===- SplitIterator.h - Two iterators in place of one ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TRANSFORMOPS_SPLITITERATOR_H
#define BACO_LIB_TRANSFORMOPS_SPLITITERATOR_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/Error.h"

namespace baco {

/// Iterator `iterator`, of extent `extent`, becomes two.
struct IteratorSplit {
  unsigned iterator;
  int64_t extent, factor;
  /// Whether it may index a sparse tensor, which remains as it is: its index
  /// becomes a sum.
  bool isSparse = false;
};

/// The error says why the iterator can't be split.
llvm::Error checkSplit(mlir::linalg::LinalgOp op, const IteratorSplit &split);

/// Replaces `op`, where this is possible, by one with iterators `iterator`,
/// over tiles of `factor`, and `iterator` + 1, over the elements of a tile.
mlir::linalg::GenericOp splitIterator(mlir::RewriterBase &rewriter,
                                      mlir::linalg::GenericOp op,
                                      const IteratorSplit &split);

} // namespace baco

#endif // BACO_LIB_TRANSFORMOPS_SPLITITERATOR_H
