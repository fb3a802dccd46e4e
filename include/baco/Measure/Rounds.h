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

struct Finalist {
  /// Without a value: the plain kernel.
  std::optional<std::string> configuration;
  /// It takes part only as long as it may still turn out the fastest.
  bool mayLeave = false;
};

/// Measures the finalists in `numRounds` rounds. One entry for each, in their
/// order: `slicesNs[i]` and `conditions[i]` are of round i, the summary of all.
/// A status other than ok is that of the first round that failed; then, and
/// after it has left, a finalist has no further rounds. Errors as
/// WorkerProcess::compare.
///
/// A finalist leaves after the third round or later, if in every round it took
/// longer, by a percent or more, than the one with the least median: in so few
/// rounds nothing is claimed of it but that it isn't the fastest. When a single
/// one is left there is nothing to compare, and the rounds end.
///
/// The timing of each round is that of the worker's options.
Result<std::vector<Samples>>
compareInRounds(WorkerProcess &worker, const std::vector<Finalist> &finalists);

/// The options for a worker whose comparisons are rounds, such that a candidate
/// is timed for `comparisonMs` in all of them together.
runtime::MeasureOptions ofRound(runtime::MeasureOptions options);

} // namespace baco::measure

#endif // BACO_MEASURE_ROUNDS_H
