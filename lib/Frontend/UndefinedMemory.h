//===- UndefinedMemory.h - Reads of undefined memory ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FRONTEND_UNDEFINEDMEMORY_H
#define BACO_LIB_FRONTEND_UNDEFINEDMEMORY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco::frontend {

/// Fills with zeros the memory that ops of `function` read before anything has
/// written it, such as an allocation that a product accumulates into: results
/// that depend on earlier contents can't be compared. Returns the number of
/// fills.
int64_t fillUndefined(mlir::func::FuncOp function);

/// Makes poison zero, and tensors of it empty ones, because each use of poison
/// may see another value. Returns the number of ops.
int64_t replacePoison(mlir::func::FuncOp function);

} // namespace baco::frontend

#endif // BACO_LIB_FRONTEND_UNDEFINEDMEMORY_H
