//===- SparseLoops.h - Loops over sparse tensors ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's sparsifier and vectorizer should check some things, and leave
// others to be done. Fills and sums come to stay in registers.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_SPARSE_SPARSELOOPS_H
#define BACO_LIB_TARGET_SPARSE_SPARSELOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Operation.h"

namespace baco {
struct SparsifierOptions;
} // namespace baco

namespace baco::target {

/// Makes named linalg ops with sparse operands general ones: upstream's
/// sparsifier lowers no others.
void generalizeSparseOps(mlir::Operation *root);

/// Leaves the order of loops to upstream where operands have blocks: an
/// iterator becomes several loops, of which it can't say the order, and with
/// `sorted = true` upstream's sparsifier crashes for some formats. It also
/// crashes where such an iterator comes before one that has no blocks: these
/// come first then.
void releaseOrderOfBlocks(mlir::Operation *root);

/// Fails with a diagnostic if a `linalg.generic` whose order is fixed (`sorted
/// = true`) visits a level of a sparse operand before one above it: upstream's
/// sparsifier crashes then.
llvm::LogicalResult checkLevelOrder(mlir::Operation *root);

/// Fails with a diagnostic if several iterations of a parallel loop may write
/// one element: upstream's sparsifier also makes outermost reductions parallel.
llvm::LogicalResult checkRaces(mlir::Operation *root);

/// Lets sums of vectors be computed in any order, as the vectors' elements
/// already are, and, where a schedule says how long vectors are, products be
/// rounded with the sums that they are added to. Not where a loop sums one
/// number after the other: an addition takes half the time of a fused one, and
/// each waits for the one before.
void relaxArithmetic(mlir::Operation *root);

/// Keeps LLVM from unrolling loops over stored coordinates around loops of
/// known length: the rounds that are left would have a copy of these that works
/// in memory, while the sums of the other rounds stay in registers.
void keepOuterLoopsRolled(mlir::Operation *root);

/// Keeps LLVM from unrolling loops of known length around loops that load
/// elements narrower than 32 bits at stored coordinates. LLVM vectorizes the
/// inner loops if they sum integers. No instruction gathers such elements, so
/// that a round has up to a hundred loads, of which copies take seconds to
/// compile.
void keepAroundGathersRolled(mlir::Operation *root);

/// Keeps LLVM from unrolling long sums of vectors completely: it would then
/// load all that they read before loops over entries, which have one round or
/// few, and spill it.
void keepSumsRolled(mlir::Operation *root);

/// Lets LLVM unroll the innermost loops over stored coordinates by
/// `options.unroll`, unless that is 0, of which it chooses. Loops over vectors
/// that were peeled stay as they are.
void unrollRows(mlir::Operation *root, const SparsifierOptions &options);

/// Makes one loop over entries of a loop over segments of equal coordinates and
/// that over the entries of a segment, unless a segment sums something: looking
/// for the ends of segments costs more than to load each coordinate.
void mergeSegments(mlir::Operation *root);

/// Replaces views of whole buffers, which assembling leaves, by these buffers,
/// so that all see which of them is accessed.
void forwardWholeBuffers(mlir::Operation *root);

/// Moves fills into the loops that follow, as far inside as an iteration
/// accesses just one slice of what is filled. What is read of a slice before it
/// is written becomes the fill's value, and a fill of what is written anyway
/// goes.
void fuseFills(mlir::func::FuncOp function);

/// Carries elements and vectors from round to round that a loop loads, changes
/// and stores in each round. Arguments of functions are taken to be distinct
/// memory.
void carrySums(mlir::Operation *root);

/// Takes factors that don't change in a loop out of the sum that it carries:
/// the loop sums the rest, and the product is added once behind it. This rounds
/// otherwise.
void factorSums(mlir::Operation *root);

/// Makes one vector of innermost loops of short known length that write their
/// elements: a tile of the result.
void vectorizeTiles(mlir::Operation *root);

/// Vectorizes the innermost loops that are left as `options` say. With
/// `options.peel`, loops of unknown length become one over full vectors, which
/// has no masks, and one of at most one round for the elements that are left;
/// both gather elements by a load each. Sums get a loop before these, which
/// takes `options.unroll` vectors at once, each with lanes of its own.
void vectorizeLoops(mlir::Operation *root, const SparsifierOptions &options);

} // namespace baco::target

#endif // BACO_LIB_TARGET_SPARSE_SPARSELOOPS_H
