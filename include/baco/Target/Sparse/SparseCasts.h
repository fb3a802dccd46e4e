//===- SparseCasts.h - Sparse tensors of static shape -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream lowers no cast of a sparse tensor to a static shape.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_SPARSE_SPARSECASTS_H
#define BACO_TARGET_SPARSE_SPARSECASTS_H

#include "mlir/IR/BuiltinOps.h"

namespace baco::target {

/// Assembles what casts make of sparse tensors of dynamic shape from the same
/// buffers, or, where upstream's run-time library is used, from copies that are
/// freed at the end of the block. Casts of formats that aren't supported, or
/// whose levels are all dense, stay.
void assembleSparseCasts(mlir::ModuleOp module);

} // namespace baco::target

#endif // BACO_TARGET_SPARSE_SPARSECASTS_H
