//===- KernelTuner.h - The search of one kernel -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stages of tuning a kernel, so that the searches of several kernels can
// take turns: set-up, a search that goes on whenever it is granted more, and
// the last measurement.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DRIVER_KERNELTUNER_H
#define BACO_LIB_DRIVER_KERNELTUNER_H

#include "StudyMetadata.h"
#include "baco/Database/Journal.h"
#include "baco/Driver/JitEvaluator.h"
#include "baco/Driver/ModuleTuner.h"
#include "baco/Driver/StaticEvaluator.h"
#include "baco/Search/TransferSource.h"
#include "baco/Study/ReplayEvaluator.h"
#include "baco/Study/Study.h"

#include <chrono>

namespace baco::driver {

/// The options of the study of one kernel. InvalidArgument, naming the option.
Result<study::StudyOptions> studyOptionsOf(const TuneOptions &options);

/// The seconds that the set-up, the trial under way and the final comparison of
/// a kernel may each take beyond the time limit, so that there is a result.
inline constexpr double minSeconds = 5;

/// Wall time.
double secondsSince(std::chrono::steady_clock::time_point start);

class KernelTuner {
public:
  /// All outlive the tuner. `stop` may be null.
  KernelTuner(const Kernel &kernel, const TuneOptions &options,
              report::ProgressListener &listener, const std::atomic<bool> *stop)
      : kernel(kernel), options(options), listener(listener), stop(stop) {}

  /// Extracts the space, starts the worker and opens the journal. Fails with a
  /// diagnostic at the kernel's location; see `failureKind`.
  mlir::LogicalResult prepare();

  /// Starts or continues the search until the study has `budget` trials or has
  /// taken `seconds` (0: no limit), both including earlier runs. Reports
  /// errors as diagnostics; see `isClosed`.
  void search(uint64_t budget, double seconds);

  /// Whether granting more would change nothing: the space is exhausted, a stop
  /// condition met, the run was interrupted, or something failed.
  bool isClosed() const;
  /// Whether the last call of `search` ended by its time.
  bool isOutOfTime() const {
    return result && result->stopReason == study::StopReason::TimeLimit;
  }
  /// Trials that count against the budget.
  uint64_t numTrials() const;
  /// How long `prepare` has taken.
  double preparedSeconds() const { return setupSeconds; }
  /// How long the last measurement takes, about, in seconds; 0 if nothing is
  /// known of the default.
  double expectedFinalSeconds() const;
  /// How long all searches have taken.
  double searchedSeconds() const { return result ? result->wallSeconds : 0; }
  /// The time of the default, if it was measured and right.
  std::optional<double> defaultNs() const;
  /// The number of configurations if the space is that small.
  std::optional<uint64_t> spaceSize() const { return space->countIfSmall(); }

  /// Measures the best against the default, ends the worker, and returns the
  /// result. `calls`: how often the module calls the kernel, if known. Fails,
  /// after a diagnostic, if there is no result. Call once, last, after a
  /// successful `prepare`.
  mlir::FailureOr<TunedKernel> finish(std::optional<double> calls);

  /// Journals that the tuned module has other code than `finish` chose, so that
  /// a replay gives it, too. Call after `finish`.
  Result<void> recordFallback(Kept kept);

  /// Instead of a search: measures the known result of the kernel, the schedule
  /// of `configuration` or the default or plain code (`kept`), against the
  /// default and, if it isn't much slower, the plain code. Ends the worker.
  /// Fails with a diagnostic, also if the known result doesn't work any more.
  /// Call once, after a successful `prepare` for the evaluator jit.
  mlir::FailureOr<TunedKernel> remeasure(Kept kept,
                                         const std::string &configuration);

  /// After a failure: its cause.
  TuneFailure failureKind() const { return failure; }

private:
  mlir::LogicalResult fail(TuneFailure kind, const Error &error);
  bool stopRequested() const { return stop && *stop; }
  /// Whether the time limit left a trial pending.
  bool isTrialCut() const;
  Result<std::unique_ptr<search::Optimizer>> makeOptimizer() const;
  mlir::LogicalResult makeEvaluator();
  mlir::LogicalResult failToStart(const Error &error, bool isTimeShort);
  bool hasStaticCosts() const;
  mlir::LogicalResult openJournal();
  std::string structure() const;
  Result<std::vector<search::TransferSource>>
  findSources(llvm::StringRef key) const;
  /// Sets the transfer sources of the study `key`: the recorded ones, or else
  /// those found now.
  mlir::LogicalResult takeSources(llvm::StringRef key, bool isNew);
  Result<void> recordDetails(std::optional<double> calls);
  Configuration configurationOf(const database::Trial &trial) const;
  void summarize(report::KernelSummary &summary) const;
  std::optional<double> flopsAtScalars() const;
  mlir::LogicalResult chooseWinner(TunedKernel &tuned, bool canCompare);
  mlir::FailureOr<database::Trial> tryOnce(uint64_t number,
                                           const Configuration &configuration);
  mlir::LogicalResult compareWithKnown(Kept kept, TunedKernel &tuned);
  Result<void> recordFailure(size_t trial, const Outcome &failure);
  Result<void> takeRecordedFailures();
  std::optional<database::Final> recallFinal(TunedKernel &tuned) const;
  bool completeChecks(TunedKernel &tuned);
  std::optional<database::Final> measureFinal(TunedKernel &tuned);
  Result<void> recordFinal(const database::Final &final);

  const Kernel &kernel;
  const TuneOptions &options;
  report::ProgressListener &listener;
  const std::atomic<bool> *stop;
  TuneFailure failure = TuneFailure::Environment;
  std::optional<Space> space;
  std::unique_ptr<study::Evaluator> evaluator;
  /// The evaluator, if it is one that runs candidates, one that replays, or one
  /// that has costs.
  JitEvaluator *jit = nullptr;
  study::ReplayEvaluator *replay = nullptr;
  StaticEvaluator *statics = nullptr;
  /// The slots of a cluster when the study began.
  std::optional<size_t> slots;
  /// A note about the evaluator; may be empty.
  std::string evaluatorNote;
  std::optional<database::StudyJournal> journal;
  /// Empty without a journal.
  std::string studyKey;
  StudyMetadata metadata;
  /// The studies that the search learns from.
  std::vector<search::TransferSource> sources;
  /// The result of all searches so far; the times are sums.
  std::optional<study::StudyResult> result;
  /// What `finish` chose.
  std::optional<database::Final> decided;
  /// The last search failed, after a diagnostic.
  bool searchFailed = false;
  double setupSeconds = 0, waitedSeconds = 0;
};

/// Resolves the choices of a kernel's schedule by the values of its space's
/// parameters, in their order. Sets `inactive`, if not null, to the names of
/// those that have no effect. Fails with a diagnostic.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
resolveSchedule(const Kernel &kernel, const Space &space,
                const Configuration &configuration,
                std::vector<std::string> *inactive);

/// The same with what is told of it; nullopt, after a diagnostic, if it can't
/// be resolved.
std::optional<ResolvedSchedule> resolve(const Kernel &kernel,
                                        const Space &space,
                                        const Configuration &configuration);

} // namespace baco::driver

#endif // BACO_LIB_DRIVER_KERNELTUNER_H
