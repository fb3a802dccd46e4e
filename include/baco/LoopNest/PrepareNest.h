//===- PrepareNest.h - Nests before they are read ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPNEST_PREPARENEST_H
#define BACO_LOOPNEST_PREPARENEST_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/PatternMatch.h"

#include <string>

namespace baco::loopnest {

/// The largest depth of a nest, not counting loops in it that run once.
inline constexpr unsigned maxDepth = 16;

/// The limit on isl's work for one nest; see polyhedral::Context. The LU
/// factorization for 8 threads, the most complex nest of the tests, takes three
/// quarters of it.
inline constexpr uint64_t maxNestWork = 1'000'000'000;

/// The same for the simple plan of a nest whose plan takes more than that.
/// Less, because candidates apply it within their own time limit.
inline constexpr uint64_t maxSimpleWork = maxNestWork / 2;

/// May `op`, which stands between two nests, move in front of `first`, of the
/// same block: is it a value or an allocation that needs nothing in between?
bool canHoist(mlir::Operation *op, mlir::Operation *first);

/// Brings `first` ... `last`, operations of one block, into the form that
/// extractNest reads: linalg ops become loops, what canHoist moves, loops
/// become affine ones with steps of 1 (where they don't start at a maximum) and
/// the values that they carry stand in memory. `first` and `last` become what
/// replaces them. Fails if a linalg op has no form as
/// loops; `fail` is given it, and the reason.
llvm::LogicalResult prepareNest(
    mlir::RewriterBase &rewriter, mlir::Operation *&first,
    mlir::Operation *&last,
    llvm::function_ref<void(mlir::Operation *, const llvm::Twine &)> fail);

/// Moves, where dependences allow, that loop of each statement of `nest`
/// innermost along which its accesses are contiguous or invariant; statements
/// that prevent this get their own loops. Each element gets its values, and
/// each sum its terms, in the order that they had. `nest` is a loop of the
/// affine or scf dialect, at best of static bounds and memrefs.
///
/// Returns whether it was replaced. No diagnostics if not: it has no better
/// order, can't be analyzed, or the analysis took too many steps. Its loops may
/// have become affine ones that carry values in memory.
bool makeInnermostContiguous(mlir::Operation *nest);

/// In `root` and what is in it: scf.for, scf.parallel and scf.forall become
/// affine.for where bounds are affine and steps are positive constants, and so
/// does affine.parallel, in an order that these allow; what they reduce is
/// carried. (Not so a scf.forall of tensors, and an affine.parallel that
/// reduces by "assign" or has results that are no signless numbers.) scf.if
/// becomes affine.if where its condition is a conjunction of affine
/// comparisons; loads and stores of the memref dialect become affine ones where
/// subscripts are affine. Other ops stay. Returns the op that has replaced
/// `root`.
mlir::Operation *raiseToAffine(mlir::RewriterBase &rewriter,
                               mlir::Operation *root);

/// The reason why raiseToAffine left a loop, for a message that begins with its
/// name.
std::string describeNotAffine(mlir::Operation *loop);

/// Replaces the scf.if ops in `root` that have results by selections if their
/// branches are short, and may be executed whatever the condition is. Sums and
/// products that a selection keeps as they are add or multiply by something
/// neutral instead.
void raiseConditionals(mlir::RewriterBase &rewriter, mlir::Operation *root);

/// Lets the affine.for loops in `root`, itself included, carry values in memory
/// instead of by iter_args: in the element to which the result is stored, if
/// nothing else in the op touches that memory, else in a scratch
/// array with one element for each iteration of the loops around (in `root`,
/// if their bounds are constant), allocated in front of `root`. An affine.if
/// whose result is that element's next value becomes one that stores it, or
/// leaves it alone. Returns what `root` has become.
mlir::Operation *demoteCarriedValues(mlir::RewriterBase &rewriter,
                                     mlir::Operation *root);

} // namespace baco::loopnest

#endif // BACO_LOOPNEST_PREPARENEST_H
