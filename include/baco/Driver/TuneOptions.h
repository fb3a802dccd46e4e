//===- TuneOptions.h - Options of a tuning run ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_TUNEOPTIONS_H
#define BACO_DRIVER_TUNEOPTIONS_H

#include "baco/Driver/DeviceOptions.h"
#include "baco/Driver/PlanProcess.h"
#include "baco/Driver/TuningTarget.h"
#include "baco/Driver/WorkerPlace.h"
#include "baco/Protocol/Messages.h"
#include "baco/Protocol/Options.h"
#include "baco/Support/Result.h"

#include <functional>
#include <string>
#include <vector>

namespace baco::driver {

/// The limits and settings of the searches of a module.
struct TuneOptions {
  /// Number of candidates to evaluate, those of earlier runs included; >= 1.
  /// More find better schedules, ever more slowly. Several kernels share it.
  /// UINT64_MAX: as many as the other conditions allow.
  uint64_t budget = 60;
  /// Whether the budget is for one kernel: a module gets it once for each of
  /// its kernels that differ.
  bool isBudgetPerKernel = false;
  /// The number of differing kernels to tune, those that take the most time
  /// first; 0: all.
  uint64_t top = 0;
  /// Further limits the choice to the fewest kernels that take this part of the
  /// time; in (0, 1].
  double share = 1;
  /// Another condition to stop, in the syntax of search::StopCondition::parse;
  /// costs are nanoseconds, times are those of this run. It ends the search of
  /// each kernel by itself. Empty: none.
  std::string stop;
  /// The condition for several kernels where the user gives neither one nor a
  /// budget: the defaults of most can't be made faster
  /// (docs/notes/2026-11-29-kernels-without-gain.md).
  static constexpr char stopWithoutGain[] = "speedup(1.01, 25)";
  /// Wall time from `begun` in seconds after which no candidate is started but
  /// for the default of each kernel, and the final comparison; 0: no limit.
  double timeLimitS = 0;
  /// Wall time in seconds of comparing one program as a whole, set-up included;
  /// 0: none is; negative: 10, or a quarter of the time that the run has taken,
  /// if that is more. The time limit counts, too.
  double programTimeS = -1;
  /// When this run has begun, planning included.
  std::chrono::steady_clock::time_point begun =
      std::chrono::steady_clock::now();
  /// Wall time of planning one kernel in milliseconds, see PlanLimits.
  int64_t planTimeoutMs = PlanLimits().timeoutMs;
  /// May neighboring nests have one recipe? See PlanLimits.
  bool groups = true;
  /// Seed of the search and of inputs.
  uint64_t seed = 0;
  /// The optimizer for search::makeOptimizer: a name, or a name with settings.
  std::string optimizer = "baco";
  /// Studies to learn from, see study::findSources; empty: none, or `auto` for
  /// new studies if there are `libraries`.
  std::string like;
  /// Tuned libraries that `auto` looks at, too; not all need exist.
  std::vector<std::string> libraries;
  /// `jit`, `static` or `replay:FILE`.
  std::string evaluator = "jit";
  bool isEvaluatedBy(EvaluatorKind kind) const {
    return parseEvaluator(evaluator) == kind;
  }
  /// See TuningTarget::parse.
  std::string target = "cpu";
  DeviceOptions device;
  /// Ignore advisory constraints. This makes another study.
  bool ignoreAdvisory = false;
  /// Candidates in flight: one is timed while others are compiled; >= 1. The
  /// search is deterministic for each value. Two leave gaps where one candidate
  /// takes longer to compile than another to be timed.
  unsigned inFlight = 3;
  /// File of the journal; empty: trials are not kept.
  std::string database;
  /// Files with external functions that kernels call.
  std::vector<std::string> sharedLibs;
  /// The worker program; empty: see findWorker.
  std::string worker;
  /// See measure::WorkerOptions::runner; empty: `worker` runs candidates.
  std::string runner;
  /// `local` or `nats`.
  std::string engine = "local";
  bool isClustered() const { return engine == "nats"; }
  cluster::ServerOptions server;
  /// How long to wait for a worker of the cluster, in seconds.
  double waitS = 30;
  /// The class of its machines; empty: the one with the most slots.
  std::string machines;
  /// With the engine nats. Set by `meetWorkers`.
  std::shared_ptr<cluster::Cluster> cluster;
  /// With a runner or a cluster: the machine that candidates run on. Set by
  /// `meetWorkers`.
  std::optional<runtime::MachineDescription> machine;
  /// Limits and timing of candidates.
  runtime::MeasureOptions measure;

  /// Whether searches of several kernels end by `stopWithoutGain`.
  bool endsWithoutGain() const {
    return isBudgetPerKernel && budget != UINT64_MAX && stop.empty();
  }

  /// The time for comparing a program that begins now, in seconds.
  double programSeconds() const;

  /// The rest of the time limit, at least 0; nothing if there is no limit.
  std::optional<double> secondsLeft() const;

  /// InvalidArgument, naming the option and its range.
  Result<void> validate() const;

  /// With a runner: asks it for its machine. With a cluster: connects, and
  /// chooses a class of machines; `announce` is told if it waits for one.
  /// Errors as measure::WorkerProcess::meet, and as
  /// cluster::Cluster::chooseMachine.
  Result<void>
  meetWorkers(const std::function<void(const std::string &)> &announce);

  /// The place where candidates run. NotFound if there is no worker program.
  Result<WorkerPlace> workerPlace() const;

  /// The limits of planning.
  PlanLimits planLimits() const;

  /// Whether the CPU, the worker program and the journal can be used, and
  /// enough files be open; makes the journal if there is none. InvalidArgument
  /// for the CPU; else NotFound, IOError, Corrupt or Unsupported.
  Result<void> checkEnvironment() const;
};

} // namespace baco::driver

#endif // BACO_DRIVER_TUNEOPTIONS_H
