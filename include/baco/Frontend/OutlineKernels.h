//===- OutlineKernels.h - Functions of what is tuned ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes apart whole programs: what can be tuned in a function that can't be run
// alone becomes a function of its own.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FRONTEND_OUTLINEKERNELS_H
#define BACO_FRONTEND_OUTLINEKERNELS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <string>

namespace baco::frontend {

struct OutlineOptions {
  /// Only this function is taken apart; empty: all of them.
  std::string entry;
  /// External functions that take memrefs can be called while tuning, because
  /// libraries are given that have them. They then may be parts of kernels,
  /// except for those that print.
  bool hasLibraries = false;
};

/// The functions that were made, each with the name of the one that calls it.
using OutlinedKernels = llvm::StringMap<std::string>;

/// Outlines groups of tunable ops and loop nests of each function in `module`
/// that can't be run alone (it prints, calls external functions, takes no
/// arguments or returns memory of dynamic shape), or has more than eight
/// groups. Each group becomes a private function, with what it uses as
/// arguments, and a call in its place. Groups are ops that follow each other,
/// use each other's results, and have no other effects between them. Fills,
/// copies and ops of less than about a microsecond stay where they are, except
/// with the op that they prepare.
///
/// The functions that were taken apart get the attribute `baco.no_tune`. All
/// others, and those with recipes, are unchanged, but for types of long ones
/// that constants make static. A remark at a function names
/// what was made of it, one at an op says why it stays.
OutlinedKernels outlineKernels(mlir::ModuleOp module,
                               const OutlineOptions &options = {});

/// The error says why `function`, which has a body, can't be run alone, as "it
/// prints". `hasLibraries`: see OutlineOptions.
llvm::Error checkRunsAlone(mlir::func::FuncOp function, bool hasLibraries);

} // namespace baco::frontend

#endif // BACO_FRONTEND_OUTLINEKERNELS_H
