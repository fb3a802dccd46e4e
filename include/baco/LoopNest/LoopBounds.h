//===- LoopBounds.h - Trip counts and bounds of loops -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trip counts of affine loops where they are known, and the bounds of the two
// loops that a loop is cut into when several of its iterations are done at
// once: a main loop of full groups, and a remainder.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPNEST_LOOPBOUNDS_H
#define BACO_LOOPNEST_LOOPBOUNDS_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

#include <optional>

namespace baco::loopnest {

/// A bound, or anything else that is affine in index values.
struct LoopBound {
  mlir::AffineMap map;
  llvm::SmallVector<mlir::Value> operands;
};

/// The bounds of `loop`.
LoopBound lowerBoundOf(mlir::affine::AffineForOp loop);
LoopBound upperBoundOf(mlir::affine::AffineForOp loop);

/// The number of iterations, if it is the same in every execution.
std::optional<int64_t> constantTripCount(mlir::affine::AffineForOp loop);

/// A constant that the number of iterations never exceeds, if one is known.
std::optional<int64_t> maximalTripCount(mlir::affine::AffineForOp loop);

/// Whether the loop provably has an iteration whenever it is reached. Looks at
/// the ranges of the surrounding affine loops.
bool runsAtLeastOnce(mlir::affine::AffineForOp loop);

/// Whether the number of iterations is provably a multiple of `factor` >= 1.
bool tripCountIsMultipleOf(mlir::affine::AffineForOp loop, int64_t factor);

/// Puts `loop` into an `affine.if` that holds when the loop has an iteration;
/// its results, otherwise, are the initial values. Does nothing if the loop
/// runs at least once anyway.
void guardAgainstNoIteration(mlir::affine::AffineForOp loop);

/// Makes both bounds of `loop` a single expression. A maximum or a minimum has
/// no name in affine code, so the loop is put into loops of at most one
/// iteration, whose induction variables hold it.
void bindBounds(mlir::affine::AffineForOp loop);

/// The upper bound of a loop with the same lower bound and `factor` times the
/// step, of which each iteration stands for `factor` iterations of `loop`.
LoopBound upperBoundOfGroups(mlir::affine::AffineForOp loop, int64_t factor);

/// The lower bound, a maximum, of the iterations that are left then. `loop`
/// must have single bounds.
LoopBound lowerBoundOfRest(mlir::affine::AffineForOp loop, int64_t factor);

/// The number of iterations of `loop` from `first` on: an index value, positive
/// if `first` is one of its iterations.
mlir::Value iterationsFrom(mlir::OpBuilder &builder,
                           mlir::affine::AffineForOp loop, mlir::Value first);

} // namespace baco::loopnest

#endif // BACO_LOOPNEST_LOOPBOUNDS_H
