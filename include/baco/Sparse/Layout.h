//===- Layout.h - How formats differ ----------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SPARSE_LAYOUT_H
#define BACO_SPARSE_LAYOUT_H

#include "baco/Sparse/Storage.h"

namespace baco::sparse {

/// Whether all buffers of both formats hold the same numbers, if the blocks
/// divide the extents. Widths may differ.
bool haveSameLayout(const StorageFormat &a, const StorageFormat &b);

/// How many outer levels of `to` entries in the order of `from` have to be
/// sorted by, stably, to be in the order of `to`: 0 if they are. Levels of
/// `from` must be in increasing order.
size_t countLevelsToSort(const StorageFormat &from, const StorageFormat &to);

} // namespace baco::sparse

#endif // BACO_SPARSE_LAYOUT_H
