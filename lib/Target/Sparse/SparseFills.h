//===- SparseFills.h - Fills of the results of sparse loops -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_SPARSE_SPARSEFILLS_H
#define BACO_LIB_TARGET_SPARSE_SPARSEFILLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco::target {

/// Moves fills into the loops that follow, as far inside as an iteration
/// accesses just one slice of what is filled. What is read of a slice before it
/// is written becomes the fill's value, and a fill of what is written anyway
/// goes.
void fuseFills(mlir::func::FuncOp function);

} // namespace baco::target

#endif // BACO_LIB_TARGET_SPARSE_SPARSEFILLS_H
