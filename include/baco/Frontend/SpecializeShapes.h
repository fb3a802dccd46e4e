//===- SpecializeShapes.h - Versions for known shapes -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function whose arguments have dynamic shapes gets versions for shapes that
// are known, which can be tuned as kernels of static shape.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FRONTEND_SPECIALIZESHAPES_H
#define BACO_FRONTEND_SPECIALIZESHAPES_H

#include "baco/Frontend/RequestedShapes.h"

#include "mlir/IR/BuiltinOps.h"

namespace baco::frontend {

/// Reads the option FUNCTION:N=EXTENTS,N=EXTENTS;... (docs/Intake.md) for the
/// functions of `module`. Fails with a diagnostic that says which part of it is
/// wrong.
llvm::FailureOr<RequestedShapes> readShapeOption(mlir::ModuleOp module,
                                                 llvm::StringRef text);

/// Gives each function of `module` that has ops to tune and arguments of
/// dynamic shape a private version for each known shape, and lets the function
/// call the version that suits its arguments, or else run its own code.
/// Functions that `shapes` doesn't name take the shapes that their callers in
/// `module` show. Functions without any shapes stay unchanged, with a remark
/// that says which shapes to give.
///
/// Functions with versions, or with such a remark, get a `baco.no_tune`. Fails
/// with a diagnostic if `shapes` can't be had.
llvm::LogicalResult specializeShapes(mlir::ModuleOp module,
                                     const RequestedShapes &shapes);

/// Registers what the passes need that specializeShapes runs.
void registerSpecializeDialects(mlir::DialectRegistry &registry);

} // namespace baco::frontend

#endif // BACO_FRONTEND_SPECIALIZESHAPES_H
