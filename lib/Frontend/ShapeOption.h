//===- ShapeOption.h - The option --shape -----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FRONTEND_SHAPEOPTION_H
#define BACO_LIB_FRONTEND_SHAPEOPTION_H

#include "ShapeVersions.h"

#include "llvm/ADT/MapVector.h"

namespace baco::frontend {

/// Whether versions of `function` for shapes can be tuned.
bool canHaveVersions(mlir::func::FuncOp function);

/// The shapes of functions with all their extents, those with fewer open ones
/// first.
using ShapesByFunction =
    llvm::MapVector<mlir::Operation *, llvm::SmallVector<Extents>>;

/// Completes the shapes that functions of `module` are requested to have
/// versions for. The error says which of them can't be.
llvm::Expected<ShapesByFunction>
completeShapes(mlir::ModuleOp module, const RequestedShapes &requested);

/// An option that works when it is typed, with extents of files and examples
/// for unknown ones. The error says why there is no such option.
llvm::Expected<std::string> proposeShapeOption(mlir::func::FuncOp function,
                                               Extents extents);

} // namespace baco::frontend

#endif // BACO_LIB_FRONTEND_SHAPEOPTION_H
