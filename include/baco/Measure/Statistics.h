//===- Statistics.h - Statistics of measured times --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Intervals for medians and for ratios of times. Nothing here assumes a
// distribution: times are skewed and have outliers.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_MEASURE_STATISTICS_H
#define BACO_MEASURE_STATISTICS_H

#include "baco/Protocol/Samples.h"

#include <vector>

namespace baco::measure {

using runtime::median;

using runtime::Interval;
using runtime::medianInterval;

/// The confidence level of the intervals that decide.
inline constexpr double finalConfidence = 0.99;

/// How much longer one thing takes than another.
struct Ratio {
  double value = 0;
  Interval interval;
  /// The confidence level of the interval, in (0, 1).
  double confidence = finalConfidence;
};

/// The largest ratio that isn't called a difference: 1 + minSpeedup. An
/// interval of less than `finalConfidence` comes from so few rounds that chance
/// alone may put all of them on one side. Then differences count from 3 % on,
/// which is more than the places of two processes in memory make as a rule.
double largestUnclaimed(double confidence);

/// Whether the numerator certainly takes longer, by more than that.
bool isCertainlyLonger(const Ratio &ratio);

/// The median of numerators[i] / denominators[i] and its interval: for values
/// that were measured in pairs, next to each other. Both have the same length;
/// NaN if they are empty.
Ratio pairedRatio(const std::vector<double> &numerators,
                  const std::vector<double> &denominators, double confidence);

/// The median of each turn.
std::vector<double> sliceMedians(const runtime::Samples &samples);

/// The ratio of two candidates of one comparison, by turns: as many as both
/// had.
Ratio compareRounds(const runtime::Samples &numerator,
                    const runtime::Samples &denominator, double confidence);

} // namespace baco::measure

#endif // BACO_MEASURE_STATISTICS_H
