//===- ExtractStatements.h - Which operations run together ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A statement is a store with the operations that compute what it stores, or
// several stores of a block that can't be separated.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPNEST_EXTRACTSTATEMENTS_H
#define BACO_LIB_LOOPNEST_EXTRACTSTATEMENTS_H

#include "ExtractIndices.h"

#include "llvm/ADT/SetVector.h"

namespace baco::loopnest {

/// The role of an operation in the extraction.
enum class Role {
  /// affine.for, or affine.if without results.
  Structure,
  /// Writes memory: a store, or an operation with regions that is kept whole.
  Root,
  /// Computes a value, and may read memory.
  Value,
  /// Terminators and prefetches.
  Nothing,
};

/// Fails with an error if `op` can't be part of a static control part.
mlir::FailureOr<Role> roleOf(mlir::Operation *op);

/// A statement's operations, in the order in which they run.
struct Group {
  llvm::SmallVector<mlir::Operation *> ops;
  /// The last of its roots; the statement runs there.
  mlir::Operation *anchor = nullptr;
};

/// The operations inside of the nest whose results `root` needs, itself
/// included, in the order of the program.
llvm::SetVector<mlir::Operation *> sliceOf(mlir::Operation *root,
                                           const IndexReader &indices);

/// Whether memory that `load` reads may be written after it and before `root`,
/// which is in the block of `load` or inside of it, reads it through `load`.
/// The writing operation; null if there is none.
mlir::Operation *writtenBetween(mlir::Operation *load, mlir::Operation *root);

/// The statements of `block`, in order. Fails with an error at an operation
/// whose value can't be computed where it is needed.
mlir::FailureOr<llvm::SmallVector<Group>>
groupStatements(mlir::Block &block, const IndexReader &indices,
                llvm::ArrayRef<mlir::Operation *> ops);

} // namespace baco::loopnest

#endif // BACO_LIB_LOOPNEST_EXTRACTSTATEMENTS_H
