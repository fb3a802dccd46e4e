//===- LowerStructured.h - linalg ops as affine loops -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A linalg op on memrefs means a loop nest with one statement for each output;
// what schedules loops schedules it in this form.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPNEST_LOWERSTRUCTURED_H
#define BACO_LOOPNEST_LOWERSTRUCTURED_H

#include "mlir/IR/Operation.h"

namespace baco::loopnest {

/// Is `op` a linalg op on memrefs only, with a loop at least?
bool isStructuredNest(mlir::Operation *op);

/// Replaces `op`, for which `isStructuredNest` holds, by affine.for loops in
/// the order of its iterators. Returns the outermost one; null, with `op` left
/// as it is, if there are no such loops.
mlir::Operation *lowerStructured(mlir::Operation *op);

} // namespace baco::loopnest

#endif // BACO_LOOPNEST_LOWERSTRUCTURED_H
