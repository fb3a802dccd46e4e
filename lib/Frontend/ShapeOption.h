//===- ShapeOption.h - The option --shape -----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FRONTEND_SHAPEOPTION_H
#define BACO_LIB_FRONTEND_SHAPEOPTION_H

#include "Extents.h"

#include "llvm/ADT/MapVector.h"

namespace baco::frontend {

/// The shapes that are requested of functions, those with fewer open extents
/// first.
using ShapesByFunction =
    llvm::MapVector<mlir::Operation *, llvm::SmallVector<Extents>>;

/// Reads the option; `candidates` are the functions that may have versions. The
/// error says which part of it is wrong.
llvm::Expected<ShapesByFunction>
readShapeOption(mlir::ModuleOp module, llvm::StringRef text,
                llvm::ArrayRef<mlir::func::FuncOp> candidates);

/// An option that works when it is typed, with extents of files and examples
/// for unknown ones. The error says why there is no such option.
llvm::Expected<std::string> proposeShapeOption(mlir::func::FuncOp function,
                                               Extents extents);

} // namespace baco::frontend

#endif // BACO_LIB_FRONTEND_SHAPEOPTION_H
