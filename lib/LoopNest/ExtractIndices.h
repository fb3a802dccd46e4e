//===- ExtractIndices.h - Index values as affine expressions ----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expresses index values as functions of the loops around them and of
// loop-invariant values, and finds the memory of memref values.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPNEST_EXTRACTINDICES_H
#define BACO_LIB_LOOPNEST_EXTRACTINDICES_H

#include "baco/LoopNest/Extract.h"
#include "baco/LoopNest/MemoryAccess.h"

#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace baco::loopnest {

/// The loops around an operation, outermost first, by their iterators.
using Iterators = llvm::ArrayRef<mlir::Value>;

class IndexReader {
public:
  /// Adds to the parameters and arrays of `nest`, which consists of the
  /// operations `first` ... `last` of one block.
  IndexReader(Nest &nest, mlir::Operation *first, mlir::Operation *last);

  /// Whether `op` is one of the nest's operations or inside of one.
  bool isInside(mlir::Operation *op) const;
  /// Whether `value` is computed in the nest.
  bool isInside(mlir::Value value) const;

  /// `value` over `iterators` as dimensions and parameters as symbols; null if
  /// it isn't affine.
  mlir::AffineExpr read(mlir::Value value, Iterators iterators);
  /// The results of an affine map, applied to `operands`; nothing if one of
  /// them isn't affine.
  std::optional<llvm::SmallVector<mlir::AffineExpr>>
  read(mlir::AffineMap map, mlir::ValueRange operands, Iterators iterators);
  /// The subscripts of a load or store of the affine or memref dialect.
  std::optional<llvm::SmallVector<mlir::AffineExpr>>
  readSubscripts(mlir::Operation *access, Iterators iterators);
  /// Finds what is known of a load or store whose subscripts aren't all affine.
  void readLastSubscript(NestAccess &access, Iterators iterators);

  /// The index in `nest.arrays` of what `memref` refers to.
  size_t array(mlir::Value memref);

private:
  mlir::AffineExpr parameter(mlir::Value value,
                             std::optional<int64_t> dimension = std::nullopt);
  mlir::AffineExpr readExtent(mlir::Value memref, int64_t dimension);
  void connect(mlir::Value memref);

  Nest &nest;
  mlir::Block *block;
  llvm::DenseSet<mlir::Operation *> operations;
  llvm::DenseMap<mlir::Value, size_t> arrays;
  /// The accessed memrefs, in program order, and which of them may alias.
  llvm::SmallVector<mlir::Value> memrefs;
  llvm::EquivalenceClasses<mlir::Value> connected;
};

/// `expression` in isl's notation, with `i<n>` for dimensions and `p<n>` for
/// symbols.
std::string toText(mlir::AffineExpr expression);

/// The parts of a load or store of one element.
mlir::Value accessedMemref(mlir::Operation *access);
mlir::Value storedValue(mlir::Operation *store);

/// Whether `op` has effects other than those of what is in its regions, or such
/// that aren't known.
bool hasOwnEffects(mlir::Operation *op);

} // namespace baco::loopnest

#endif // BACO_LIB_LOOPNEST_EXTRACTINDICES_H
