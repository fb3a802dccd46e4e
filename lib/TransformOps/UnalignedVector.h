//===- UnalignedVector.h - Vectors at any element ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TRANSFORMOPS_UNALIGNEDVECTOR_H
#define BACO_LIB_TRANSFORMOPS_UNALIGNEDVECTOR_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace baco {

/// A vector of memory that may begin at any element. GPUs access vectors at
/// multiples of their size only: the two of them that it lies in are loaded,
/// and shifted where the vector is used, so that nothing waits for them before.
class UnalignedVector {
public:
  /// Whether vectors of `type` can be loaded so from `memory`, which nobody
  /// writes: its elements lie one after another, and there are enough.
  static bool canLoad(mlir::MemRefType memory, mlir::VectorType type);

  /// Loads what `value` needs of the vector from the element at `indices` on.
  /// The indices may be outside of the memory, but not below 0.
  UnalignedVector(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::Value memory, mlir::VectorType type,
                  mlir::ValueRange indices);

  /// The vector. Not specified unless `isLoaded`, which doesn't hold for the
  /// last elements of memory.
  mlir::Value value(mlir::OpBuilder &builder, mlir::Location loc) const;
  mlir::Value isLoaded() const { return loaded; }

private:
  mlir::VectorType type;
  /// Two vectors of `type` after each other, and the first element of the two
  /// that is in the vector.
  mlir::Value both, first;
  mlir::Value loaded;
};

} // namespace baco

#endif // BACO_LIB_TRANSFORMOPS_UNALIGNEDVECTOR_H
