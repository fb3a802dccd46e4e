//===- ApplyLibraries.h - Apply tuned libraries to a module -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives the kernels of a module the schedules that tuned libraries have for
// them. Nothing is searched, planned or measured, and no process is started.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_APPLY_APPLYLIBRARIES_H
#define BACO_APPLY_APPLYLIBRARIES_H

#include "baco/Apply/Entry.h"
#include "baco/Apply/Interface.h"
#include "baco/Frontend/PrepareModule.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace baco::apply {

/// Action for a kernel that has no entry in any library.
enum class ApplyMode {
  /// Fail.
  Frozen,
  /// Warn and leave the kernel unchanged.
  Warn,
  /// The caller tunes missing kernels beforehand; otherwise like Warn.
  Tune
};

/// `frozen`, `warn` or `tune`; InvalidArgument otherwise.
Result<ApplyMode> parseApplyMode(llvm::StringRef text);

struct ApplyOptions {
  /// Their files, in the order in which they are asked.
  std::vector<std::string> libraries;
  ApplyMode mode = ApplyMode::Frozen;
  Interface interface = Interface::Original;
  /// Say at each kernel, by remarks, which entries there are and which is used.
  bool explains = false;
  Machine machine;
  /// The schedule from another file; null: the module's own schedules apply.
  mlir::ModuleOp schedule;
  /// As the module was taken in when it was tuned.
  frontend::PrepareOptions intake;
};

/// A function of the module and its library entry.
struct UsedEntry {
  std::string function;
  mlir::Location location;
  Entry entry;
  /// The file that has the entry.
  std::string library;
};

/// Counts of the module's functions by their entries.
struct Applied {
  /// Functions that got a schedule.
  size_t scheduled = 0;
  /// Functions whose entry says to keep the original code.
  size_t kept = 0;
  /// Functions without an entry.
  size_t missing = 0;
  /// The entries of scheduled and kept functions, in the order of the module.
  std::vector<UsedEntry> used = {};
  /// The shapes of dynamic functions that were requested, or that their entries
  /// list.
  frontend::RequestedShapes shapes = {};
};

/// Takes in `module` as the tuner does, and applies the schedules of its
/// kernels: the functions then are those of the tuned module. An entry is only
/// used if its function's fingerprint, the versions and the machine fit. Fails
/// with a diagnostic at each function that has none, if the mode says so.
mlir::FailureOr<Applied> applyLibraries(mlir::ModuleOp module,
                                        const ApplyOptions &options);

} // namespace baco::apply

#endif // BACO_APPLY_APPLYLIBRARIES_H
