//===- StockMatch.h - Matchers that need nothing of baco -*- C++ -*-===//
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

#ifndef BACO_LIB_APPLY_STOCKMATCH_H
#define BACO_LIB_APPLY_STOCKMATCH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

#include <string>

namespace baco::apply {

/// How a stock tool finds the function of an entry.
enum class StockMatch {
  /// Not at all: the schedule needs baco.
  None,
  /// By its only op, a named linalg op, with its shapes and types.
  Structure,
  /// By its `baco.fingerprint`.
  Fingerprint
};

/// Makes `sequence`, which looks for the function `name` in a module, one that
/// can be applied to a function of any name. Returns whether that is possible;
/// leaves it as it is if not.
bool takeFunction(mlir::transform::NamedSequenceOp sequence,
                  llvm::StringRef name);

/// Writes the sequence `@__transform_main` of a library, and what it includes.
class StockMain {
public:
  explicit StockMain(mlir::ModuleOp library) : library(library) {}

  /// Applies `sequence` to functions that are as `function` is; null: it is
  /// unknown.
  StockMatch add(mlir::transform::NamedSequenceOp sequence,
                 mlir::func::FuncOp function, llvm::StringRef fingerprint);

  /// Adds what is written to the library, if there is anything.
  void finish();

private:
  mlir::ModuleOp library;
  std::string matchers, main;
  /// The functions that are matched already.
  llvm::SmallVector<std::string> known;
  /// How often the handle to the module has changed.
  size_t numRoots = 0;
};

} // namespace baco::apply

#endif // BACO_LIB_APPLY_STOCKMATCH_H
