//===- Finals.cpp - The last measurement of a study -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Finals.h"

#include "baco/Measure/Statistics.h"

#include "llvm/ADT/STLExtras.h"

using namespace baco;
using namespace baco::driver;
using runtime::Samples;

/// How many of the best trials are measured again: what is fourth in the search
/// is rarely the fastest.
static constexpr size_t maxFinalists = 3;

/// A plain lowering that is slower than the best by more than this is not worth
/// the time that measuring it takes; its first measurement will do.
static constexpr double hopelessFactor = 10;

/// Of the intervals that decide.
static constexpr double confidence = 0.99;

/// The trials to measure: the default (if it was right) first, then the best.
static std::vector<size_t> chooseFinalists(const study::StudyResult &result) {
  std::vector<size_t> trials;
  auto isRight = [&](size_t i) {
    const std::optional<Outcome> &outcome = result.trials[i].outcome;
    return outcome && outcome->status == Status::Ok;
  };
  for (size_t i = 0; i < result.trials.size(); ++i)
    if (isRight(i) && i != result.defaultTrial)
      trials.push_back(i);
  llvm::sort(trials, [&](size_t a, size_t b) {
    return std::pair(result.trials[a].outcome->timeNs, a) <
           std::pair(result.trials[b].outcome->timeNs, b);
  });
  if (trials.size() > maxFinalists)
    trials.resize(maxFinalists);
  if (result.defaultTrial && isRight(*result.defaultTrial))
    trials.insert(trials.begin(), *result.defaultTrial);
  return trials;
}

report::MeasuredTime driver::timeOf(const Outcome &outcome) {
  report::MeasuredTime time{outcome.timeNs, std::nullopt};
  if (outcome.numSamples > 1)
    time.spread = outcome.spread;
  return time;
}

/// How much longer `slow` takes than `fast`, by turns.
static report::SpeedUp ratioOf(const Samples &slow, const Samples &fast) {
  measure::Ratio ratio = measure::compareTurns(slow, fast, confidence);
  return {ratio.value, std::pair(ratio.interval.low, ratio.interval.high)};
}

static bool isRight(const Samples &samples) {
  return samples.outcome.status == Status::Ok;
}

Result<size_t> driver::runFinals(
    const study::StudyResult &result,
    llvm::function_ref<Configuration(const database::Trial &)> configurationOf,
    JitEvaluator &evaluator, report::KernelSummary &summary) {
  std::vector<size_t> finalists = chooseFinalists(result);
  std::vector<std::optional<Configuration>> contenders;
  for (size_t trial : finalists)
    contenders.push_back(configurationOf(result.trials[trial]));
  const Outcome &best = *result.trials[*result.best].outcome;
  bool hasPlain = evaluator.plain().status == Status::Ok &&
                  evaluator.plain().timeNs < hopelessFactor * best.timeNs;
  if (hasPlain)
    contenders.push_back(std::nullopt);
  Result<std::vector<Samples>> measured = evaluator.compare(contenders);
  if (!measured)
    return measured.error();

  // The fastest of those that were right once more.
  std::optional<size_t> winner;
  for (size_t i = 0; i < finalists.size(); ++i)
    if (isRight((*measured)[i]) &&
        (!winner ||
         (*measured)[i].outcome.timeNs < (*measured)[*winner].outcome.timeNs))
      winner = i;
  if (!winner)
    return Error{ErrorCode::NotFound, (*measured)[0].outcome.message};

  bool hasDefault =
      finalists[0] == result.defaultTrial && isRight((*measured)[0]);
  if (hasDefault) {
    const Samples &first = (*measured)[0];
    report::SpeedUp speedup = ratioOf(first, (*measured)[*winner]);
    if (*winner == 0 || !(speedup.interval->first > 1)) {
      summary.keepsDefault = true;
      winner = 0;
      speedup = {1, std::nullopt};
    }
    summary.defaultSchedule = timeOf(first.outcome);
    summary.speedup = speedup;
  }
  const Samples &chosen = (*measured)[*winner];
  summary.best = timeOf(chosen.outcome);
  if (hasPlain && isRight(measured->back())) {
    summary.plain = timeOf(measured->back().outcome);
    summary.speedupOverPlain = ratioOf(measured->back(), chosen);
  } else if (summary.plain) {
    summary.speedupOverPlain = report::SpeedUp{
        summary.plain->timeNs / summary.best->timeNs, std::nullopt};
  }
  return finalists[*winner];
}

void driver::summarizeRecorded(const study::StudyResult &result,
                               report::KernelSummary &summary) {
  summary.best = timeOf(*result.trials[*result.best].outcome);
  if (result.defaultTrial) {
    const std::optional<Outcome> &outcome =
        result.trials[*result.defaultTrial].outcome;
    if (outcome && outcome->status == Status::Ok) {
      summary.defaultSchedule = timeOf(*outcome);
      summary.speedup =
          report::SpeedUp{outcome->timeNs / summary.best->timeNs, std::nullopt};
    }
  }
  if (summary.plain)
    summary.speedupOverPlain = report::SpeedUp{
        summary.plain->timeNs / summary.best->timeNs, std::nullopt};
}
