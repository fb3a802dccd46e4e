//===- FinalComparison.h - The last measurement of a study ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The times of single trials may be chance. The best few, the default and the
// plain lowering are measured again, in turns and in fresh processes, before a
// speed-up is claimed.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FINALS_FINALCOMPARISON_H
#define BACO_FINALS_FINALCOMPARISON_H

#include "baco/Finals/WinnerSelection.h"
#include "baco/Measure/Rounds.h"
#include "baco/Report/KernelSummary.h"
#include "baco/Study/Study.h"

#include <functional>
#include <optional>

namespace baco::finals {

/// The time of an outcome that is ok.
report::MeasuredTime timeOf(const Outcome &outcome);

/// How many times faster `fast` is than `slow`, by rounds.
report::SpeedUp speedUp(const database::Finalist &slow,
                        const database::Finalist &fast, double confidence);

/// The rounds of the finalists that took part in all of them.
size_t numRoundsOf(const database::Final &final);

/// How often finalists are chosen at most: again after one has failed, if
/// another trial replaces it.
inline constexpr int maxSelections = 4;

/// The record of a comparison of the ballot's finalists, before the decision.
/// `plain`: see FinalComparisonParts.
database::Final recordOf(const FinalistSet &ballot,
                         const measure::Comparison &comparison,
                         const Outcome *plain);

/// Whoever measures: a worker, or another evaluator that can time candidates
/// side by side.
struct FinalComparisonParts {
  /// The plain lowering as it was timed before the search; may be null.
  const Outcome *plain = nullptr;
  /// How long a finalist may run in all rounds, in milliseconds; > 0.
  double longestMs = 0;
  /// Measures the finalists of the ballot side by side, by compareInRounds: one
  /// entry for each trial, in its order, and one for the plain lowering if it
  /// takes part. Not empty.
  std::function<Result<measure::Comparison>(const FinalistSet &)> compare;
  /// Called for a trial that failed by itself, before finalists are chosen
  /// again. Not empty.
  std::function<Result<void>(size_t trial, const Outcome &failure)> onFailure;
};

/// The result of the last comparison.
struct FinalComparisonResult {
  database::Final final;
  /// For warnings of noise.
  measure::Comparison comparison;
  /// The ratio that decided between the default and the best other one.
  std::optional<measure::Ratio> decisive;
};

/// Measures the finalists and decides which code is kept. One that fails is a
/// failed trial of `result` from then on, and finalists are chosen again from
/// the rest, at most `maxSelections` times in all. Errors: those of the parts;
/// IOError if the machine kept the default from being measured; NotFound if no
/// candidate works any more.
Result<FinalComparisonResult>
runFinalComparison(study::StudyResult &result,
                   const FinalComparisonParts &parts);

/// The same by the times of trials, for runs without a comparison; `result` has
/// a best trial. The original is kept only where the plain lowering is faster
/// by far.
database::Final decideAlone(const study::StudyResult &result,
                            const Outcome *plain);

/// Writes times, speed-ups and the kept code of `final` into `summary`; `final`
/// is of the trials of `result`.
void summarize(const database::Final &final, const study::StudyResult &result,
               report::KernelSummary &summary);

} // namespace baco::finals

#endif // BACO_FINALS_FINALCOMPARISON_H
