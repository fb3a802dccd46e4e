//===- SparseVectors.h - Vectors in loops over sparse tensors ---*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's vectorizer, which takes the loops that its sparsifier made, for
// the loops where it pays, and around it what it leaves to be done.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_SPARSE_SPARSEVECTORS_H
#define BACO_LIB_TARGET_SPARSE_SPARSEVECTORS_H

#include "mlir/IR/Operation.h"

namespace baco {
struct SparsifierOptions;
} // namespace baco

namespace baco::target {

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

#endif // BACO_LIB_TARGET_SPARSE_SPARSEVECTORS_H
