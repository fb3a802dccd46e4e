//===- KeepHeap.h - Buffers that stay with the process ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_KEEPHEAP_H
#define BACO_TARGET_CPU_KEEPHEAP_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace baco::target {

/// A pass, `baco-keep-heap`, that lets glibc keep the memory of a function's
/// buffers from one call to the next: the function first allocates and frees a
/// block of half of their size, unless one of them is that large. At most 62 MB
/// are kept.
std::unique_ptr<mlir::Pass> createKeepHeapPass();

} // namespace baco::target

#endif // BACO_TARGET_CPU_KEEPHEAP_H
