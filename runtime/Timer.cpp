//===- Timer.cpp - When a kernel was timed for long enough ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Timer.h"

#include "baco/Protocol/Samples.h"

using namespace baco;
using namespace baco::runtime;

bool runtime::needsWarmUp(const SliceRequest &request, double executionNs) {
  if (executionNs <= request.budgetNs / 2)
    return true;
  // Data outside caches and translation buffers costs a program some of its
  // first execution: 6 of 27 ms for a network's 75 MB.
  constexpr double longNs = 100e6;
  constexpr int robustCount = 3;
  return request.minSamples < robustCount && executionNs < longNs;
}

bool runtime::isDecided(const SliceRequest &request,
                        std::span<const double> samplesNs) {
  if (samplesNs.empty())
    return false;
  // A disturbance doesn't make every execution slower by this factor.
  constexpr double farWorse = 2;
  if (!request.isWallTime &&
      *std::min_element(samplesNs.begin(), samplesNs.end()) >
          farWorse * request.hopelessNs)
    return true;
  if (samplesNs.size() < static_cast<size_t>(request.minSamples))
    return false;
  constexpr double confidence = 0.95;
  std::vector<double> samples(samplesNs.begin(), samplesNs.end());
  Interval interval = medianInterval(samples, confidence);
  if (interval.low > request.hopelessNs)
    return true;
  return request.precision > 0 &&
         interval.high - interval.low <=
             2 * request.precision * median(std::move(samples));
}
