//===- Bars.h - What the measurement must show ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_MEASUREMENT_BARS_H
#define BACO_BENCHMARKS_MEASUREMENT_BARS_H

#include "baco/Measure/Rounds.h"

namespace baco::bench {

/// The ratio of the times of two variants, as a tuner's last measurement gives
/// it.
using Comparison = measure::Ratio;

/// That the interval excludes 1.
bool claimsDifference(const Comparison &comparison);

/// The distance of the largest ratio from the least.
double range(const std::vector<Comparison> &comparisons);

/// How many claim that the variants differ.
int numClaims(const std::vector<Comparison> &comparisons);

/// How many put the variant in the numerator last, rightly.
int numOrdered(const std::vector<Comparison> &comparisons);

/// The bars: limits, and the numbers of measurements that they are for.
inline constexpr double maxRange = 0.02;
inline constexpr int numRepeats = 10;
inline constexpr int numComparisons = 20;
inline constexpr int maxFalseClaims = 1;
inline constexpr int minOrdered = 18;

} // namespace baco::bench

#endif // BACO_BENCHMARKS_MEASUREMENT_BARS_H
