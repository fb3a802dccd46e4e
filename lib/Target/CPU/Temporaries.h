//===- Temporaries.h - Allocations that can move ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_CPU_TEMPORARIES_H
#define BACO_LIB_TARGET_CPU_TEMPORARIES_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <optional>

namespace baco::target {

/// A function with more than this can't run anyway.
constexpr int64_t maxTemporaryBytes = int64_t(1) << 48;

/// The size of a buffer in bytes; nothing if it isn't known or not a plain one.
std::optional<int64_t> sizeInBytes(mlir::memref::AllocOp alloc);

/// The op that frees `alloc` whenever it was reached, after which nothing may
/// use the memory.
mlir::memref::DeallocOp deallocationOf(mlir::memref::AllocOp alloc);

} // namespace baco::target

#endif // BACO_LIB_TARGET_CPU_TEMPORARIES_H
