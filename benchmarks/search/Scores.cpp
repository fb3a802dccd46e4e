//===- Scores.cpp - What the runs amount to -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums over spaces and seeds.
//
//===----------------------------------------------------------------------===//

#include "Scores.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace baco;
using namespace baco::bench;
using measure::Interval;

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

static double mean(const std::vector<double> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         double(values.size());
}

/// Of the mean, squared; NaN for one value.
static double squaredStandardError(const std::vector<double> &values) {
  double center = mean(values), sum = 0;
  for (double value : values)
    sum += (value - center) * (value - center);
  double n = double(values.size());
  return sum / (n - 1) / n;
}

Score bench::geometricMean(const std::vector<std::vector<double>> &groups) {
  double sum = 0, squaredErrors = 0;
  for (const std::vector<double> &group : groups) {
    std::vector<double> logs;
    for (double value : group)
      logs.push_back(std::log(value));
    sum += mean(logs);
    squaredErrors += squaredStandardError(logs);
  }
  double m = double(groups.size());
  double center = std::exp(sum / m);
  return {center, center * std::sqrt(squaredErrors) / m};
}

Interval bench::bootstrapMean(const std::vector<double> &values,
                              Random random) {
  constexpr int resamples = 10000;
  constexpr double tail = 0.025;
  std::vector<double> means;
  for (int i = 0; i < resamples; ++i) {
    double sum = 0;
    for (size_t k = 0; k < values.size(); ++k)
      sum += values[random.below(values.size())];
    means.push_back(sum / double(values.size()));
  }
  return {runtime::quantile(means, tail), runtime::quantile(means, 1 - tail)};
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static double ratioOf(double bestTime, const BenchmarkSpace &space) {
  return std::min(bestTime, space.worst()) / space.best();
}

double bench::ratioAfter(const Run &run, const BenchmarkSpace &space,
                         size_t evaluations) {
  return ratioOf(run.bestTimes[evaluations - 1], space);
}

/// How many evaluations a run takes to get to a ratio.
static double evaluationsTo(const Run &run, const BenchmarkSpace &space,
                            double ratio) {
  for (size_t k = 0; k < run.bestTimes.size(); ++k)
    if (run.bestTimes[k] <= ratio * space.best())
      return double(k + 1);
  return std::numeric_limits<double>::infinity();
}

static std::vector<double> ratios(const Experiment &experiment,
                                  size_t technique, size_t space,
                                  size_t evaluations) {
  std::vector<double> values;
  for (size_t seed = 0; seed < experiment.options.numSeeds; ++seed)
    values.push_back(ratioAfter(experiment.run(technique, space, seed),
                                experiment.spaces[space], evaluations));
  return values;
}

/// The evaluations that all runs of a technique take to get to a ratio.
static std::vector<double> allEvaluationsTo(const Experiment &experiment,
                                            size_t technique, double ratio) {
  std::vector<double> values;
  for (size_t space = 0; space < experiment.spaces.size(); ++space)
    for (size_t seed = 0; seed < experiment.options.numSeeds; ++seed)
      values.push_back(evaluationsTo(experiment.run(technique, space, seed),
                                     experiment.spaces[space], ratio));
  return values;
}

//===----------------------------------------------------------------------===//
// Techniques
//===----------------------------------------------------------------------===//

Score bench::ratioScore(const Experiment &experiment, size_t technique,
                        size_t evaluations) {
  std::vector<std::vector<double>> groups;
  for (size_t space = 0; space < experiment.spaces.size(); ++space)
    groups.push_back(ratios(experiment, technique, space, evaluations));
  return geometricMean(groups);
}

Score bench::ratioScore(const Experiment &experiment, size_t technique,
                        size_t space, size_t evaluations) {
  return geometricMean({ratios(experiment, technique, space, evaluations)});
}

Score bench::relativeScore(const Experiment &experiment, size_t a, size_t b,
                           const std::vector<size_t> &spaces,
                           size_t evaluations) {
  std::vector<std::vector<double>> groups;
  for (size_t space : spaces) {
    groups.push_back(ratios(experiment, a, space, evaluations));
    std::vector<double> theirs = ratios(experiment, b, space, evaluations);
    for (size_t seed = 0; seed < theirs.size(); ++seed)
      groups.back()[seed] /= theirs[seed];
  }
  return geometricMean(groups);
}

double bench::meanFailures(const Experiment &experiment, size_t technique,
                           size_t space) {
  double sum = 0;
  for (size_t seed = 0; seed < experiment.options.numSeeds; ++seed)
    sum += double(experiment.run(technique, space, seed).failures);
  return sum / double(experiment.options.numSeeds);
}

double bench::shareReaching(const Experiment &experiment, size_t technique,
                            double ratio) {
  std::vector<double> evaluations =
      allEvaluationsTo(experiment, technique, ratio);
  size_t reached = 0;
  for (double each : evaluations)
    reached += std::isfinite(each);
  return double(reached) / double(evaluations.size());
}

double bench::medianEvaluationsTo(const Experiment &experiment,
                                  size_t technique, double ratio) {
  std::vector<double> evaluations =
      allEvaluationsTo(experiment, technique, ratio);
  // Not the mean of the two in the middle: one may be infinite.
  auto middle = evaluations.begin() + ptrdiff_t(evaluations.size() / 2);
  std::nth_element(evaluations.begin(), middle, evaluations.end());
  return *middle;
}

Interval bench::compare(const Experiment &experiment, size_t a, size_t b,
                        size_t evaluations) {
  std::vector<double> logs;
  for (size_t space = 0; space < experiment.spaces.size(); ++space) {
    std::vector<double> ours = ratios(experiment, a, space, evaluations);
    std::vector<double> theirs = ratios(experiment, b, space, evaluations);
    for (size_t seed = 0; seed < ours.size(); ++seed)
      logs.push_back(std::log(ours[seed] / theirs[seed]));
  }
  return bootstrapMean(logs, Random(/*seed=*/0));
}
