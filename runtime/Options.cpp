//===- Options.cpp - How candidates are measured --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Options.h"

#include <algorithm>
#include <cmath>

using namespace baco;
using namespace baco::runtime;

/// A day: above it a deadline is a mistake, and sums of deadlines stay small.
static constexpr int64_t maxMs = 24 * 3600 * 1000;

int64_t Limits::executionTimeoutMs(double plainNs) const {
  double scaled = runTimeoutFactor * plainNs / 1e6;
  if (!(scaled > runTimeoutMs))
    return runTimeoutMs;
  return std::min<double>(std::ceil(scaled), maxMs);
}

int64_t MeasureOptions::sliceTimeoutMs(double plainNs, double budgetMs) const {
  // One execution more than the smallest number of samples for the warm-up. A
  // busy machine may give the kernel only a part of the CPU; a second is for
  // everything else.
  constexpr double busyMachine = 20;
  return (timing.minSamples + 1) * limits.executionTimeoutMs(plainNs) +
         static_cast<int64_t>(busyMachine * budgetMs) + 1000;
}

int64_t MeasureOptions::trialTimeoutMs(double plainNs) const {
  return limits.executionTimeoutMs(plainNs) +
         sliceTimeoutMs(plainNs, timing.trialMs);
}

static Result<void> checkMs(const char *name, double value) {
  if (value > 0 && value <= maxMs)
    return {};
  return {ErrorCode::InvalidArgument, std::string(name) + " is " +
                                          std::to_string(value) +
                                          ", but must be in (0, 86400000]"};
}

Result<void> MeasureOptions::validate() const {
  const std::pair<const char *, double> times[] = {
      {"setupTimeoutMs", limits.setupTimeoutMs},
      {"compileTimeoutMs", limits.compileTimeoutMs},
      {"runTimeoutMs", limits.runTimeoutMs},
      {"trialMs", timing.trialMs},
      {"comparisonMs", timing.comparisonMs},
      {"sliceMs", timing.sliceMs}};
  for (auto [name, value] : times)
    if (Result<void> checked = checkMs(name, value); !checked)
      return checked;
  if (!(limits.runTimeoutFactor >= 1 && limits.runTimeoutFactor <= 1e6))
    return {ErrorCode::InvalidArgument,
            "runTimeoutFactor is " + std::to_string(limits.runTimeoutFactor) +
                ", but must be in [1, 1000000]"};
  if (limits.memoryLimitMiB <= 0 || limits.memoryLimitMiB > (1 << 26))
    return {ErrorCode::InvalidArgument,
            "memoryLimitMiB is " + std::to_string(limits.memoryLimitMiB) +
                ", but must be in [1, 67108864]"};
  if (timing.minSamples < 1 || timing.minSamples > 1000)
    return {ErrorCode::InvalidArgument, "minSamples is " +
                                            std::to_string(timing.minSamples) +
                                            ", but must be in [1, 1000]"};
  if (cpu < -1)
    return {ErrorCode::InvalidArgument,
            "there is no CPU " + std::to_string(cpu)};
  return {};
}

int64_t runtime::fillTimeoutMs(const Signature &signature) {
  // A tenth of what a slow machine does.
  constexpr size_t bytesPerMs = 100 << 10;
  size_t bytes = 0;
  for (const Argument &argument : signature.arguments)
    bytes += argument.byteSize();
  return bytes / bytesPerMs;
}
