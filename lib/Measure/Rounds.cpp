//===- Rounds.cpp - Comparing in fresh processes --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Measure/Rounds.h"

#include <algorithm>
#include <cmath>

using namespace baco;
using namespace baco::measure;

/// By how much one who leaves is slower in every round.
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

/// Adds what a round showed.
static void add(Contender &contender, Samples &&round) {
  Samples &samples = contender.samples;
  contender.spentNs += round.outcome.runNs;
  samples.outcome = std::move(round.outcome);
  contender.isOut = samples.outcome.status != Status::Ok;
  std::vector<double> &times = samples.slicesNs.emplace_back();
  for (const std::vector<double> &turn : round.slicesNs)
    times.insert(times.end(), turn.begin(), turn.end());
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

/// Takes those out who can't win any more.
static void dismiss(std::vector<Contender> &contenders) {
  const Contender *leader = nullptr;
  // Who is slower than the plain kernel may still be the best schedule.
  for (const Contender &contender : contenders)
    if (contender.isIn() && contender.finalist.configuration &&
        (!leader || contender.medianNs() < leader->medianNs()))
      leader = &contender;
  if (!leader || leader->samples.slicesNs.size() < size_t(minRounds))
    return;
  for (Contender &contender : contenders)
    if (contender.isIn() && contender.finalist.mayLeave &&
        isBeaten(contender, *leader))
      contender.isOut = true;
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
  // As likely as not, each lies above the median.
  return std::min(finalConfidence,
                  1 - std::ldexp(1.0, 1 - static_cast<int>(numPairs)));
}

double measure::longestComparisonMs(double comparisonMs) {
  // Below a second nobody minds.
  return std::max(10 * comparisonMs, 1000.0);
}

/// One round. It is measured again if somebody killed the worker, or one of its
/// candidates.
static Result<std::vector<Samples>>
measureRound(WorkerProcess &worker,
             const std::vector<std::optional<std::string>> &configurations) {
  constexpr int maxAttempts = 3;
  for (int attempt = 1;; ++attempt) {
    Result<std::vector<Samples>> measured = worker.compare(configurations);
    bool isLost =
        measured && std::any_of(measured->begin(), measured->end(),
                                [](const Samples &samples) {
                                  return samples.outcome.status == Status::Lost;
                                });
    if (!isLost || attempt == maxAttempts)
      return measured;
  }
}

Result<Comparison>
measure::compareInRounds(WorkerProcess &worker,
                         const std::vector<Finalist> &finalists,
                         double longestMs) {
  Comparison comparison;
  std::vector<Contender> contenders;
  for (const Finalist &finalist : finalists)
    contenders.push_back({finalist, {}});
  for (int round = 0; round < numRounds; ++round) {
    std::vector<std::optional<std::string>> configurations;
    for (const Contender &contender : contenders)
      if (contender.isIn())
        configurations.push_back(contender.finalist.configuration);
    if (configurations.empty() || (round > 0 && configurations.size() == 1))
      break;
    if (round >= minRounds && takesTooLong(contenders, round, longestMs)) {
      comparison.isCut = true;
      break;
    }
    Result<std::vector<Samples>> measured =
        measureRound(worker, configurations);
    if (!measured)
      return measured.error();
    size_t next = 0;
    for (Contender &contender : contenders)
      if (contender.isIn())
        add(contender, std::move((*measured)[next++]));
    dismiss(contenders);
  }
  for (Contender &contender : contenders) {
    if (contender.samples.outcome.status == Status::Ok)
      runtime::summarize(contender.samples);
    comparison.finalists.push_back(std::move(contender.samples));
  }
  return comparison;
}

runtime::MeasureOptions measure::ofRound(runtime::MeasureOptions options) {
  runtime::Timing &timing = options.timing;
  timing.comparisonMs /= numRounds;
  timing.sliceMs = std::min(timing.sliceMs, timing.comparisonMs);
  return options;
}
