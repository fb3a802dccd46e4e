//===- BufferGlobals.h - Constants that bufferization makes -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory of constant tensors, in an order that depends on the code alone.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_BUFFERGLOBALS_H
#define BACO_TARGET_CPU_BUFFERGLOBALS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

namespace baco::target {

/// The names of the globals of `module`.
llvm::StringSet<> namesOfGlobals(mlir::ModuleOp module);

/// Orders, numbers and, if they have no use, removes the globals of `module`
/// that aren't in `before`: those that One-Shot Bufferize makes of constants.
/// It takes functions that don't call each other in the order of their
/// addresses. Nothing changes if one function has all of the globals.
void orderBufferGlobals(mlir::ModuleOp module, const llvm::StringSet<> &before);

} // namespace baco::target

#endif // BACO_TARGET_CPU_BUFFERGLOBALS_H
