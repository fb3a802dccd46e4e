//===- Raise.h - Loops in the form that extraction reads --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewritings that keep the meaning of a program and let more of it be affine.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPNEST_RAISE_H
#define BACO_LOOPNEST_RAISE_H

#include "mlir/IR/PatternMatch.h"

#include <string>

namespace baco::loopnest {

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

#endif // BACO_LOOPNEST_RAISE_H
