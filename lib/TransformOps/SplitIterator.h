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

namespace baco {

/// Iterator `iterator`, of extent `extent`, becomes two.
struct IteratorSplit {
  unsigned iterator;
  int64_t extent, factor;
  /// Whether it may index a sparse tensor, which remains as it is: its index
  /// becomes a sum.
  bool isSparse = false;
};

/// Replaces `op` by one with iterators `iterator`, over tiles of `factor`, and
/// `iterator` + 1, over the elements of a tile. Fails without changes, with a
/// reason in `why`, if the op can't have them.
mlir::FailureOr<mlir::linalg::GenericOp>
splitIterator(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
              const IteratorSplit &split, std::string &why);

} // namespace baco

#endif // BACO_LIB_TRANSFORMOPS_SPLITITERATOR_H
