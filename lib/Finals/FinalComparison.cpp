//===- FinalComparison.cpp - The last measurement of a study --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Finals/FinalComparison.h"

#include <algorithm>
#include <cmath>
#include <utility>

using namespace baco;
using namespace baco::finals;
using database::Final;
using database::Finalist;

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

size_t finals::numRoundsOf(const Final &final) {
  size_t most = 1;
  for (const Finalist &finalist : final.finalists)
    most = std::max(most, finalist.roundsNs.size());
  return most;
}

Final finals::recordOf(const FinalistSet &ballot,
                       const measure::Comparison &comparison,
                       const Outcome *plain) {
  Final final;
  if (plain && plain->status == Status::Ok)
    final.plain = *plain;
  for (size_t i = 0; i < comparison.finalists.size(); ++i) {
    const measure::Samples &samples = comparison.finalists[i];
    Finalist finalist;
    if (i < ballot.trials.size())
      finalist.trial = ballot.trials[i];
    finalist.outcome = samples.outcome;
    if (samples.outcome.status == Status::Ok)
      finalist.roundsNs = measure::sliceMedians(samples);
    final.finalists.push_back(std::move(finalist));
  }
  final.confidence = comparison.cut == measure::Cut::None
                         ? measure::finalConfidence
                         : measure::confidenceOf(numRoundsOf(final));
  return final;
}

/// Marks trials as failed whose failure is their own.
static Result<void> takeFailures(const Final &final, study::StudyResult &result,
                                 const FinalComparisonParts &parts) {
  for (const Finalist &finalist : final.finalists) {
    if (!finalist.trial || !isOwnFault(finalist.outcome.status))
      continue;
    if (Result<void> told = parts.onFailure(*finalist.trial, finalist.outcome);
        !told)
      return told;
    study::addFailure(result, *finalist.trial, finalist.outcome);
  }
  return {};
}

/// Why no finalist can be chosen.
static Error describeNobody(const Final &final) {
  for (const Finalist &finalist : final.finalists)
    if (finalist.trial && isFailure(finalist.outcome.status) &&
        !isOwnFault(finalist.outcome.status))
      return {ErrorCode::IOError, "no finalist could be measured again (" +
                                      finalist.outcome.message + ")"};
  return {ErrorCode::NotFound, "no candidate works any more"};
}

/// Writes the decision into the record, and its ratio into `result`.
static Result<void> settle(FinalComparisonResult &result,
                           const study::StudyResult &study) {
  Final &final = result.final;
  const Finalist &first = final.finalists.front();
  bool hasDefault = study.defaultTrial && first.trial == study.defaultTrial;
  if (hasDefault && isFailure(first.outcome.status) &&
      !isOwnFault(first.outcome.status))
    return {ErrorCode::IOError, "the default could not be measured again (" +
                                    first.outcome.message + ")"};
  Decision decision =
      decide(final.finalists, study.defaultTrial, final.confidence);
  if (!decision.kept)
    return describeNobody(final);
  final.kept = *decision.kept;
  final.numTrials = study.evaluations;
  if (final.kept != Kept::Plain)
    final.winner = final.finalists[*decision.schedule].trial;
  if (hasDefault && decision.other && first.outcome.status == Status::Ok)
    result.decisive =
        ratioOf(first, final.finalists[*decision.other], final.confidence);
  return {};
}

/// Whether the plain lowering is needed in a comparison after this one, in
/// which the schedules were slower than in their trials.
static bool isPlainMissing(const Final &final, const study::StudyResult &result,
                           const FinalComparisonParts &parts) {
  Decision decision =
      decide(final.finalists, result.defaultTrial, final.confidence);
  if (!decision.schedule)
    return false;
  // Its only time may be with cold caches.
  constexpr double nearFactor = 2;
  double bestNs = final.finalists[*decision.schedule].outcome.timeNs;
  return couldPlainWin(parts.plain, bestNs, parts.longestMs) &&
         parts.plain->timeNs < nearFactor * bestNs;
}

Result<FinalComparisonResult>
finals::runFinalComparison(study::StudyResult &result,
                           const FinalComparisonParts &parts) {
  FinalComparisonResult last;
  FinalistSet measured;
  bool wantsPlain = false;
  for (int election = 0; election < maxSelections; ++election) {
    FinalistSet ballot = chooseFinalists(result.trials, result.defaultTrial,
                                         parts.plain, parts.longestMs);
    ballot.hasPlain |= wantsPlain;
    if (ballot.trials.empty())
      return Error{ErrorCode::NotFound, "no candidate works any more"};
    // There are no new finalists: no trial replaces the one that failed.
    if (election > 0 && measured.covers(ballot))
      break;
    Result<measure::Comparison> compared = parts.compare(ballot);
    // The result of the previous comparison is still valid.
    if (!compared && election > 0)
      break;
    if (!compared)
      return compared.error();
    measured = std::move(ballot);
    last.comparison = std::move(*compared);
    last.final = recordOf(measured, last.comparison, parts.plain);
    if (Result<void> taken = takeFailures(last.final, result, parts); !taken)
      return taken.error();
    wantsPlain = isPlainMissing(last.final, result, parts);
  }
  if (Result<void> settled = settle(last, result); !settled)
    return settled.error();
  return last;
}

Final finals::decideAlone(const study::StudyResult &result,
                          const Outcome *plain) {
  Final final;
  final.numTrials = result.evaluations;
  if (plain && plain->status == Status::Ok)
    final.plain = *plain;
  if (final.plain && isCertainlyFasterAlone(
                         *final.plain, *result.trials[*result.best].outcome)) {
    final.kept = Kept::Plain;
    return final;
  }
  final.kept = result.best == result.defaultTrial ? Kept::Default : Kept::Tuned;
  final.winner = *result.best;
  return final;
}

//===----------------------------------------------------------------------===//
// Telling
//===----------------------------------------------------------------------===//

report::MeasuredTime finals::timeOf(const Outcome &outcome) {
  report::MeasuredTime time{outcome.timeNs, std::nullopt};
  if (outcome.numSamples > 1)
    time.spread = outcome.spread;
  return time;
}

report::SpeedUp finals::speedUp(const Finalist &slow, const Finalist &fast,
                                double confidence) {
  measure::Ratio ratio = ratioOf(slow, fast, confidence);
  report::SpeedUp speedup{ratio.value, std::nullopt};
  if (std::isfinite(ratio.interval.low) && std::isfinite(ratio.interval.high))
    speedup.interval = std::pair(ratio.interval.low, ratio.interval.high);
  return speedup;
}

static report::SpeedUp
speedUp(const std::optional<report::MeasuredTime> &slow,
        const std::optional<report::MeasuredTime> &fast) {
  return {slow->timeNs / fast->timeNs, std::nullopt};
}

/// Summarizes a final comparison.
static void summarizeComparison(const Final &final,
                                std::optional<size_t> defaultTrial,
                                report::KernelSummary &summary) {
  const std::vector<Finalist> &finalists = final.finalists;
  Decision decision = decide(finalists, defaultTrial, final.confidence);
  auto winner = std::find_if(
      finalists.begin(), finalists.end(),
      [&](const Finalist &finalist) { return finalist.trial == final.winner; });
  auto compare = [&](const Finalist &slow, const Finalist &fast) {
    return speedUp(slow, fast, final.confidence);
  };
  const Finalist &first = finalists.front(), &plain = finalists.back();
  bool hasDefault = defaultTrial && first.trial == defaultTrial &&
                    first.outcome.status == Status::Ok;
  bool hasPlain = !plain.trial && plain.outcome.status == Status::Ok;
  summary.isConfirmed = true;
  summary.best = timeOf(winner->outcome);
  if (hasPlain)
    summary.plain = timeOf(plain.outcome);
  if (hasDefault)
    summary.defaultSchedule = timeOf(first.outcome);
  // Nothing is faster than itself.
  report::SpeedUp none;
  if (hasDefault)
    summary.speedup =
        final.kept == Kept::Default ? none : compare(first, *winner);
  if (final.kept == Kept::Plain)
    summary.speedupOverPlain = none;
  else if (hasPlain)
    summary.speedupOverPlain = compare(plain, *winner);
  else if (summary.plain)
    summary.speedupOverPlain = speedUp(summary.plain, summary.best);
  if (final.kept == Kept::Default && decision.other)
    summary.bestOther = compare(*winner, finalists[*decision.other]);
  if (final.kept == Kept::Plain && decision.schedule)
    summary.bestOther = compare(*winner, finalists[*decision.schedule]);
}

/// Summarizes the times that the search has measured.
static void summarizeAlone(const Final &final, const study::StudyResult &result,
                           report::KernelSummary &summary) {
  report::MeasuredTime fastest = timeOf(*result.trials[*result.best].outcome);
  if (final.kept == Kept::Plain)
    summary.best = summary.plain;
  else
    summary.best = timeOf(*result.trials[*final.winner].outcome);
  if (result.defaultTrial && result.trials[*result.defaultTrial].works()) {
    summary.defaultSchedule =
        timeOf(*result.trials[*result.defaultTrial].outcome);
    summary.speedup = speedUp(summary.defaultSchedule, summary.best);
  }
  if (summary.plain)
    summary.speedupOverPlain = speedUp(summary.plain, summary.best);
  if (final.kept == Kept::Plain)
    summary.bestOther = speedUp(summary.plain, fastest);
}

void finals::summarize(const Final &final, const study::StudyResult &result,
                       report::KernelSummary &summary) {
  summary.kept = final.kept;
  if (final.plain)
    summary.plain = timeOf(*final.plain);
  if (final.finalists.empty())
    summarizeAlone(final, result, summary);
  else
    summarizeComparison(final, result.defaultTrial, summary);
}
