//===- LowerGlobals.h - Constants and memory for globals --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces the globals of front ends.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FRONTEND_LOWERGLOBALS_H
#define BACO_LIB_FRONTEND_LOWERGLOBALS_H

#include "mlir/IR/BuiltinOps.h"

namespace baco::frontend {

/// Replaces the globals of ml_program that are used: by constants if they never
/// change, and by memref.globals otherwise. Those without initial value, or
/// with uses that aren't loads and stores, stay. Returns their number.
int64_t lowerGlobals(mlir::ModuleOp module);

} // namespace baco::frontend

#endif // BACO_LIB_FRONTEND_LOWERGLOBALS_H
