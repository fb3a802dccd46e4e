//===- LoopTransforms.h - Transformations of affine loops -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's affine-super-vectorize ignores the remainder when the width
// doesn't divide the trip count, and crashes on sequential inner loops that
// carry values; its affineScalarReplace compares the first elements of vectors
// only, and doesn't carry what a loop writes. Unrolling takes loops with any
// bounds: the order of the copies is the order of the iterations; unroll-and-
// jam is to put the loop innermost first.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPTRANSFORMS_LOOPTRANSFORMS_H
#define BACO_LOOPTRANSFORMS_LOOPTRANSFORMS_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/PatternMatch.h"

namespace baco::loopnest {

/// Gives the floating-point products, sums and differences in `root`
/// `fastmath<contract>`, so that every compiler may fuse them. Excepted are
/// sums of scalars that a loop carries, if the loop carries fewer than eight:
/// each iteration waits for the one before, for the latency of a sum (2 to 4
/// cycles), or, if it is fused, for that of a multiply-add (4 cycles).
void allowContraction(mlir::Operation *root);

/// Divides vectors in affine loops in `ops` by a scalar that doesn't change in
/// the innermost loop around by multiplying with its reciprocal, computed in
/// front of that loop. A quotient is then rounded twice (an error of less than
/// 1.5 units in the last place), has fewer digits where the reciprocal is
/// denormal, and is infinite or NaN where that of a denormal divisor overflows.
/// An op without a use any more is erased, also from `ops`.
void hoistDivisions(llvm::SmallVectorImpl<mlir::Operation *> &ops);

/// Marks `loop` by an attribute that prefetchMarked removes: data that it reads
/// are prefetched `ahead` iterations ahead, at least 1.
void markForPrefetch(mlir::affine::AffineForOp loop, int64_t ahead);

/// Adds prefetches of data that later iterations of marked loops read. A memref
/// of which an iteration reads one piece gets memref.prefetch ops in the
/// innermost loops, so that each cache line is prefetched once, if the trip
/// counts of these loops are known. For each other vector that an innermost
/// loop in a marked one loads, if its address moves with both, affine.prefetch
/// ops are put in front of the load, one for each cache line. Behind the loop's
/// end that may be no element of the memref: a prefetch never fails.
void prefetchMarked(mlir::Operation *root);

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

/// Copies that unrolling one loop may make: beyond it the code no longer fits
/// any cache, and compiling it takes minutes.
constexpr int64_t maxUnrolledCopies = 1024;

/// Replaces `loop` by copies of its body, one for each iteration. Fails with an
/// error at the loop, which is then unchanged, if the trip count isn't a
/// constant, or more than maxUnrolledCopies.
llvm::LogicalResult unrollFully(mlir::affine::AffineForOp loop);

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

#endif // BACO_LOOPTRANSFORMS_LOOPTRANSFORMS_H
