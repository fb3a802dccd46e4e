//===- Statistics.cpp - What times tell -----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Measure/Statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

using namespace baco;
using namespace baco::measure;

double measure::medianAbsoluteDeviation(const std::vector<double> &values) {
  double center = median(values);
  std::vector<double> distances;
  for (double value : values)
    distances.push_back(std::abs(value - center));
  return median(std::move(distances));
}

Interval measure::medianInterval(std::vector<double> values,
                                 double confidence) {
  assert(confidence > 0 && confidence < 1 && "not a probability");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::sort(values.begin(), values.end());
  size_t n = values.size();
  // The median lies below the (k+1)-st smallest value with the probability that
  // a fair coin falls heads at most k times in n throws. The largest k for
  // which both tails together stay below 1 - confidence.
  double tail = 0;
  size_t numOutside = 0;
  for (size_t k = 0; k < n / 2; ++k) {
    tail += std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) -
                     std::lgamma(n - k + 1.0) - n * std::log(2.0));
    // Rounding must not move the border of a table's entry.
    if (2 * tail > (1 - confidence) * (1 + 1e-9))
      break;
    numOutside = k + 1;
  }
  if (numOutside == 0)
    return {-infinity, infinity};
  return {values[numOutside - 1], values[n - numOutside]};
}

Ratio measure::pairedRatio(const std::vector<double> &numerators,
                           const std::vector<double> &denominators,
                           double confidence) {
  assert(numerators.size() == denominators.size() && "not pairs");
  std::vector<double> ratios;
  for (size_t i = 0; i < numerators.size(); ++i)
    ratios.push_back(numerators[i] / denominators[i]);
  double value = median(ratios);
  return {value, medianInterval(std::move(ratios), confidence)};
}

/// The median of as many values, drawn with replacement.
static double resampledMedian(const std::vector<double> &values,
                              Random &random) {
  std::vector<double> drawn(values.size());
  for (double &value : drawn)
    value = values[random.below(values.size())];
  return median(std::move(drawn));
}

Ratio measure::unpairedRatio(const std::vector<double> &numerators,
                             const std::vector<double> &denominators,
                             double confidence, Random random, int resamples) {
  Ratio ratio;
  ratio.value = median(numerators) / median(denominators);
  if (numerators.empty() || denominators.empty()) {
    ratio.interval = {ratio.value, ratio.value};
    return ratio;
  }
  std::vector<double> resampled;
  for (int i = 0; i < resamples; ++i) {
    double top = resampledMedian(numerators, random);
    resampled.push_back(top / resampledMedian(denominators, random));
  }
  double tail = (1 - confidence) / 2;
  ratio.interval = {quantile(resampled, tail), quantile(resampled, 1 - tail)};
  return ratio;
}

std::vector<double> measure::sliceMedians(const runtime::Samples &samples) {
  std::vector<double> medians;
  for (const std::vector<double> &slice : samples.slicesNs)
    medians.push_back(median(slice));
  return medians;
}

Ratio measure::compareTurns(const runtime::Samples &numerator,
                            const runtime::Samples &denominator,
                            double confidence) {
  std::vector<double> top = sliceMedians(numerator);
  std::vector<double> bottom = sliceMedians(denominator);
  size_t pairs = std::min(top.size(), bottom.size());
  top.resize(pairs);
  bottom.resize(pairs);
  return pairedRatio(top, bottom, confidence);
}
