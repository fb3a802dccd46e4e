//===- RewrittenFunctions.h - Functions that are rewritten ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_GLOBALOPTIMIZATION_REWRITTENFUNCTIONS_H
#define BACO_GLOBALOPTIMIZATION_REWRITTENFUNCTIONS_H

#include "baco/IR/NoTune.h"
#include "baco/IR/Walk.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace baco::globalopt {

/// The functions that rewrites of networks may change: those with a body,
/// without a recipe and `baco.no_tune`; if `entry` isn't empty, only that one.
inline auto functionsToRewrite(mlir::ModuleOp module, llvm::StringRef entry) {
  return llvm::make_filter_range(
      module.getOps<mlir::func::FuncOp>(), [=](mlir::func::FuncOp function) {
        return (entry.empty() || function.getName() == entry) &&
               !function.isExternal() && !isNoTune(function) &&
               !hasRecipe(function);
      });
}

} // namespace baco::globalopt

#endif // BACO_GLOBALOPTIMIZATION_REWRITTENFUNCTIONS_H
