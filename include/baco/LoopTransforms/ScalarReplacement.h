//===- ScalarReplacement.h - Keeps memory in registers ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalar replacement for scalars and vectors. Upstream's affineScalarReplace
// compares the first elements of vectors only, and doesn't carry what a loop
// writes.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPTRANSFORMS_SCALARREPLACEMENT_H
#define BACO_LOOPTRANSFORMS_SCALARREPLACEMENT_H

#include "mlir/IR/PatternMatch.h"

namespace baco::loopnest {

/// Keeps in SSA values, in all blocks of the operations between `begin` and
/// `end`, which are in one block, from the inside out, and then in that part of
/// their block,
///  * within a block: what was stored or loaded before, and drops stores that
///    are overwritten before anything may read them;
///  * in affine loops: elements or vectors at addresses that don't change in
///    the loop and that overlap no other access in it. They are loaded before
///    the loop, carried by its `iter_args`, and stored after it. If the loop
///    may have no iteration, all that is put under an `affine.if`.
/// Before a loop would carry it, a buffer that is allocated there and that
/// nothing reads any more is erased with the stores to it: a loop that used it
/// as a scalar of each iteration can then be vectorized.
///
/// Masked accesses count if they have the same mask, or equal constant ones.
/// Accesses are compared by the differences of their affine subscripts. Memory
/// that comes from different allocations, globals or function arguments is
/// taken to be distinct. Volatile or concurrent accesses by others are not
/// considered.
///
/// The dialects affine, arith and ub must be loaded.
void replaceWithScalars(mlir::Operation *begin, mlir::Operation *end);

/// Erases allocations that `ops` write to and that nothing in the function
/// reads any more, with the stores to them: such as temporaries between two
/// nests that have been fused. `ops` are updated.
void eraseUnreadBuffers(mlir::RewriterBase &rewriter,
                        llvm::SmallVectorImpl<mlir::Operation *> &ops);

} // namespace baco::loopnest

#endif // BACO_LOOPTRANSFORMS_SCALARREPLACEMENT_H
