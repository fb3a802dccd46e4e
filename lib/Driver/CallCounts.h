//===- CallCounts.h - How often functions are called ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DRIVER_CALLCOUNTS_H
#define BACO_LIB_DRIVER_CALLCOUNTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace baco::driver {

/// The number of calls of each function of a module, if every function without
/// callers (an entry) runs once.
class CallCounts {
public:
  explicit CallCounts(mlir::ModuleOp module);

  /// Nullopt where that isn't known statically: a call in a loop whose trip
  /// count isn't constant, under a condition, or a recursive one.
  std::optional<double> of(mlir::func::FuncOp function);

private:
  /// The calls of each function.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::func::CallOp>>
      callers;
  /// Cached results. Unknown while a result is being computed, so that
  /// recursion is unknown.
  llvm::DenseMap<mlir::Operation *, std::optional<double>> known;
};

} // namespace baco::driver

#endif // BACO_LIB_DRIVER_CALLCOUNTS_H
