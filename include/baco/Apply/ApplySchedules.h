//===- ApplySchedules.h - Apply schedules to a module -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last step of tuning, and all that is left to do where the result of
// tuning is known.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_APPLY_APPLYSCHEDULES_H
#define BACO_APPLY_APPLYSCHEDULES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace baco::apply {

/// A function, and the schedule for it.
struct ScheduledKernel {
  std::string function;
  mlir::ModuleOp schedule;
  /// The named sequence of `schedule` to start with.
  std::string sequence;
  /// Whether the schedule applies to the function rather than the module.
  bool isForFunction = false;
  /// The entry and the library that the schedule comes from, for messages.
  std::string origin = {};
};

/// Applies the schedules one after the other, and removes baco's attributes
/// except for target options. Warns about functions that change though they are
/// neither kernels nor called by one. Returns the functions whose schedules
/// can't be applied: with `leavesOut`, they stay unchanged and each gets a
/// warning; otherwise the first one is an error.
mlir::FailureOr<llvm::StringSet<>>
applySchedules(mlir::ModuleOp module, llvm::ArrayRef<ScheduledKernel> kernels,
               bool leavesOut = false);

} // namespace baco::apply

#endif // BACO_APPLY_APPLYSCHEDULES_H
