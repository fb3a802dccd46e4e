//===- Finals.cpp - The last measurement of a study -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Finals.h"

#include "baco/Measure/Noise.h"
#include "baco/Measure/Rounds.h"
#include "baco/Report/Units.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace baco;
using namespace baco::driver;
using runtime::Samples;

/// How many of the best trials are measured again, beside the default: what is
/// third in the search is rarely the fastest.
static constexpr size_t maxFinalists = 2;

/// A plain lowering that is slower than the best by more than this is not worth
/// the time that measuring it takes; its first measurement will do.
static constexpr double hopelessFactor = 10;

/// What was slower than the best trial by more than this isn't measured again:
/// trials are off by two percent at most times, the place of their memory
/// included.
static constexpr double finalistMargin = 1.08;

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
  double bestNs = result.trials[*result.best].outcome->timeNs;
  llvm::erase_if(trials, [&](size_t i) {
    return result.trials[i].outcome->timeNs > finalistMargin * bestNs;
  });
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

/// How much longer `slow` takes than `fast`, by rounds.
static measure::Ratio compare(const Samples &slow, const Samples &fast,
                              double confidence) {
  return measure::compareRounds(slow, fast, confidence);
}

/// The same for people.
static report::SpeedUp ratioOf(const Samples &slow, const Samples &fast,
                               double confidence) {
  auto [value, interval, _] = compare(slow, fast, confidence);
  report::SpeedUp speedup{value, std::nullopt};
  if (std::isfinite(interval.low) && std::isfinite(interval.high))
    speedup.interval = std::pair(interval.low, interval.high);
  return speedup;
}

static bool isRight(const Samples &samples) {
  return samples.outcome.status == Status::Ok;
}

/// Whether it failed in a way that says nothing of a candidate that was right
/// before.
static bool failedByMachine(const Samples &samples) {
  Status status = samples.outcome.status;
  return status == Status::Lost || status == Status::OutOfMemory ||
         status == Status::TimedOut;
}

/// The fastest of `samples` in [begin, end) that is right; nullopt if none is.
/// Who left early can't win, and its few rounds were timed at other moments.
static std::optional<size_t> findFastest(llvm::ArrayRef<Samples> samples,
                                         size_t begin, size_t end) {
  auto keyOf = [&](size_t i) {
    return std::pair(-static_cast<double>(samples[i].slicesNs.size()),
                     samples[i].outcome.timeNs);
  };
  std::optional<size_t> fastest;
  for (size_t i = begin; i < end; ++i)
    if (isRight(samples[i]) && (!fastest || keyOf(i) < keyOf(*fastest)))
      fastest = i;
  return fastest;
}

/// The rounds of who was there to the end.
static size_t numRoundsOf(llvm::ArrayRef<Samples> samples) {
  size_t most = 1;
  for (const Samples &one : samples)
    most = std::max(most, one.slicesNs.size());
  return most;
}

/// Chooses between the default, which is the first of `samples`, and the
/// fastest other one, which must be certainly faster.
static size_t decide(llvm::ArrayRef<Samples> samples,
                     std::optional<size_t> other, double confidence,
                     report::KernelSummary &summary) {
  summary.defaultSchedule = timeOf(samples[0].outcome);
  report::SpeedUp speedup;
  bool isFaster = false;
  if (other) {
    speedup = ratioOf(samples[0], samples[*other], confidence);
    isFaster = measure::isCertainlyLonger(
        compare(samples[0], samples[*other], confidence));
  }
  if (isFaster) {
    summary.speedup = speedup;
    return *other;
  }
  summary.keepsDefault = true;
  summary.speedup = report::SpeedUp{1, std::nullopt};
  if (other)
    summary.bestOther = speedup;
  return 0;
}

/// Whether the plain kernel, which nobody chooses, would take longer in the
/// fewest rounds than a finalist may.
static bool isPlainTooSlow(const JitEvaluator &evaluator, const Outcome &best) {
  // Closer ones are worth knowing exactly.
  constexpr double farFactor = 1.5;
  double plainNs = evaluator.plain().timeNs;
  // A check and a time.
  double spentNs = 2 * measure::minRounds * plainNs;
  return plainNs > farFactor * best.timeNs &&
         spentNs > evaluator.longestComparisonMs() * 1e6;
}

Result<size_t> driver::runFinals(
    const study::StudyResult &result,
    llvm::function_ref<Configuration(const database::Trial &)> configurationOf,
    JitEvaluator &evaluator, report::KernelSummary &summary) {
  std::vector<size_t> finalists = chooseFinalists(result);
  std::vector<JitEvaluator::Finalist> contenders;
  // The default stays to the end.
  for (size_t trial : finalists)
    contenders.push_back({configurationOf(result.trials[trial]),
                          /*mayLeave=*/trial != result.defaultTrial});
  const Outcome &best = *result.trials[*result.best].outcome;
  bool hasPlain = evaluator.plain().status == Status::Ok &&
                  evaluator.plain().timeNs < hopelessFactor * best.timeNs &&
                  !isPlainTooSlow(evaluator, best);
  if (hasPlain)
    contenders.push_back({std::nullopt, /*mayLeave=*/false});
  bool hasDefault = finalists[0] == result.defaultTrial;
  Result<measure::Comparison> compared = evaluator.compare(
      contenders, hasDefault ? std::optional<size_t>(0) : std::nullopt);
  if (!compared)
    return compared.error();
  const std::vector<Samples> &measured = compared->finalists;
  double confidence = measure::finalConfidence;
  if (compared->isCut) {
    size_t rounds = numRoundsOf(measured);
    confidence = measure::confidenceOf(rounds);
    summary.notes.push_back(
        "one execution takes so long that the final comparison has " +
        std::to_string(rounds) + " rounds instead of " +
        std::to_string(measure::numRounds) + ": its intervals hold with " +
        report::formatNumber(100 * confidence) +
        " %; raise --final-time for more");
  }

  size_t winner = 0;
  if (hasDefault && failedByMachine(measured[0]))
    return Error{ErrorCode::IOError,
                 "the default could not be measured again (" +
                     measured[0].outcome.message + ")"};
  hasDefault = hasDefault && isRight(measured[0]);
  std::optional<size_t> other =
      findFastest(measured, hasDefault ? 1 : 0, finalists.size());
  if (hasDefault)
    winner = decide(measured, other, confidence, summary);
  else if (other)
    winner = *other;
  else
    return Error{ErrorCode::NotFound, measured[0].outcome.message};

  const Samples &chosen = measured[winner];
  summary.best = timeOf(chosen.outcome);
  if (hasPlain && isRight(measured.back())) {
    summary.plain = timeOf(measured.back().outcome);
    summary.speedupOverPlain = ratioOf(measured.back(), chosen, confidence);
  } else if (summary.plain) {
    summary.speedupOverPlain = report::SpeedUp{
        summary.plain->timeNs / summary.best->timeNs, std::nullopt};
  }
  std::optional<measure::Ratio> decisive;
  if (hasDefault && other)
    decisive = compare(measured[0], measured[*other], confidence);
  llvm::append_range(summary.notes, measure::describeNoise(
                                        evaluator.cpu(), evaluator.conditions(),
                                        measured, decisive));
  return finalists[winner];
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
