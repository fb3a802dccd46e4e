//===- ShapeVersions.h - Versions of a function and dispatch ----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FRONTEND_SHAPEVERSIONS_H
#define BACO_LIB_FRONTEND_SHAPEVERSIONS_H

#include "Extents.h"

namespace baco::frontend {

/// A private copy of `function`, behind `previous`, whose arguments have these
/// extents, all known, with what follows from them folded. The error says why
/// there can be none.
llvm::Expected<mlir::func::FuncOp> makeVersion(mlir::func::FuncOp function,
                                               const Extents &extents,
                                               mlir::func::FuncOp previous);

/// The same, of a version that can be a kernel; the error may also say why it
/// can't.
llvm::Expected<mlir::func::FuncOp> makeKernel(mlir::func::FuncOp function,
                                              const Extents &extents,
                                              mlir::func::FuncOp previous);

/// Lets linalg ops use memory itself in place of casts of it, which upstream's
/// folders do for some of them only.
void foldMemoryCasts(mlir::func::FuncOp function);

/// Runs upstream's folders, which make shapes static that constants, casts and
/// other extents tell.
llvm::LogicalResult foldShapes(mlir::func::FuncOp function);

/// Lets `function` call the first of `versions` whose types suit its arguments,
/// and which writes to no memory that it is passed twice, and run what it does
/// now if there is none.
void dispatch(mlir::func::FuncOp function,
              llvm::ArrayRef<mlir::func::FuncOp> versions);

} // namespace baco::frontend

#endif // BACO_LIB_FRONTEND_SHAPEVERSIONS_H
