//===- TransposeCopies.h - Copies that transpose ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPTRANSFORMS_TRANSPOSECOPIES_H
#define BACO_LIB_LOOPTRANSFORMS_TRANSPOSECOPIES_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace baco::loopnest {

/// If `inner` and a loop around it do nothing but copy elements, and those read
/// follow each other along one of the two loops, those written along the other,
/// in memory that doesn't overlap: squares of `width` rows, at most 16, are
/// loaded as vectors, transposed in registers and stored as vectors. What is
/// left at the ends is copied element by element. The loops get larger steps;
/// `inner` vanishes if it then has a single iteration. Fails, and changes
/// nothing, if this isn't such a copy, or if `width` isn't a power of two from
/// 2 on.
llvm::LogicalResult transposeCopy(mlir::affine::AffineForOp inner,
                                  int64_t width);

} // namespace baco::loopnest

#endif // BACO_LIB_LOOPTRANSFORMS_TRANSPOSECOPIES_H
