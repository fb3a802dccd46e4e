//===- WriteBufferization.h - Ops that bufferize ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes transform ops that bufferize, and that find an op again afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RECIPE_WRITEBUFFERIZATION_H
#define BACO_RECIPE_WRITEBUFFERIZATION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace baco {

/// Writes transform ops that bufferize the function around `inFunction`, of
/// which `handle` is a handle: in place where possible; allocations move out of
/// sequential loops and are freed. If the function takes or returns tensors,
/// all functions of its module change: arguments become memrefs of identity
/// layout, each result a last argument. Consumes `handle`, and then the module,
/// too. Returns the new handle to the function.
mlir::Value writeBufferization(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::Value handle, mlir::Operation *inFunction);

/// Writes a match of the ops in `scope` that have `attributes`, and one of the
/// names `ops`, unless these are null; the handle to them.
mlir::Value matchOps(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value scope, mlir::ArrayAttr ops,
                     mlir::DictionaryAttr attributes);

/// Writes a match of the function `name` in `scope`; the handle to it.
mlir::Value matchFunction(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value scope, mlir::StringAttr name);

/// A handle to the ops in `scope` that have the unit attribute `mark`.
mlir::Value matchMarked(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value scope, llvm::StringRef mark);

} // namespace baco

#endif // BACO_RECIPE_WRITEBUFFERIZATION_H
