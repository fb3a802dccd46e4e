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

#ifndef BACO_ANALYSIS_FINGERPRINT_H
#define BACO_ANALYSIS_FINGERPRINT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SetVector.h"

#include <string>
#include <vector>

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

/// The hashes that tell a function from others.
struct Fingerprint {
  /// The 32 digits of a hash of the function and of what it uses: of their
  /// canonical text, without attributes for readers and for baco, such as
  /// recipes and inputs, and without visibility. Other names, orders of
  /// functions and of constants, locations, unused constants, and functions
  /// that it doesn't use have no effect; all that can change its code does. The
  /// same in all processes with one version of MLIR.
  std::string digits;
  /// Hashes of its parts and of what it uses, to say what has changed.
  std::string parts;
  /// The symbols that it uses, in the order of `parts`.
  std::vector<std::string> used = {};
};

/// That of the function `entry` of `module`, which must be there.
Fingerprint takeFingerprint(mlir::ModuleOp module, llvm::StringRef entry);

/// Its digits.
std::string fingerprint(mlir::ModuleOp module, llvm::StringRef entry);

/// Describes the difference between a function that had the parts `before` and
/// one that has the others: such as "its constants, the code of 'g', which it
/// uses"; empty if that isn't known.
std::string describeChange(llvm::StringRef before, llvm::StringRef parts,
                           llvm::ArrayRef<std::string> used);

} // namespace baco

#endif // BACO_ANALYSIS_FINGERPRINT_H
