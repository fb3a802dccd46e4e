//===- Samples.cpp - Times of executions ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Protocol/Samples.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

using namespace baco;
using namespace baco::runtime;

double runtime::quantile(std::vector<double> values, double p) {
  assert(p >= 0 && p <= 1 && "no such quantile");
  for (double value : values)
    if (std::isnan(value))
      return value;
  if (values.empty())
    return std::numeric_limits<double>::quiet_NaN();
  double position = p * (values.size() - 1);
  size_t below = std::min<size_t>(position, values.size() - 1);
  auto lower = values.begin() + below;
  std::nth_element(values.begin(), lower, values.end());
  if (position == below)
    return *lower;
  double upper = *std::min_element(lower + 1, values.end());
  return *lower + (position - below) * (upper - *lower);
}

double runtime::median(std::vector<double> values) {
  return quantile(std::move(values), 0.5);
}

Interval runtime::medianInterval(std::vector<double> values,
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

void runtime::summarize(Samples &samples) {
  std::vector<double> all;
  for (const std::vector<double> &slice : samples.slicesNs)
    all.insert(all.end(), slice.begin(), slice.end());
  Outcome &outcome = samples.outcome;
  outcome.numSamples = all.size();
  outcome.timeNs = median(all);
  outcome.spread = 0;
  if (all.size() >= 2 && outcome.timeNs > 0)
    outcome.spread =
        (quantile(all, 0.75) - quantile(all, 0.25)) / 2 / outcome.timeNs;
}
