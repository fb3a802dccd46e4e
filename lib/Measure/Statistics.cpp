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
