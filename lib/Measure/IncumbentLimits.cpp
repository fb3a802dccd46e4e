//===- IncumbentLimits.cpp - Limits that follow the best ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Measure/IncumbentLimits.h"

#include <algorithm>
#include <cmath>

using namespace baco;
using namespace baco::measure;

void IncumbentLimits::observe(const Outcome &outcome) {
  if (outcome.status == Status::Ok && outcome.timeNs > 0)
    bestNs = bestNs > 0 ? std::min(bestNs, outcome.timeNs) : outcome.timeNs;
  // A failed compilation may have ended early.
  bool isCompiled =
      outcome.status == Status::Ok || outcome.status == Status::WrongResult;
  if (isCompiled && outcome.compileNs > 0 &&
      firstCompileNs.size() < numFirstCompilations)
    // Packing counts in the same limit.
    firstCompileNs.push_back(outcome.compileNs + outcome.packNs);
}

/// `ns` in ms, between `minMs` and a day.
static int64_t toLimitMs(double ns, int64_t minMs) {
  constexpr double dayMs = 24 * 3600 * 1000;
  return std::max(minMs,
                  static_cast<int64_t>(std::min(std::ceil(ns / 1e6), dayMs)));
}

runtime::TrialLimits IncumbentLimits::limits() const {
  runtime::TrialLimits limits;
  if (bestNs > 0)
    limits.executionMs = toLimitMs(maxTimesBest * bestNs, minExecutionMs);
  if (firstCompileNs.size() == numFirstCompilations)
    limits.compileMs =
        toLimitMs(maxTimesFirstCompilations *
                      runtime::quantile(firstCompileNs, compilationQuantile),
                  minCompileMs);
  return limits;
}
