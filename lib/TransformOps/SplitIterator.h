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

/// Replaces `op` by one with iterators `iterator`, over tiles of `factor`, and
/// `iterator` + 1, over the elements of a tile. Fails without changes, with a
/// reason in `why`, if the op can't have them.
mlir::FailureOr<mlir::linalg::GenericOp>
splitIterator(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
              unsigned iterator, int64_t factor, std::string &why);

} // namespace baco

#endif // BACO_LIB_TRANSFORMOPS_SPLITITERATOR_H
