//===- ProgramFinals.h - Final results of programs --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that are fast alone may make a slow program: they take operands from
// colder caches, and others allocate and copy for them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DRIVER_PROGRAMFINALS_H
#define BACO_LIB_DRIVER_PROGRAMFINALS_H

#include "baco/Driver/ModuleTuner.h"

namespace baco::driver {

/// The input of comparePrograms; all outlive the call.
struct ProgramFinals {
  const FoundKernels &found;
  /// The results of kernels of `found`, which may change.
  llvm::MutableArrayRef<TunedKernel> kernels;
  const TuneOptions &options;
  ModuleListener &listener;
  /// May be null.
  const std::atomic<bool> *stop = nullptr;
  /// Whether kernels may get other code; if not, what was chosen is kept.
  bool mayChange = true;
};

/// Runs each program of which a kernel has a schedule in turns with the
/// original code, with default schedules, and with what was chosen, in the form
/// in which it is written. If other code than what was chosen is certainly
/// faster, or if that fails, the program's kernels get the other code. No
/// program is left slower for a kernel that another program shares: it is
/// compared again then. Remarks say what changed, and why a program isn't
/// compared. Returns nothing after a stop.
std::vector<report::ProgramSummary>
comparePrograms(const ProgramFinals &finals);

} // namespace baco::driver

#endif // BACO_LIB_DRIVER_PROGRAMFINALS_H
