//===- VectorParts.h - Parts of vectorization -------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums in parts and transposed copies are vectorized otherwise than other
// loops.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPTRANSFORMS_VECTORPARTS_H
#define BACO_LIB_LOOPTRANSFORMS_VECTORPARTS_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace baco::loopnest {

/// Each iteration of `loop`, whose iterations are to run at the same time, gets
/// an element of its own for what all of them combine in a single element X by
/// X = X op v, unless X is in one of the memrefs `own`, of which each iteration
/// has its own anyway. The elements, in cache lines of their own, are combined
/// in the order of the iterations behind the loop, so that the result doesn't
/// depend on which thread was faster. Does nothing if there are no such sums.
/// Fails, with an error at `loop`, if the number of iterations isn't constant,
/// or if the loop uses X in another way, too.
llvm::LogicalResult sumInParts(mlir::affine::AffineForOp loop,
                               mlir::ValueRange own);

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

#endif // BACO_LIB_LOOPTRANSFORMS_VECTORPARTS_H
