//===- WidenReductions.h - Reductions carried as vectors --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPTRANSFORMS_WIDENREDUCTIONS_H
#define BACO_LOOPTRANSFORMS_WIDENREDUCTIONS_H

#include "mlir/IR/Operation.h"

namespace baco::loopnest {

/// Lets affine loops in `root`, from the inside out, carry vectors where they
/// carried a scalar to which `vector.reduction` adds the lanes of a vector in
/// each iteration (or combines them in another way); the lanes are then added
/// up once, after the loop. If an iteration adds several vectors in a chain, as
/// unrolling makes it, each has an accumulator of its own, so that none waits
/// for another.
///
/// Reductions of floats must have the flag `reassoc`, unless they are minima or
/// maxima.
void widenReductions(mlir::Operation *root);

} // namespace baco::loopnest

#endif // BACO_LOOPTRANSFORMS_WIDENREDUCTIONS_H
