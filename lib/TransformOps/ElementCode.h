//===- ElementCode.h - Code for some elements of a kernel ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bodies of linalg ops for an element, or for neighbors in a vector.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TRANSFORMOPS_ELEMENTCODE_H
#define BACO_LIB_TRANSFORMOPS_ELEMENTCODE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace baco {

/// Writes code for the elements at one place of a kernel's iterations.
struct ElementCode {
  mlir::OpBuilder &builder;
  mlir::Location loc;
  /// The place: an index along each dimension. A vector has neighbors along the
  /// last one.
  llvm::SmallVector<mlir::Value> at;
  /// The shape of vectors; null for one element.
  mlir::VectorType vector;

  /// `type`, or a vector of it.
  mlir::Type widen(mlir::Type type) const;
  /// `scalar`, or a vector of it.
  mlir::Value widen(mlir::Value scalar);

  /// The elements in `memref`, which `dims` of the dimensions index.
  mlir::Value read(mlir::Value memref, llvm::ArrayRef<unsigned> dims);
  void write(mlir::Value value, mlir::Value memref,
             llvm::ArrayRef<unsigned> dims);

  /// What the body of `op` yields, where `valueOf` has the elements of its
  /// operands, scalar ones excepted.
  llvm::SmallVector<mlir::Value>
  compute(mlir::linalg::LinalgOp op,
          llvm::function_ref<mlir::Value(mlir::OpOperand &)> valueOf);

private:
  /// The place of element `i` in a memref that `dims` index.
  llvm::SmallVector<mlir::Value> placeIn(llvm::ArrayRef<unsigned> dims,
                                         int64_t i);
  bool isVectorIn(mlir::Value memref, llvm::ArrayRef<unsigned> dims) const;
};

} // namespace baco

#endif // BACO_LIB_TRANSFORMOPS_ELEMENTCODE_H
