//===- Bars.cpp - What the measurement must show --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bars.h"

#include <algorithm>

using namespace baco;
using namespace baco::bench;

bool bench::claimsDifference(const Comparison &comparison) {
  return !comparison.interval.contains(1);
}

double bench::range(const std::vector<Comparison> &comparisons) {
  if (comparisons.empty())
    return 0;
  auto [least, largest] = std::minmax_element(
      comparisons.begin(), comparisons.end(),
      [](const auto &a, const auto &b) { return a.value < b.value; });
  return largest->value - least->value;
}

int bench::numClaims(const std::vector<Comparison> &comparisons) {
  return std::count_if(comparisons.begin(), comparisons.end(),
                       claimsDifference);
}

int bench::numOrdered(const std::vector<Comparison> &comparisons) {
  return std::count_if(comparisons.begin(), comparisons.end(),
                       [](const Comparison &c) { return c.value > 1; });
}
