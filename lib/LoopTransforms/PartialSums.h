//===- PartialSums.h - Sums of parallel iterations --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPTRANSFORMS_PARTIALSUMS_H
#define BACO_LIB_LOOPTRANSFORMS_PARTIALSUMS_H

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

} // namespace baco::loopnest

#endif // BACO_LIB_LOOPTRANSFORMS_PARTIALSUMS_H
