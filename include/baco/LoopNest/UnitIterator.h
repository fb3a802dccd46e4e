//===- UnitIterator.h - Ops whose result is one element ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scalar in memory has no dimension, and its op no iterator that blocks and
// threads could share.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPNEST_UNITITERATOR_H
#define BACO_LOOPNEST_UNITITERATOR_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace baco::loopnest {

/// Replaces `op`, which is on memrefs and has no parallel iterator, by a
/// `linalg.generic` with a parallel one of extent 1 before its others. Operands
/// without dimensions are views of shape [1] then, one of each memref. Fails if
/// a result has more than one element, or if `op` can't be a generic one.
mlir::FailureOr<mlir::linalg::GenericOp>
addUnitIterator(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op);

} // namespace baco::loopnest

#endif // BACO_LOOPNEST_UNITITERATOR_H
