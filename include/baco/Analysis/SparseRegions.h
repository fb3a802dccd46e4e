//===- SparseRegions.h - Ops with regions on sparse tensors -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a `sparse_tensor.unary`, `binary` or `reduce` computes depends on which
// zeros a format stores, and on the order of loops.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_ANALYSIS_SPARSEREGIONS_H
#define BACO_ANALYSIS_SPARSEREGIONS_H

#include "baco/Analysis/IterationGraph.h"

#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "llvm/ADT/SmallBitVector.h"

namespace baco {

/// A part of some elements.
enum class Share { None, Some, All };

/// The elements that `format` stores as zeros, without being entries: code
/// computes on these, too.
Share storedZeros(const sparse::StorageFormat &format);

/// When the loops that upstream makes of a `sparse_tensor.reduce` begin with
/// its identity.
enum class ReduceStart {
  /// Never: the innermost loop is one of the result, so that each iteration
  /// goes on with what an element of the result is.
  Never,
  /// Once for each element of the result.
  Once,
  /// Also in iterations of a loop that reduces, of which only the last counts.
  Repeatedly
};

/// The ops with regions in the body of a linalg op.
class SparseRegions {
public:
  explicit SparseRegions(mlir::linalg::LinalgOp op);

  /// The name of the first one; empty if there is none.
  llvm::StringRef getName() const { return name; }
  bool hasReduce() const { return bool(reduce); }
  bool hasSelect() const;
  /// Whether the result is filled with the identity of the `reduce` before.
  bool isFilledWithIdentity() const;
  /// Whether the loop, one of those of the op itself, indexes the result.
  bool isResultLoop(int64_t loop) const { return resultLoops.test(loop); }
  /// When the `reduce` begins where loops are in this order.
  ReduceStart startIn(llvm::ArrayRef<int64_t> order) const;

private:
  mlir::linalg::LinalgOp op;
  llvm::StringRef name;
  mlir::sparse_tensor::ReduceOp reduce;
  llvm::SmallBitVector resultLoops;
};

} // namespace baco

#endif // BACO_ANALYSIS_SPARSEREGIONS_H
