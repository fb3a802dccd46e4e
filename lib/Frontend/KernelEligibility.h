//===- KernelEligibility.h - Whether a function can be a kernel -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is executed many times, on memory that the tuner fills and compares:
// it must have no other effects than on that memory.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FRONTEND_KERNELELIGIBILITY_H
#define BACO_LIB_FRONTEND_KERNELELIGIBILITY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"

#include <string>

namespace baco::frontend {

/// Whether an external function of this name prints what it takes.
bool isPrinter(llvm::StringRef name);

/// Knows what keeps functions of a module from being run alone.
class KernelEligibility {
public:
  /// `hasLibraries`: see OutlineOptions.
  KernelEligibility(mlir::ModuleOp module, bool hasLibraries)
      : module(module), hasLibraries(hasLibraries) {}

  /// The error says why `function`, which has a body, can't be run alone, as
  /// "it prints".
  llvm::Error check(mlir::func::FuncOp function);

  /// The error says why `op` and what is in it can't be a part of a kernel.
  /// Calls that take or return memory can't: what they call is a kernel of its
  /// own.
  llvm::Error checkPart(mlir::Operation *op);

private:
  llvm::Error checkOp(mlir::Operation *op);
  llvm::Error checkBody(mlir::func::FuncOp function);

  mlir::ModuleOp module;
  bool hasLibraries;
  /// What checkBody found, by function; empty: nothing.
  llvm::DenseMap<mlir::Operation *, std::string> known;
};

} // namespace baco::frontend

#endif // BACO_LIB_FRONTEND_KERNELELIGIBILITY_H
