//===- Noise.cpp - Whether a machine is fit to measure on -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Measure/Noise.h"

#include <cmath>
#include <cstdio>

using namespace baco;
using namespace baco::measure;
using runtime::Conditions;

/// The tolerable error that changes of the clock leave in the times of trials:
/// more than the placement of their memory causes. Half of a change of 5 %, if
/// the influence of the clock on the kernel is unknown.
static constexpr double tolerableClockError = 0.025;
/// The tolerable share of other processes on the measured CPU. Their time isn't
/// counted, but they change the caches.
static constexpr double tolerableOthers = 0.05;
/// Half the width of the final interval, above which a difference of some
/// percent can't be told.
static constexpr double tolerableInterval = 0.03;

static std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return text;
}

namespace {
/// The effect of the clock on the trials.
struct Drift {
  /// By how much it changed: from the fifth to the ninety-fifth percentile of
  /// the reference's times, as a share of the median.
  double change = 0;
  /// How well times could be corrected: the ninety-fifth percentile of what may
  /// be left in them.
  double error = 0;
};
} // namespace

static Drift clockDrift(std::span<const Conditions> trials) {
  std::vector<double> times, errors;
  for (const Conditions &one : trials)
    if (one.referenceNs > 0) {
      times.push_back(one.referenceNs);
      errors.push_back(one.clockError);
    }
  // Fewer times have no such percentiles.
  constexpr size_t fewest = 10;
  if (times.size() < fewest)
    return {};
  return {(runtime::quantile(times, 0.95) - runtime::quantile(times, 0.05)) /
              runtime::median(times),
          runtime::quantile(errors, 0.95)};
}

/// The share of the time that others had on the CPU.
static double shareOfOthers(std::span<const runtime::Samples> finals) {
  double wallNs = 0, cpuNs = 0;
  for (const runtime::Samples &samples : finals)
    for (const Conditions &one : samples.conditions) {
      wallNs += one.wallNs;
      cpuNs += one.cpuNs;
    }
  return wallNs > 0 ? 1 - cpuNs / wallNs : 0;
}

std::vector<std::string>
measure::describeNoise(int cpu, std::span<const Conditions> trials,
                       std::span<const runtime::Samples> finals,
                       const std::optional<Ratio> &ratio) {
  std::vector<std::string> warnings;
  auto warn = [&](const std::string &text) {
    warnings.push_back("warning: " + text);
  };
  std::string name = "CPU " + std::to_string(cpu);
  if (Drift drift = clockDrift(trials); drift.error > tolerableClockError)
    warn("the clock of " + name + " changed by " + percent(drift.change) +
         " during the search, whose times are corrected for this to within " +
         percent(drift.error) +
         "; the final comparison isn't affected, but the search may have "
         "missed a better configuration");
  if (double others = shareOfOthers(finals); others > tolerableOthers)
    warn("other processes used " + name + " for " + percent(others) +
         " of the final comparison; stop them, or choose another CPU with "
         "--cpu");
  if (!ratio)
    return warnings;
  double halfWidth =
      (ratio->interval.high - ratio->interval.low) / (2 * ratio->value);
  if (halfWidth > tolerableInterval && std::isfinite(halfWidth))
    warn("the machine is too noisy to tell differences below " +
         percent(halfWidth) + "; stop other processes, or raise --final-time");
  return warnings;
}
