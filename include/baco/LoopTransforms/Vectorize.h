//===- Vectorize.h - Iterations of a loop as lanes --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectorization of one affine loop, innermost or not. Upstream's
// affine-super-vectorize ignores the remainder when the width doesn't divide
// the trip count, and crashes on sequential inner loops that carry values.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPTRANSFORMS_VECTORIZE_H
#define BACO_LOOPTRANSFORMS_VECTORIZE_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace baco::loopnest {

/// Elements of a vector beyond which the code of one operation no longer fits
/// any register file, by far.
constexpr int64_t maxVectorWidth = 1024;

/// Does `width` iterations of `loop` at a time, each in a lane of vectors. The
/// caller has checked that the iterations are independent, but for reductions
/// X = X op f(i), in memory or carried by the loop; those are done in another
/// order (each lane sums for itself), floating-point ones too.
///
/// A loop of `width` iterations or less vanishes. The remainder, when the trip
/// count isn't a multiple, is done once under a mask; or by the scalar loop, if
/// an access isn't contiguous. Accesses with other strides, and those that
/// aren't linear in the induction variable, are one scalar access per lane.
///
/// Fails with an error at the operation that prevents it, and changes nothing,
/// if `width` isn't a power of two from 2 to maxVectorWidth (LLVM splits
/// vectors of other lengths into scalars); if the bounds of an inner loop or
/// the condition of an inner `affine.if` depend on the induction variable; if
/// an element that all iterations write isn't a reduction; or if an operation
/// has no vector form.
llvm::LogicalResult vectorizeLoop(mlir::affine::AffineForOp loop,
                                  int64_t width);

} // namespace baco::loopnest

#endif // BACO_LOOPTRANSFORMS_VECTORIZE_H
