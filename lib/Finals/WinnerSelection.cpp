//===- WinnerSelection.cpp - The code that is shipped ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Finals/WinnerSelection.h"

#include "baco/Measure/Rounds.h"
#include "baco/Support/Claims.h"

#include <algorithm>
#include <utility>

using namespace baco;
using namespace baco::finals;
using database::Finalist;
using database::Trial;

/// The number of best trials that are measured again, in addition to the
/// default: the third best trial of a search is rarely the fastest.
static constexpr size_t maxFinalists = 2;

/// A plain lowering that is slower than the best by more than this is not worth
/// the time that measuring it takes; its first measurement will do.
static constexpr double hopelessFactor = 10;

/// Trials slower than the best one by more than this aren't measured again: the
/// error of a trial is usually at most two percent, including the placement of
/// its memory.
static constexpr double finalistMargin = 1.08;

/// How much longer a trial must take than the plain lowering, beyond the spread
/// of both, to be certainly slower without a comparison: the clock may change
/// by 7 % between the two, the place of memory makes some percent, and the
/// plain lowering may have been timed by its first execution, in cold caches,
/// which speaks against it only.
static constexpr double aloneFactor = 1.25;

bool FinalistSet::covers(const FinalistSet &other) const {
  return (hasPlain || !other.hasPlain) &&
         std::all_of(other.trials.begin(), other.trials.end(),
                     [&](size_t trial) {
                       return std::find(trials.begin(), trials.end(), trial) !=
                              trials.end();
                     });
}

bool finals::couldPlainWin(const Outcome *plain, double bestNs,
                           double longestMs) {
  if (!plain || plain->status != Status::Ok)
    return false;
  // The time of a check and a timing in the fewest rounds; a plain lowering
  // that is not much slower is worth it.
  constexpr double farFactor = 1.5;
  double spentNs = 2 * measure::minRounds * plain->timeNs;
  bool isTooSlow =
      plain->timeNs > farFactor * bestNs && spentNs > longestMs * 1e6;
  return plain->timeNs < hopelessFactor * bestNs && !isTooSlow;
}

FinalistSet finals::chooseFinalists(std::span<const Trial> all,
                                    std::optional<size_t> defaultTrial,
                                    const Outcome *plain, double longestMs) {
  FinalistSet ballot;
  auto timeOf = [&](size_t i) { return all[i].outcome->timeNs; };
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].works())
      ballot.trials.push_back(i);
  if (ballot.trials.empty())
    return ballot;
  std::sort(ballot.trials.begin(), ballot.trials.end(),
            [&](size_t a, size_t b) {
              return std::pair(timeOf(a), a) < std::pair(timeOf(b), b);
            });
  double bestNs = timeOf(ballot.trials.front());
  ballot.hasDefault = defaultTrial && all[*defaultTrial].works();
  std::erase_if(ballot.trials, [&](size_t i) {
    return i == defaultTrial || timeOf(i) > finalistMargin * bestNs;
  });
  if (ballot.trials.size() > maxFinalists)
    ballot.trials.resize(maxFinalists);
  if (ballot.hasDefault)
    ballot.trials.insert(ballot.trials.begin(), *defaultTrial);
  ballot.hasPlain = couldPlainWin(plain, bestNs, longestMs);
  return ballot;
}

bool finals::isOwnFault(Status status) {
  return isFailure(status) && status != Status::Lost &&
         status != Status::OutOfMemory;
}

/// As the functions that compare turns expect: one turn for each round.
static runtime::Samples samplesOf(const Finalist &finalist) {
  runtime::Samples samples;
  for (double timeNs : finalist.roundsNs)
    samples.slicesNs.push_back({timeNs});
  return samples;
}

measure::Ratio finals::ratioOf(const Finalist &slow, const Finalist &fast,
                               double confidence) {
  return measure::compareRounds(samplesOf(slow), samplesOf(fast), confidence);
}

bool finals::isCertainlyFaster(const Finalist &fast, const Finalist &slow,
                               double confidence) {
  return measure::isCertainlyLonger(ratioOf(slow, fast, confidence));
}

static bool isRight(const Finalist &finalist) {
  return finalist.outcome.status == Status::Ok;
}

/// The fastest correct schedule except the default; nullopt if there is none. A
/// finalist that left early can't win, because its few rounds were timed at
/// other moments.
static std::optional<size_t> findFastest(std::span<const Finalist> finalists,
                                         std::optional<uint64_t> defaultTrial) {
  auto keyOf = [&](size_t i) {
    return std::pair(-static_cast<double>(finalists[i].roundsNs.size()),
                     finalists[i].outcome.timeNs);
  };
  std::optional<size_t> fastest;
  for (size_t i = 0; i < finalists.size(); ++i)
    if (isRight(finalists[i]) && finalists[i].trial &&
        finalists[i].trial != defaultTrial &&
        (!fastest || keyOf(i) < keyOf(*fastest)))
      fastest = i;
  return fastest;
}

/// Whether the rounds show that `chosen` is slower than the code that it would
/// replace. Few rounds ask more of a schedule, but not of the code before:
/// nobody should get what an interval below 1 was measured of.
static bool isSlower(const Finalist &chosen, const Finalist &before,
                     double confidence) {
  return ratioOf(chosen, before, confidence).interval.low > 1 + minSpeedup;
}

Decision finals::decide(std::span<const Finalist> finalists,
                        std::optional<uint64_t> defaultTrial,
                        double confidence) {
  Decision decision;
  decision.other = findFastest(finalists, defaultTrial);
  bool hasDefault = !finalists.empty() && defaultTrial &&
                    finalists.front().trial == defaultTrial &&
                    isRight(finalists.front());
  if (decision.other &&
      (!hasDefault || isCertainlyFaster(finalists[*decision.other],
                                        finalists.front(), confidence))) {
    decision.schedule = decision.other;
    decision.kept = Kept::Tuned;
  } else if (hasDefault) {
    decision.schedule = 0;
    decision.kept = Kept::Default;
  } else {
    return decision;
  }
  const Finalist &plain = finalists.back();
  if (!plain.trial && isRight(plain) &&
      isSlower(finalists[*decision.schedule], plain, confidence))
    decision.kept = Kept::Plain;
  return decision;
}

std::optional<size_t> finals::decideProgram(std::span<const Finalist> finalists,
                                            double confidence) {
  std::optional<size_t> best;
  for (size_t i = 0; i < finalists.size(); ++i)
    if (isRight(finalists[i]) &&
        (!best || isSlower(finalists[*best], finalists[i], confidence)))
      best = i;
  return best;
}

bool finals::isCertainlyFasterAlone(const Outcome &plain,
                                    const Outcome &trial) {
  return plain.status == Status::Ok && trial.status == Status::Ok &&
         plain.timeNs * (1 + plain.spread) * aloneFactor <
             trial.timeNs * (1 - trial.spread);
}
