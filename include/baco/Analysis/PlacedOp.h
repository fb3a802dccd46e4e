//===- PlacedOp.h - Ops in the iterations of a kernel ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several linalg ops on memrefs in one kernel: which dimensions of its
// iterations index their operands.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_ANALYSIS_PLACEDOP_H
#define BACO_ANALYSIS_PLACEDOP_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace baco {

/// Whether nothing can tell if `op` is done before or after another op.
bool isIndependent(mlir::Operation *op);

/// Whether operations on scalars are all that `op`, whose iterators are
/// parallel, has; each operand is indexed by some of these.
bool isElementwise(mlir::linalg::LinalgOp op);

/// An op that is done in the iterations of a kernel.
struct PlacedOp {
  mlir::linalg::LinalgOp op;
  /// For each operand, the dimensions of the kernel that index its; empty for a
  /// scalar.
  llvm::SmallVector<llvm::SmallVector<unsigned>> dims;
};

} // namespace baco

#endif // BACO_ANALYSIS_PLACEDOP_H
