//===- Fingerprint.h - Whether two kernels are the same ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names, locations and the order of functions don't change a kernel. What does
// is in its canonical text.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_FINGERPRINT_H
#define BACO_IR_FINGERPRINT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SetVector.h"

#include <string>

namespace baco {

/// A kernel as text that doesn't depend on options of the printer.
struct KernelText {
  std::string payload, schedule;
  bool operator==(const KernelText &) const = default;
};

/// The text of the function `entry` of `payload`, of all else that is there,
/// and of the `schedule` for it, without locations. Symbols with a body are
/// numbered in the order in which `entry` reaches them, and stand in that
/// order; so are the sequences of the schedule. The marks that expandRecipes
/// names after the function are without its name, and files of inputs are told
/// apart by their hashes.
KernelText canonicalText(mlir::ModuleOp payload, llvm::StringRef entry,
                         mlir::ModuleOp schedule);

/// The symbols of `module` that `first` uses, also by others, in the order in
/// which they are reached, starting with itself.
llvm::SetVector<mlir::StringAttr> findReachable(mlir::ModuleOp module,
                                                mlir::StringAttr first);

/// Lets `schedule` look for the function `to` where it looks for `from`.
void renameFunction(mlir::ModuleOp schedule, llvm::StringRef from,
                    llvm::StringRef to);

/// The 32 digits of a hash of the function `entry` of `module` and of what it
/// uses: of their canonical text, without attributes of baco, such as recipes
/// and inputs, and without visibility. Other names, orders of functions,
/// locations, and functions that `entry` doesn't use have no effect; all that
/// can change the code that is made of `entry` does. The same in all processes
/// with one version of MLIR. There must be such a function.
std::string fingerprint(mlir::ModuleOp module, llvm::StringRef entry);

} // namespace baco

#endif // BACO_IR_FINGERPRINT_H
