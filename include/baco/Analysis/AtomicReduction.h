//===- AtomicReduction.h - Reductions by atomic operations ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks of a grid combine their parts of one result by atomic operations.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_ANALYSIS_ATOMICREDUCTION_H
#define BACO_ANALYSIS_ATOMICREDUCTION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/Error.h"

namespace baco {

struct AtomicReduction {
  /// The operation in the body that reduces.
  mlir::Operation *combiner;
  mlir::arith::AtomicRMWKind kind;
};

/// How `op` reduces its one iterator to one element, by an operation that is
/// atomic on GPUs; the error says why it doesn't.
llvm::Expected<AtomicReduction> matchAtomicReduction(mlir::linalg::LinalgOp op);

} // namespace baco

#endif // BACO_ANALYSIS_ATOMICREDUCTION_H
