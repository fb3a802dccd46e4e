//===- SparseBuffers.h - Sparse tensors as buffers --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_SPARSE_SPARSEBUFFERS_H
#define BACO_LIB_TARGET_SPARSE_SPARSEBUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace baco::target {

/// The values that replace a sparse tensor in code.
struct SparseBuffers {
  mlir::RankedTensorType type;
  /// Memrefs of rank 1: for each level its positions and its coordinates, as
  /// far as it stores them, and the values.
  llvm::SmallVector<mlir::Value> buffers;
  /// The extents of the dimensions.
  llvm::SmallVector<mlir::OpFoldResult> extents;

  mlir::Value values() const { return buffers.back(); }
};

/// The types of the elements of these buffers.
llvm::SmallVector<mlir::Type> elementTypes(mlir::RankedTensorType type);

/// Replaces sparse tensors that functions take, return and pass to each other
/// by their buffers (see runtime::CompiledKernel::formats), each followed by an
/// `index` for each dynamic extent. Bodies assemble tensors of these for ops
/// that compute; casts, conversions and reads of buffers become code. Fails
/// with a diagnostic if a format isn't supported or has blocks that don't
/// divide the extents, if a function returns a tensor that it hasn't converted,
/// or if something calls one that returns a sparse tensor.
llvm::LogicalResult flattenSparseTensors(mlir::ModuleOp module);

} // namespace baco::target

#endif // BACO_LIB_TARGET_SPARSE_SPARSEBUFFERS_H
