//===- SparseConversion.h - Code that changes formats -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_SPARSE_SPARSECONVERSION_H
#define BACO_LIB_TARGET_SPARSE_SPARSECONVERSION_H

#include "IndexCode.h"
#include "SparseBuffers.h"

namespace baco::target {

/// Writes code that makes buffers of `source` for a tensor of `type`, whose
/// format is supported. `source` may be dense: its only buffer has all elements
/// in the order of the dimensions. Buffers that don't differ are shared, others
/// allocated. Those for which `isFreed` holds aren't shared. Zeros that dense
/// innermost levels store are left out, where `type` doesn't store them.
///
/// Coordinates and positions must fit the widths of `type`, and entries must
/// have different places. The code takes O(entries + extents), and sorts only
/// if the orders of levels differ. It allocates memory for as many entries as
/// `source` may have, times the extents of dense levels of `type` inside
/// others; the buffers are its used parts.
SparseBuffers convertBuffers(IndexCode &code, const SparseBuffers &source,
                             mlir::RankedTensorType type,
                             llvm::function_ref<bool(mlir::Value)> isFreed);

} // namespace baco::target

#endif // BACO_LIB_TARGET_SPARSE_SPARSECONVERSION_H
