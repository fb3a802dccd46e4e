//===- StructuredMatcher.h - Entries for stock tools ------------*- C++ -*-===//
//-*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lets a stock mlir-opt find the functions that a library has schedules for.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_APPLY_STRUCTUREDMATCHER_H
#define BACO_LIB_APPLY_STRUCTUREDMATCHER_H

#include "baco/Format/LibraryText.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace baco::apply {

/// Makes `sequence`, which looks for the function `name` in a module, one that
/// can be applied to a function of any name. Returns whether that is possible;
/// leaves it as it is if not. It may look for ops in the whole module if
/// `function`, in its module, is the only one there; null: that is unknown.
bool takeFunction(mlir::transform::NamedSequenceOp sequence,
                  llvm::StringRef name, mlir::func::FuncOp function);

/// How a stock tool can find functions that are as `function` is; null: it is
/// unknown. Adds the matchers that this takes to `library`, named after
/// `sequence`; joinLibrary writes what uses them.
MatcherKind addMatchers(mlir::transform::NamedSequenceOp sequence,
                        mlir::func::FuncOp function, mlir::ModuleOp library);

} // namespace baco::apply

#endif // BACO_LIB_APPLY_STRUCTUREDMATCHER_H
