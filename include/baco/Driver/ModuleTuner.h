//===- ModuleTuner.h - Tune the kernels of a module -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From kernels to their best schedules: extracts the space of each, searches
// it, and measures the best against the default and the plain lowering.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_MODULETUNER_H
#define BACO_DRIVER_MODULETUNER_H

#include "baco/Database/Trial.h"
#include "baco/Driver/Kernel.h"
#include "baco/Driver/TuneOptions.h"
#include "baco/Driver/TuningPlan.h"
#include "baco/Expression/Value.h"
#include "baco/Report/ProgramSummary.h"

#include <atomic>
#include <vector>

namespace baco::driver {

/// A schedule with every choice resolved.
struct ResolvedSchedule {
  mlir::OwningOpRef<mlir::ModuleOp> schedule;
  /// The values of its parameters.
  Configuration choices;
  /// See report::KernelSummary.
  std::string configuration;
  std::vector<std::string> inactive;
};

/// The result of tuning a kernel.
struct TunedKernel {
  report::KernelSummary summary;
  /// All trials, by number.
  std::vector<database::Trial> trials;
  /// The kernel's schedule with every choice resolved; null if no candidate
  /// works, or if the original code is kept.
  mlir::OwningOpRef<mlir::ModuleOp> schedule;
  /// The values of its parameters that the schedule has; empty without one.
  Configuration choices;
  /// The extents that its parameters are tiles of (writeExtents).
  std::string extents;
  /// The default, if it works and another schedule was chosen.
  std::optional<ResolvedSchedule> fallback;
  /// The key of its study in the database; empty without one.
  std::string study;
  /// It was stopped before its budget was spent.
  bool interrupted = false;
  /// The worker or the journal failed during the search; a diagnostic was
  /// emitted, and results until then are kept.
  bool failed = false;

  /// Whether the code to write is known: a schedule, or the original code.
  bool isSettled() const { return summary.kept.has_value(); }
};

/// Why tuning failed; the cases that callers distinguish.
enum class TuneFailure {
  /// The schedule or the options are wrong.
  Input,
  /// The worker, the journal or the CPU fails, or a limit is too low for the
  /// plain lowering.
  Environment,
  /// No candidate works.
  NothingWorks
};

/// The result of tuning a module.
struct TunedKernels {
  /// In the order of the kernels that were given, without those of which
  /// nothing is known.
  std::vector<TunedKernel> kernels;
  /// In the order in which they happened: one for each kernel that failed, the
  /// ones of `kernels` that are failed or not settled among them. Diagnostics
  /// have told of all.
  std::vector<TuneFailure> failures;
  /// The programs that call kernels with a schedule.
  std::vector<report::ProgramSummary> programs;
};

/// Receives the progress of the kernels of a module, which are numbered as they
/// are given.
class ModuleListener {
public:
  virtual ~ModuleListener();
  /// Receives the plan; called once, before anything else.
  virtual void planned(const TuningPlan &plan) { (void)plan; }
  /// The listener of a kernel's search. Searches take turns.
  virtual report::ProgressListener &progressOf(size_t kernel) = 0;
  /// A kernel's turn is over, for now.
  virtual void pause(size_t kernel) { (void)kernel; }
  /// Reports that a kernel is finished, in any order of kernels. It isn't
  /// called for kernels that fail without a result; these have a diagnostic.
  virtual void finished(size_t kernel, const TunedKernel &tuned) = 0;
};

/// Tunes the kernels of `found`, at least one. `stop`, if not null, ends the
/// searches soon after it became true; results until then are kept, and kernels
/// that weren't begun are skipped without a message.
///
/// Kernels that are the same but for names and locations are tuned once. The
/// others share budget and time by the time that each takes under its default,
/// times Kernel::calls; see shareBudget in lib/Driver/Shares.h. The rest of a
/// kernel's share goes to kernels that want more, in rounds. All shares follow
/// from the outcomes of trials: a run that resumes has the same ones.
///
/// A kernel fails with a diagnostic at its location (at that of the first of
/// those that are the same); where the environment fails after a candidate was
/// measured, see TunedKernel::failed. The others go on.
///
/// Then each program is run as a whole (docs/Measurement.md). Kernels of one
/// that is certainly faster with their default schedules, or with the original
/// code, get these; a remark says so, or why a program wasn't run.
TunedKernels tuneModule(const FoundKernels &found, const TuneOptions &options,
                        ModuleListener &listener,
                        const std::atomic<bool> *stop = nullptr);

} // namespace baco::driver

#endif // BACO_DRIVER_MODULETUNER_H
