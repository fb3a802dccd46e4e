//===- DynamicResults.h - Tensors that functions return ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's bufferization makes arguments of results, for which callers
// allocate memory. If the shape of a result is dynamic, they can't.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FRONTEND_DYNAMICRESULTS_H
#define BACO_LIB_FRONTEND_DYNAMICRESULTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco::frontend {

/// Whether `function` has a body that returns tensors of dynamic shape.
bool returnsDynamicTensors(mlir::func::FuncOp function);

/// Whether calls of `function` can be replaced by its body: it has one block,
/// and doesn't call itself.
bool canInline(mlir::func::FuncOp function);

/// Replaces calls in `caller` of functions that return tensors of dynamic shape
/// by what these functions do, as far as canInline. Returns whether there were
/// any. The caller isn't folded.
bool inlineDynamicResults(mlir::func::FuncOp caller);

/// Does the same in all functions of `module`, and erases private functions
/// that nothing calls then. Returns the changed callers.
llvm::SmallVector<mlir::func::FuncOp>
inlineDynamicResults(mlir::ModuleOp module);

} // namespace baco::frontend

#endif // BACO_LIB_FRONTEND_DYNAMICRESULTS_H
