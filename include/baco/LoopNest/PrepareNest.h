//===- PrepareNest.h - Nests in the form that is read -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPNEST_PREPARENEST_H
#define BACO_LOOPNEST_PREPARENEST_H

#include "mlir/IR/PatternMatch.h"

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

} // namespace baco::loopnest

#endif // BACO_LOOPNEST_PREPARENEST_H
