//===- Bars.h - What the measurement must show ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_MEASUREMENT_BARS_H
#define BACO_BENCHMARKS_MEASUREMENT_BARS_H

#include "Records.h"

namespace baco::bench {

/// Some comparisons.
struct Tally {
  int comparisons = 0;
  /// Of these, the ones that replaced the first, and that took the rounds of
  /// the second stage.
  int claims = 0, secondStages = 0;
  /// Half the width of the ratio's interval, as a share of the ratio: the
  /// median.
  double halfWidth = 0;
};

/// Those of a kind and, if it isn't empty, of a kernel.
Tally tally(const std::vector<Record> &records, const std::string &kind,
            const std::string &kernel = "");

/// The bars: limits, and the numbers of comparisons that they are for.
inline constexpr int numEqual = 400, maxFalseClaims = 2;
inline constexpr int numDifferent = 20, minFound = 19;

} // namespace baco::bench

#endif // BACO_BENCHMARKS_MEASUREMENT_BARS_H
