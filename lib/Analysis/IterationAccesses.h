//===- IterationAccesses.h - Accesses of a kernel's iterations -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op can be done in a kernel if what it shares with others there, as far as
// one of them writes it, is accessed in the same iteration only.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_ANALYSIS_ITERATIONACCESSES_H
#define BACO_LIB_ANALYSIS_ITERATIONACCESSES_H

#include "baco/Analysis/PlacedOp.h"

#include "llvm/ADT/MapVector.h"

namespace baco {

/// Whether the body of `op` may get zeros that aren't in its operands.
bool canBeDoneForZeros(mlir::linalg::LinalgOp op);

/// Whether the body of `op` is arithmetic on scalars alone.
bool isArithmetic(mlir::linalg::LinalgOp op);

/// Whether the body of `op` uses elements of `operand`.
bool isRead(mlir::linalg::LinalgOp op, mlir::OpOperand &operand);

/// What ops of a kernel access in an iteration.
class IterationAccesses {
public:
  IterationAccesses() = default;
  /// `result` is written, whose dimensions are those of the kernel.
  explicit IterationAccesses(mlir::Value result);

  bool isWritten(mlir::Value memref) const { return written.contains(memref); }

  /// An op that sets the result, its first output.
  PlacedOp describeBefore(mlir::linalg::LinalgOp op) const;

  /// An op that reads what is written already; nothing if `op` isn't one.
  std::optional<PlacedOp> describeAfter(mlir::linalg::LinalgOp op) const;

  /// Whether other iterations neither write what `op` reads, nor access what it
  /// writes.
  bool areSeparate(const PlacedOp &described) const;

  void add(const PlacedOp &described);

private:
  using Dims = llvm::SmallVector<unsigned>;

  /// Memrefs, and the dimensions of the kernel that index them. The first that
  /// is written is the result.
  llvm::MapVector<mlir::Value, Dims> written;
  llvm::SmallVector<std::pair<mlir::Value, Dims>> read;
};

} // namespace baco

#endif // BACO_LIB_ANALYSIS_ITERATIONACCESSES_H
