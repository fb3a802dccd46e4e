//===- KeepHeap.h - Buffers that stay with the process ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_KEEPHEAP_H
#define BACO_LIB_TARGET_KEEPHEAP_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace baco::target {

/// A pass, `baco-keep-heap`, that lets glibc keep the memory of a function's
/// buffers from one call to the next. The largest allocation in the function's
/// first block becomes as large as all others together, if it is smaller; what
/// it has more is never touched, and so takes no memory.
std::unique_ptr<mlir::Pass> createKeepHeapPass();

} // namespace baco::target

#endif // BACO_LIB_TARGET_KEEPHEAP_H
