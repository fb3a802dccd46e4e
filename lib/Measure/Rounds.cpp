//===- Rounds.cpp - Comparing in fresh processes --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Measure/Rounds.h"

#include "baco/Measure/WorkerProcess.h"
#include "baco/Support/Random.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace baco;
using namespace baco::measure;

/// The factor by which a contender that is removed is slower in every round.
static constexpr double leavingMargin = 1.01;

namespace {
struct Contender {
  const Finalist &finalist;
  Samples samples;
  bool isOut = false;
  /// Wall time of its executions.
  double spentNs = 0;

  bool isIn() const { return !isOut; }
  double medianNs() const { return median(sliceMedians(samples)); }
};
} // namespace

/// Adds the times of a round.
static void add(Contender &contender, Samples &&round) {
  Samples &samples = contender.samples;
  contender.spentNs += round.outcome.runNs;
  samples.outcome = std::move(round.outcome);
  contender.isOut = samples.outcome.status != Status::Ok;
  std::vector<double> &times = samples.slicesNs.emplace_back();
  for (const std::vector<double> &turn : round.slicesNs)
    times.insert(times.end(), turn.begin(), turn.end());
  if (round.rates.threads > samples.rates.threads ||
      samples.rates.flopsPerS == 0)
    samples.rates = round.rates;
  // A worker that was started again may not have sampled it.
  if (round.shares || !samples.shares) {
    samples.listing = std::move(round.listing);
    samples.shares = round.shares;
  }
  runtime::Conditions &sum = samples.conditions.emplace_back();
  for (const runtime::Conditions &turn : round.conditions) {
    sum.wallNs += turn.wallNs;
    sum.cpuNs += turn.cpuNs;
    sum.referenceNs += turn.referenceNs / round.conditions.size();
  }
}

/// Whether `contender` took longer than `leader` in every round.
static bool isBeaten(const Contender &contender, const Contender &leader) {
  std::vector<double> times = sliceMedians(contender.samples);
  std::vector<double> best = sliceMedians(leader.samples);
  for (size_t i = 0; i < times.size(); ++i)
    if (!(times[i] > leavingMargin * best[i]))
      return false;
  return true;
}

/// The times of the defender divided by those of a contender.
static std::vector<double> ratiosOf(const Contender &contender,
                                    const Contender &defender) {
  std::vector<double> ratios = sliceMedians(contender.samples);
  std::vector<double> defended = sliceMedians(defender.samples);
  for (size_t i = 0; i < ratios.size(); ++i)
    ratios[i] = defended[i] / ratios[i];
  return ratios;
}

/// Whether `contender` can't be called faster than `defender` any more.
static bool isHopeless(const Contender &contender, const Contender *defender) {
  if (!defender || defender == &contender ||
      contender.samples.slicesNs.size() > size_t(earlyRounds))
    return false;
  return !mayBeClaimed(ratiosOf(contender, *defender));
}

/// Removes the contenders that can't win any more.
static void dismiss(std::vector<Contender> &contenders,
                    std::optional<size_t> defender) {
  const Contender *leader = nullptr;
  // A finalist slower than the plain kernel may still be the best schedule.
  for (const Contender &contender : contenders)
    if (contender.isIn() && contender.finalist.configuration &&
        (!leader || contender.medianNs() < leader->medianNs()))
      leader = &contender;
  if (!leader || leader->samples.slicesNs.size() < size_t(minRounds))
    return;
  const Contender *defending = defender && contenders[*defender].isIn()
                                   ? &contenders[*defender]
                                   : nullptr;
  for (Contender &contender : contenders) {
    if (!contender.isIn() || !contender.finalist.mayLeave)
      continue;
    if (isHopeless(contender, defending) || isBeaten(contender, *leader))
      contender.isOut = true;
  }
}

/// Whether one more round, as long as those before, would take a finalist over
/// its time.
static bool takesTooLong(const std::vector<Contender> &contenders, int round,
                         double longestMs) {
  return std::any_of(
      contenders.begin(), contenders.end(), [&](const Contender &contender) {
        return contender.isIn() &&
               contender.spentNs * (round + 1) / round > longestMs * 1e6;
      });
}

double measure::confidenceOf(size_t numPairs) {
  // Each lies above the median with probability one half.
  return std::min(finalConfidence,
                  1 - std::ldexp(1.0, 1 - static_cast<int>(numPairs)));
}

double measure::longestComparisonMs(double comparisonMs) {
  // Less than a second is always acceptable.
  return std::max(10 * comparisonMs, 1000.0);
}

bool measure::isClaimed(std::vector<double> ratios) {
  return medianInterval(std::move(ratios), finalConfidence).low >
         largestUnclaimed(finalConfidence);
}

bool measure::mayBeClaimed(std::vector<double> ratios) {
  // Assume that all further rounds are as favorable as possible.
  constexpr double infinity = std::numeric_limits<double>::infinity();
  ratios.resize(std::max(ratios.size(), size_t(maxRounds)), infinity);
  return isClaimed(std::move(ratios));
}

/// Whether further rounds may show that another finalist is faster than the
/// defender, after so many.
static bool isUndecided(const std::vector<Contender> &contenders,
                        std::optional<size_t> defender, int round) {
  if (!defender || !contenders[*defender].isIn())
    return false;
  for (size_t i = 0; i < contenders.size(); ++i) {
    if (i == *defender || !contenders[i].isIn())
      continue;
    std::vector<double> ratios = ratiosOf(contenders[i], contenders[*defender]);
    bool isKnown = round == earlyRounds && isClaimed(ratios);
    if (!isKnown && mayBeClaimed(std::move(ratios)))
      return true;
  }
  return false;
}

/// The order of the contenders' turns in a round.
static std::vector<size_t> orderOf(int round, size_t count, uint64_t seed) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  Random(seed, round / 2).shuffle(order);
  if (round % 2 == 1)
    std::reverse(order.begin(), order.end());
  return order;
}

/// Candidates side by side. They are measured again if one of them was killed
/// from outside, or what measures them was.
static Result<std::vector<Samples>>
compareUnlessLost(SideBySide &measurer,
                  const std::vector<std::optional<std::string>> &configurations,
                  uint64_t placementSeed) {
  constexpr int maxAttempts = 3;
  for (int attempt = 1;; ++attempt) {
    Result<std::vector<Samples>> measured =
        measurer.compare(configurations, placementSeed);
    bool isLost =
        measured && std::any_of(measured->begin(), measured->end(),
                                [](const Samples &samples) {
                                  return samples.outcome.status == Status::Lost;
                                });
    if (!isLost || attempt == maxAttempts)
      return measured;
  }
}

/// One round of all remaining finalists; false if there is nothing to compare.
static Result<bool> measureRound(SideBySide &measurer,
                                 std::vector<Contender> &contenders, int round,
                                 uint64_t seed) {
  std::vector<Contender *> taking;
  std::vector<std::optional<std::string>> configurations;
  for (size_t i : orderOf(round, contenders.size(), seed))
    if (contenders[i].isIn()) {
      taking.push_back(&contenders[i]);
      configurations.push_back(contenders[i].finalist.configuration);
    }
  // One that is left has its place, but one that began alone needs its time.
  if (taking.empty() ||
      (taking.size() == 1 && contenders.size() > 1 && round >= minRounds))
    return false;
  // These random streams differ from those of the orders.
  uint64_t placementSeed = Random(~seed, round).next();
  Result<std::vector<Samples>> measured =
      compareUnlessLost(measurer, configurations, placementSeed);
  if (!measured)
    return measured.error();
  for (size_t i = 0; i < taking.size(); ++i)
    add(*taking[i], std::move((*measured)[i]));
  return true;
}

/// The cut that `reason` makes if the rounds end before `round`; none if the
/// required rounds are complete.
static Cut reasonIn(int round, Cut reason) {
  return round < numRounds ? reason : Cut::None;
}

Result<Comparison>
measure::compareInRounds(SideBySide &measurer,
                         const std::vector<Finalist> &finalists,
                         const RoundsOptions &options) {
  Comparison comparison;
  std::vector<Contender> contenders;
  for (const Finalist &finalist : finalists)
    contenders.push_back({finalist, {}});
  // Without a comparison, a single round has a time.
  const int neededRounds = finalists.size() == 1 ? 1 : minRounds;
  for (int round = 0; round < maxRounds; ++round) {
    if (round >= numRounds && round <= earlyRounds &&
        !isUndecided(contenders, options.defender, round))
      break;
    if (round >= neededRounds &&
        takesTooLong(contenders, round, options.longestMs)) {
      comparison.cut = reasonIn(round, Cut::Slow);
      break;
    }
    if (options.onRound)
      options.onRound(round);
    Result<bool> measured =
        measureRound(measurer, contenders, round, options.seed);
    if (!measured && round >= neededRounds) {
      if (measurer.stopRequested())
        comparison.cut = reasonIn(round, Cut::Stopped);
      else if (measured.error().code == ErrorCode::TimedOut)
        comparison.cut = reasonIn(round, Cut::OutOfTime);
      else
        return measured.error();
      break;
    }
    if (!measured)
      return measured.error();
    if (!*measured)
      break;
    dismiss(contenders, options.defender);
  }
  for (Contender &contender : contenders) {
    if (contender.samples.outcome.status == Status::Ok)
      runtime::summarize(contender.samples);
    comparison.finalists.push_back(std::move(contender.samples));
  }
  return comparison;
}

namespace {
class WorkerSideBySide : public SideBySide {
public:
  explicit WorkerSideBySide(WorkerProcess &worker) : worker(worker) {}

  Result<std::vector<Samples>>
  compare(const std::vector<std::optional<std::string>> &configurations,
          uint64_t placementSeed) override {
    return worker.compare(configurations, placementSeed);
  }

  bool stopRequested() const override { return worker.stopRequested(); }

private:
  WorkerProcess &worker;
};
} // namespace

Result<Comparison>
measure::compareInRounds(WorkerProcess &worker,
                         const std::vector<Finalist> &finalists,
                         const RoundsOptions &options) {
  WorkerSideBySide measurer(worker);
  return compareInRounds(measurer, finalists, options);
}

runtime::MeasureOptions measure::ofRound(runtime::MeasureOptions options) {
  runtime::Timing &timing = options.timing;
  timing.comparisonMs /= numRounds;
  // Nothing is compared in no time.
  if (timing.hasFinalComparison())
    timing.sliceMs = std::min(timing.sliceMs, timing.comparisonMs);
  return options;
}
