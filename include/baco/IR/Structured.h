//===- Structured.h - Linalg ops that become loops --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The structured ops to which loop commands apply: ops of linalg's interface,
// and linalg.softmax, which doesn't implement it and decomposes into several
// (LoopNest/ExpandSoftmax.h).
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_STRUCTURED_H
#define BACO_IR_STRUCTURED_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace baco {

/// Whether `op` is a linalg op (of any number of iterators), or a softmax.
bool isStructured(mlir::Operation *op);

/// Whether `op` is such an op and all its shaped operands are tensors, or a
/// loop that yields tensors.
bool isOnTensors(mlir::Operation *op);

/// Whether `op` is such an op and all its shaped operands are memrefs.
bool isOnMemRefs(mlir::Operation *op);

/// How many loops `op`, if it is such an op, nests; 0 for others.
int64_t countIterators(mlir::Operation *op);

/// Whether the body of `op` converts elements otherwise than named contractions
/// of vectors do, which extend floats, and integers by their sign.
bool convertsOtherwise(mlir::linalg::LinalgOp op);

} // namespace baco

#endif // BACO_IR_STRUCTURED_H
