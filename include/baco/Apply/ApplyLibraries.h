//===- ApplyLibraries.h - Use what is tuned ---------------------*- C++ -*-===//
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

/// The treatment of a kernel that no library has an entry for.
enum class ApplyMode {
  /// Fail.
  Frozen,
  /// Warn, and leave it as it is.
  Warn,
  /// It was to be tuned before: as Warn.
  Tune
};

struct ApplyOptions {
  /// Their files, in the order in which they are asked.
  std::vector<std::string> libraries;
  ApplyMode mode = ApplyMode::Frozen;
  Interface interface = Interface::Original;
  /// Say at each kernel, by remarks, which entries there are and which is used.
  bool explains = false;
  Machine machine;
  /// The schedule for the module in another file; null: its own one.
  mlir::ModuleOp schedule;
  /// As the module was taken in when it was tuned.
  frontend::PrepareOptions intake;
};

/// A function of the module, and what is known of it.
struct UsedEntry {
  std::string function;
  mlir::Location location;
  Entry entry;
  /// The file that has the entry.
  std::string library;
};

/// How many functions of a module the libraries know.
struct Applied {
  /// Functions that got a schedule.
  size_t scheduled = 0;
  /// Functions that stay as they are because an entry says so.
  size_t kept = 0;
  /// Functions without an entry.
  size_t missing = 0;
  /// The first two, in the order of the module.
  std::vector<UsedEntry> used = {};
  /// Dynamic functions, and the shapes that entries say: see
  /// frontend::RequestedShapes.
  std::vector<std::pair<std::string, std::string>> shapes = {};
};

/// Takes in `module` as the tuner does, and applies the schedules of its
/// kernels: the functions then are those of the tuned module. An entry is only
/// used if its function's fingerprint, the versions and the machine fit. Fails
/// with a diagnostic at each function that has none, if the mode says so.
mlir::FailureOr<Applied> applyLibraries(mlir::ModuleOp module,
                                        const ApplyOptions &options);

} // namespace baco::apply

#endif // BACO_APPLY_APPLYLIBRARIES_H
