//===- SparseSums.h - Sums in loops over sparse tensors ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps sums in registers, and takes factors out of them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_SPARSE_SPARSESUMS_H
#define BACO_LIB_TARGET_SPARSE_SPARSESUMS_H

#include "mlir/IR/Operation.h"

namespace baco::target {

/// Carries elements and vectors from round to round that a loop loads, changes
/// and stores in each round. Arguments of functions are taken to be distinct
/// memory.
void carrySums(mlir::Operation *root);

/// Takes factors that don't change in a loop out of the sum that it carries:
/// the loop sums the rest, and the product is added once behind it. This rounds
/// otherwise.
void factorSums(mlir::Operation *root);

} // namespace baco::target

#endif // BACO_LIB_TARGET_SPARSE_SPARSESUMS_H
