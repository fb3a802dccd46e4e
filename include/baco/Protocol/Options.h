//===- Options.h - How candidates are measured ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Limits, timing and inputs of a worker: chosen by the coordinator, sent to the
// worker when it is set up.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_PROTOCOL_OPTIONS_H
#define BACO_PROTOCOL_OPTIONS_H

#include "baco/Protocol/Candidate.h"
#include "baco/Support/Result.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace baco::runtime {

/// The limits of a candidate. The defaults stop hopeless candidates, not slow
/// ones.
struct Limits {
  /// Wall time of the worker's set-up: parsing, and compiling and running the
  /// plain kernel for the reference and its time; > 0. Raise it for kernels for
  /// which no order is known in which they take less than a minute.
  int64_t setupTimeoutMs = 120000;
  /// Wall time of the plain kernel's execution as it was written, which only
  /// gives the time to compare with; > 0. If the reference takes more than half
  /// of that, the plain kernel isn't run as it was written. Raise it to have
  /// the time.
  int64_t plainTimeoutMs = 5000;
  /// Wall time of compiling one candidate; > 0.
  int64_t compileTimeoutMs = 20000;
  /// Wall time of one execution of a candidate; > 0. The limit is the larger of
  /// `runTimeoutMs` and `runTimeoutFactor` times the plain kernel's time.
  int64_t runTimeoutMs = 1000;
  /// >= 1; see `runTimeoutMs`.
  double runTimeoutFactor = 4;
  /// Address space that a candidate may add to what the worker and the kernel's
  /// arguments take, in MiB; > 0.
  int64_t memoryLimitMiB = 4096;

  /// The limit of one execution if the plain kernel takes `plainNs`.
  int64_t executionTimeoutMs(double plainNs) const;
};

/// The state of the caches when an execution is timed.
enum class Caches {
  /// As the kernel's last execution left them.
  Hot,
  /// Without the kernel's arguments: they are flushed before every execution,
  /// each of which is a sample.
  Flushed
};

/// "hot" or "flushed".
std::string_view cachesName(Caches caches);
/// The inverse.
std::optional<Caches> parseCaches(std::string_view name);

/// For how long candidates are timed. Times are of the kernel's own executions,
/// on the CPU clock of its thread.
struct Timing {
  /// A trial is timed for so long at most, restoring outputs included; > 0.
  double trialMs = 50;
  /// A candidate of a comparison is timed for so long altogether, and for up
  /// to `maxComparisonStretch` times as long where its turns differ; >= 0.
  double comparisonMs = 160;
  /// Candidates of a comparison take turns after so long, so that a disturbance
  /// of some milliseconds affects all of them; > 0. Turns of slow kernels are
  /// up to `maxSliceStretch` times as long.
  double sliceMs = 2;
  /// The least number of samples of a slow kernel; in [1, 1000]. Kernels that
  /// take longer than `slowKernelNs` are timed by their first verification
  /// instead.
  int minSamples = 3;
  /// A trial ends early when its median is known to so much of itself (half the
  /// 95 % interval), in [0, 1); 0: never. The placement of a process in memory
  /// biases its times by about a percent, which no repetition in it shows.
  double precision = 0.015;
  /// A trial ends early when it certainly takes so many times as long as the
  /// best one so far; in (1, 1e9].
  double clearlyWorse = 1.1;
  /// The same for all candidates. Flush for kernels whose data are not in the
  /// caches when they are called.
  Caches caches = Caches::Hot;

  /// If not, the trials decide.
  bool hasFinalComparison() const { return comparisonMs > 0; }
};

/// See Timing::comparisonMs and Timing::sliceMs.
inline constexpr int maxComparisonStretch = 4, maxSliceStretch = 5;

/// See Timing::minSamples.
inline constexpr double slowKernelNs = 1e9;

/// The settings of a worker.
struct MeasureOptions {
  Limits limits;
  Timing timing;
  /// Number of the CPU that candidates run on; -1 takes the last one that the
  /// worker may use. Everything else of the worker stays off that CPU if there
  /// are others.
  int cpu = -1;
  /// Seed of the kernel's inputs.
  uint64_t inputSeed = 0;
  /// A float of an output may be off by this many times the rounding error
  /// bound for any order (toleranceFactor); in [0, 1e9], where 0 requires the
  /// plain kernel's bits. Raise it for schedules that trade accuracy for time
  /// knowingly.
  double tolerance = 1;

  /// Checks the ranges above.
  Result<void> validate() const;

  /// A bound on the wall time between the start of a candidate's first
  /// execution and the end of its last one in a trial, filling and restoring
  /// not included.
  int64_t trialTimeoutMs(double plainNs) const;
  /// The same for one slice of timed executions of about `budgetMs`.
  int64_t sliceTimeoutMs(double plainNs, double budgetMs) const;
  /// The same for the execution after that, which allocates slowly.
  int64_t runAgainTimeoutMs(double plainNs) const;
};

/// A bound on the wall time of allocating the arguments and copying them in and
/// out, on a busy machine.
int64_t fillTimeoutMs(const Signature &signature);

} // namespace baco::runtime

#endif // BACO_PROTOCOL_OPTIONS_H
