//===- Options.cpp - How candidates are measured --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Protocol/Options.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <tuple>

using namespace baco;
using namespace baco::runtime;

/// A day: above it a deadline is a mistake, and sums of deadlines stay small.
static constexpr int64_t maxMs = 24 * 3600 * 1000;

std::string_view runtime::cachesName(Caches caches) {
  return caches == Caches::Hot ? "hot" : "flushed";
}

std::optional<Caches> runtime::parseCaches(std::string_view name) {
  for (Caches caches : {Caches::Hot, Caches::Flushed})
    if (name == cachesName(caches))
      return caches;
  return std::nullopt;
}

int64_t Limits::executionTimeoutMs(double plainNs) const {
  double scaled = runTimeoutFactor * plainNs / 1e6;
  if (!(scaled > runTimeoutMs))
    return runTimeoutMs;
  return std::min<double>(std::ceil(scaled), maxMs);
}

int64_t MeasureOptions::sliceTimeoutMs(double plainNs, double budgetMs) const {
  // The smallest number of samples and a warm-up, with a factor for a busy
  // machine, on which the kernel gets a part of the CPU, and a second for
  // everything else.
  constexpr double busyMachine = 20;
  return (timing.minSamples + 1) * limits.executionTimeoutMs(plainNs) +
         static_cast<int64_t>(busyMachine * budgetMs) + 1000;
}

int64_t MeasureOptions::runAgainTimeoutMs(double plainNs) const {
  // A candidate that gets here is faster than its limit; filling new memory can
  // take as long as the kernel.
  return 4 * limits.executionTimeoutMs(plainNs);
}

int64_t MeasureOptions::trialTimeoutMs(double plainNs) const {
  return limits.executionTimeoutMs(plainNs) +
         sliceTimeoutMs(plainNs, timing.trialMs) + runAgainTimeoutMs(plainNs);
}

static Result<void> checkMs(const char *name, double value, bool mayBeZero) {
  if ((mayBeZero ? value >= 0 : value > 0) && value <= maxMs)
    return {};
  std::ostringstream message;
  message << "the " << name << " must be "
          << (mayBeZero ? "0, or positive" : "positive")
          << " and at most a day (" << maxMs << " ms), but is " << value
          << " ms";
  return {ErrorCode::InvalidArgument, message.str()};
}

Result<void> MeasureOptions::validate() const {
  const std::tuple<const char *, double, bool> times[] = {
      {"set-up time-out", limits.setupTimeoutMs, false},
      {"plain kernel's time-out", limits.plainTimeoutMs, false},
      {"compile time-out", limits.compileTimeoutMs, false},
      {"run time-out", limits.runTimeoutMs, false},
      {"time of a trial", timing.trialMs, false},
      {"time of a turn", timing.sliceMs, false},
      {"time of the final comparison", timing.comparisonMs, true}};
  for (auto [name, ms, mayBeZero] : times)
    if (Result<void> checked = checkMs(name, ms, mayBeZero); !checked)
      return checked;
  if (!(limits.runTimeoutFactor >= 1 && limits.runTimeoutFactor <= 1e6))
    return {ErrorCode::InvalidArgument,
            "the run time-out must be 1 to 1000000 times the plain kernel's "
            "time, but is " +
                std::to_string(limits.runTimeoutFactor) + " times"};
  if (limits.memoryLimitMiB <= 0 || limits.memoryLimitMiB > (1 << 26))
    return {ErrorCode::InvalidArgument,
            "the memory limit must be 1 to 67108864 MiB, but is " +
                std::to_string(limits.memoryLimitMiB) + " MiB"};
  if (timing.minSamples < 1 || timing.minSamples > 1000)
    return {ErrorCode::InvalidArgument,
            "the least number of samples must be 1 to 1000, but is " +
                std::to_string(timing.minSamples)};
  if (!(tolerance >= 0 && tolerance <= 1e9)) {
    std::ostringstream message;
    message << "the tolerance must be 0 to 1e9 times the rounding error bound, "
               "but is "
            << tolerance << " times";
    return {ErrorCode::InvalidArgument, message.str()};
  }
  if (!(timing.precision >= 0 && timing.precision < 1))
    return {ErrorCode::InvalidArgument,
            "the precision of a trial must be at least 0 and below 1, but is " +
                std::to_string(timing.precision)};
  if (!(timing.clearlyWorse > 1 && timing.clearlyWorse <= 1e9))
    return {ErrorCode::InvalidArgument,
            "the factor above which a trial is clearly worse must be above 1 "
            "and at most 1e9, but is " +
                std::to_string(timing.clearlyWorse)};
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
