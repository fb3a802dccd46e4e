//===- Replay.h - Searches of known spaces ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs techniques on spaces whose times are known, many seeds each, and keeps
// what each evaluation found.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_SEARCH_REPLAY_H
#define BACO_BENCHMARKS_SEARCH_REPLAY_H

#include "BenchmarkSpace.h"
#include "Technique.h"

namespace baco::bench {

struct ReplayOptions {
  /// Evaluations of a run, failures included; at least 3.
  size_t budget = 60;
  /// How many candidates are in flight at once; at least 1.
  size_t pending = 1;
  /// The seeds are firstSeed, firstSeed + 1, ...; at least 1.
  size_t numSeeds = 30;
  uint64_t firstSeed = 0;
  /// Whether each technique begins with the space's default, as in a tuner.
  bool defaultFirst = false;
  /// How many runs at a time; at least 1. Results don't depend on it.
  size_t numThreads = 1;
};

/// One search.
struct Run {
  /// The best time after each evaluation; infinity while all failed. As many as
  /// the budget: if the space has fewer configurations, the last is repeated.
  std::vector<double> bestTimes;
  /// Processor time of each ask.
  std::vector<double> askSeconds;
  /// How many evaluations failed.
  size_t failures = 0;
};

/// One search; `budget`, `pending` (unless the row has its own) and
/// `defaultFirst` of the options count.
/// What was asked for first is done first; what the technique has no use for
/// any more is cancelled and doesn't count. Errors: those of makeOptimizer and
/// of the technique.
Result<Run> replay(const Technique &technique, const BenchmarkSpace &space,
                   const ReplayOptions &options, uint64_t seed);

/// One search of the space itself by makeOptimizer(`optimizer`, ...), with its
/// trials in the order of asking if they are wanted. Errors as above.
Result<Run>
replay(std::string_view optimizer, const BenchmarkSpace &space,
       const search::OptimizerOptions &optimizerOptions,
       const ReplayOptions &options,
       std::vector<search::TransferSource::Trial> *trials = nullptr);

/// Calls `work` with 0, ..., number - 1, each once, from some threads.
void forEachInParallel(size_t number, size_t numThreads,
                       const std::function<void(size_t)> &work);

/// All searches of some techniques.
struct Experiment {
  ReplayOptions options;
  std::vector<BenchmarkSpace> spaces;
  std::vector<Technique> techniques;
  /// By technique, then by space, then by seed: see `run`.
  std::vector<Run> runs;

  const Run &run(size_t technique, size_t space, size_t seed) const {
    return runs[(technique * spaces.size() + space) * options.numSeeds + seed];
  }
};

/// Fills `runs`. The error of the first run that has one, with its technique,
/// space and seed.
Result<void> runAll(Experiment &experiment);

/// Processor seconds of an ask at some numbers of trials.
struct AskTimes {
  double at60 = 0, at200 = 0;
};

/// Medians over the ten asks up to the 60th and the 200th of one run on each
/// space, one after the other on an otherwise idle program; a space with fewer
/// configurations doesn't count. NaN if there is none. Errors: as `replay`.
Result<AskTimes> measureAsks(const Technique &technique,
                             const std::vector<BenchmarkSpace> &spaces,
                             uint64_t seed);

} // namespace baco::bench

#endif // BACO_BENCHMARKS_SEARCH_REPLAY_H
