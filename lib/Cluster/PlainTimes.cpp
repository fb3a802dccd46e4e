//===- PlainTimes.cpp - Which machine is off ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlainTimes.h"

#include <algorithm>
#include <cmath>

using namespace baco;

std::vector<std::string> cluster::describePlainTimes(
    const std::vector<std::pair<std::string, double>> &times) {
  std::vector<std::string> lines;
  if (times.size() < 2)
    return lines;
  std::vector<double> sorted;
  for (const auto &[worker, ns] : times)
    sorted.push_back(ns);
  std::ranges::sort(sorted);
  double median = sorted[(sorted.size() - 1) / 2];
  // Placement in memory alone makes some percent.
  constexpr double most = 1.1;
  for (const auto &[worker, ns] : times)
    if (ns > most * median || ns * most < median)
      lines.push_back("worker " + worker + " is off: the plain kernel takes " +
                      std::to_string(std::lround(100 * ns / median)) +
                      " % of the median time of the workers there; is it "
                      "throttled, busy, or another machine?");
  return lines;
}
