//===- Tuner.h - Tune one kernel --------------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a kernel to its best schedule: extracts the space, searches it, and
// measures the best against the default and the plain lowering.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_TUNER_H
#define BACO_DRIVER_TUNER_H

#include "baco/Database/Trial.h"
#include "baco/Driver/Kernel.h"
#include "baco/Driver/TuneOptions.h"
#include "baco/Report/KernelSummary.h"

#include <atomic>

namespace baco::driver {

/// What came of tuning a kernel.
struct TunedKernel {
  report::KernelSummary summary;
  /// All trials, by number.
  std::vector<database::Trial> trials;
  /// The kernel's schedule with every choice resolved; null if no candidate was
  /// right.
  mlir::OwningOpRef<mlir::ModuleOp> schedule;
  /// It was stopped before its budget was spent.
  bool interrupted = false;
  /// The worker or the journal failed in the middle, which a diagnostic has
  /// said; what was found until then holds.
  bool failed = false;
};

/// Why tuning failed, as far as callers must tell it apart.
enum class TuneFailure { Input, Environment };

/// Tunes `kernel`. `stop`, if not null, ends the search soon after it became
/// true; what was found until then counts. Fails with a diagnostic at the
/// kernel's location, and sets `failure`, if the schedule or the options are
/// wrong (`Input`), or if there is no worker or no journal or a limit is too
/// low for the plain lowering (`Environment`); where that happens after a
/// candidate was measured, see TunedKernel::failed.
mlir::FailureOr<TunedKernel>
tuneKernel(const Kernel &kernel, const TuneOptions &options,
           report::ProgressListener &listener, TuneFailure &failure,
           const std::atomic<bool> *stop = nullptr);

/// Says, as an error at the kernel's location, why no schedule of it works.
mlir::InFlightDiagnostic emitNothingWorks(const Kernel &kernel,
                                          const TunedKernel &tuned);

} // namespace baco::driver

#endif // BACO_DRIVER_TUNER_H
