//===- FunctionMemory.h - Memory for one run of a function ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPNEST_FUNCTIONMEMORY_H
#define BACO_LOOPNEST_FUNCTIONMEMORY_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace baco::loopnest {

/// Buffers begin at multiples of this many bytes: a cache line, and the widest
/// vector register.
inline constexpr int64_t bufferAlignment = 64;

/// Allocates memory of `type`, which is static, at the start of the function
/// around the insertion point, outside of all loops, or of the innermost
/// parallel loop around it. It is freed where that ends, which is all that uses
/// the result so far.
mlir::Value allocateInFunction(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::MemRefType type);

/// Erases an allocation after what uses it.
void eraseWithUsers(
    mlir::Operation *allocation,
    llvm::function_ref<void(mlir::Operation *)> erase =
        [](mlir::Operation *op) { op->erase(); });

} // namespace baco::loopnest

#endif // BACO_LOOPNEST_FUNCTIONMEMORY_H
