//===- Statistics.cpp - Statistics of times -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Measure/Statistics.h"

#include "baco/Support/Claims.h"

#include <algorithm>
#include <cassert>

using namespace baco;
using namespace baco::measure;

Ratio measure::pairedRatio(const std::vector<double> &numerators,
                           const std::vector<double> &denominators,
                           double confidence) {
  assert(numerators.size() == denominators.size() && "not pairs");
  std::vector<double> ratios;
  for (size_t i = 0; i < numerators.size(); ++i)
    ratios.push_back(numerators[i] / denominators[i]);
  double value = median(ratios);
  return {value, medianInterval(std::move(ratios), confidence), confidence};
}

double measure::largestUnclaimed(double confidence) {
  constexpr double minSpeedupOfFew = 0.03;
  return 1 + (confidence >= finalConfidence ? minSpeedup : minSpeedupOfFew);
}

bool measure::isCertainlyLonger(const Ratio &ratio) {
  return ratio.interval.low > largestUnclaimed(ratio.confidence);
}

std::vector<double> measure::sliceMedians(const runtime::Samples &samples) {
  std::vector<double> medians;
  for (const std::vector<double> &slice : samples.slicesNs)
    medians.push_back(median(slice));
  return medians;
}

Ratio measure::compareRounds(const runtime::Samples &numerator,
                             const runtime::Samples &denominator,
                             double confidence) {
  std::vector<double> top = sliceMedians(numerator);
  std::vector<double> bottom = sliceMedians(denominator);
  size_t pairs = std::min(top.size(), bottom.size());
  top.resize(pairs);
  bottom.resize(pairs);
  return pairedRatio(top, bottom, confidence);
}
