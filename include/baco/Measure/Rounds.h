//===- Rounds.h - Comparing in fresh processes ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a process has its memory makes up to some percent, which no repetition
// within it shows. So the last word on candidates has several rounds, each with
// fresh processes side by side, and what counts is one ratio from each round.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_MEASURE_ROUNDS_H
#define BACO_MEASURE_ROUNDS_H

#include "baco/Measure/Statistics.h"
#include "baco/Measure/WorkerProcess.h"

namespace baco::measure {

/// The fewest pairs that give a ratio an interval of `finalConfidence`
/// (medianInterval).
inline constexpr int numRounds = 8;

/// Of the intervals that decide.
inline constexpr double finalConfidence = 0.99;

/// The rounds that there are however long they take.
inline constexpr int minRounds = 3;

/// The confidence of the interval from the least to the largest of some pairs'
/// ratios, at most `finalConfidence`; 1 pair or more.
double confidenceOf(size_t numPairs);

struct Finalist {
  /// Without a value: the plain kernel.
  std::optional<std::string> configuration;
  /// It takes part only as long as it may still turn out the fastest but for
  /// the plain kernel.
  bool mayLeave = false;
};

/// What the rounds gave.
struct Comparison {
  /// One entry for each finalist, in their order.
  std::vector<Samples> finalists;
  /// There were fewer rounds because each takes too long.
  bool isCut = false;
};

/// Measures the finalists in `numRounds` rounds, but after `minRounds` or more
/// begins none that would let one of them run longer than `longestMs` in all
/// (> 0; checks included). Of each finalist `slicesNs[i]` and `conditions[i]`
/// are of round i, the summary of all. A status other than ok is that of the
/// first round that failed; then, and after it has left, a finalist has no
/// further rounds. Errors as WorkerProcess::compare.
///
/// A finalist leaves after the third round or later, if in every round it took
/// longer, by a percent or more, than the one with the least median: in so few
/// rounds nothing is claimed of it but that it isn't the fastest. When a single
/// one is left there is nothing to compare, and the rounds end.
///
/// The timing of each round is that of the worker's options.
Result<Comparison> compareInRounds(WorkerProcess &worker,
                                   const std::vector<Finalist> &finalists,
                                   double longestMs);

/// `longestMs` for comparisons that are to take `comparisonMs`: kernels that
/// run long take some times as much.
double longestComparisonMs(double comparisonMs);

/// The options for a worker whose comparisons are rounds, such that a candidate
/// is timed for `comparisonMs` in all of them together.
runtime::MeasureOptions ofRound(runtime::MeasureOptions options);

} // namespace baco::measure

#endif // BACO_MEASURE_ROUNDS_H
