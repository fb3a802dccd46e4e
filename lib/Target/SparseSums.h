//===- SparseSums.h - Sums of sparse loops in registers ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What LLVM's passes don't do, or undo, for loops over stored coordinates.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_SPARSESUMS_H
#define BACO_LIB_TARGET_SPARSESUMS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco::target {

/// Unrolls loops over a few vectors that have no other loop in them and are in
/// another loop.
void unrollVectorLoops(mlir::Operation *root);

/// Where a loop reads elements, or vectors, at places that don't depend on it,
/// and writes them to the same places, carries them from iteration to
/// iteration: they are read before the loop and written behind it.
/// `areDistinct`: arguments of `function` don't overlap.
void carrySums(mlir::func::FuncOp function, bool areDistinct);

/// Moves fills into the loops that follow, as far inside as an iteration
/// accesses just one slice of what is filled. What is read of a slice before it
/// is written becomes the fill's value, and a fill of what is written anyway
/// goes.
void fuseFills(mlir::func::FuncOp function);

} // namespace baco::target

#endif // BACO_LIB_TARGET_SPARSESUMS_H
