//===- CallerShapes.h - Shapes that callers pass ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FRONTEND_CALLERSHAPES_H
#define BACO_LIB_FRONTEND_CALLERSHAPES_H

#include "Extents.h"

#include "llvm/ADT/StringSet.h"

namespace baco::frontend {

/// Inlines all functions of `module` but those in `kept`, and folds.
llvm::LogicalResult inlineAndFold(mlir::ModuleOp module,
                                  const llvm::StringSet<> &kept);

/// The different extents with which calls in the module of `functions` call
/// each, as far as upstream's inliner and folders show them; what a call leaves
/// unknown is deduced, or the call left out. The largest come first.
/// `versions`, whose own types are static, aren't inlined.
llvm::SmallVector<llvm::SmallVector<Extents>>
findCallerShapes(llvm::ArrayRef<mlir::func::FuncOp> functions,
                 llvm::ArrayRef<mlir::func::FuncOp> versions);

} // namespace baco::frontend

#endif // BACO_LIB_FRONTEND_CALLERSHAPES_H
