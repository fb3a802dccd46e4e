//===- Timer.h - Timing a kernel --------------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many executions make a sample, and how many samples make a slice. The
// clock and the kernel are the caller's, so that tests can bring their own.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_TIMER_H
#define BACO_RUNTIME_TIMER_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace baco::runtime {

/// One turn of timed executions.
struct SliceRequest {
  /// Stop after so much time of the kernel.
  double budgetNs = 0;
  /// ... but not before so many samples.
  int minSamples = 1;
};

/// A sample lasts at least so long: reading the clock of a thread is a system
/// call, whose 0.2 us are then less than half a percent.
inline constexpr double minSampleNs = 50e3;

/// Outputs get their initial contents back after so many executions. Kernels
/// that read what they wrote could otherwise drift to denormal numbers, which
/// are slower, or to infinities. Doing it every time would put the caches into
/// a state that few users of the kernel find them in; the median does not
/// notice one sample in eight.
inline constexpr int64_t executionsPerRestore = 8;

/// How many executions one sample is the mean of.
inline int64_t executionsPerSample(double executionNs, double budgetNs,
                                   size_t maxSamples) {
  double sampleNs = std::max(minSampleNs, budgetNs / maxSamples);
  // Not even an empty kernel is called more often than once in a nanosecond.
  return std::max(1.0, std::ceil(sampleNs / std::max(executionNs, 1.0)));
}

/// Runs the kernel for a while and writes nanoseconds per execution to
/// `samplesNs`.
///
/// \param executionNs  what an execution takes, roughly; updated
/// \param execute      `execute(n)` runs the kernel n times
/// \param restore      puts the outputs' initial contents back
/// \param clockNs      `clockNs()` is the time that the kernel is charged
/// \returns how many samples were written
///
/// A first, untimed sample brings code and data into the caches, unless the
/// kernel is so long that this does not matter.
template <typename Execute, typename Restore, typename Clock>
size_t timeSlice(const SliceRequest &request, std::span<double> samplesNs,
                 double &executionNs, Execute &&execute, Restore &&restore,
                 Clock &&clockNs) {
  int64_t sinceRestore = 0;
  auto runSample = [&](int64_t executions) {
    if (sinceRestore >= executionsPerRestore) {
      restore();
      sinceRestore = 0;
    }
    sinceRestore += executions;
    int64_t start = clockNs();
    execute(executions);
    return static_cast<double>(clockNs() - start);
  };

  restore();
  if (executionNs <= request.budgetNs / 2) {
    // The estimate may come from a cold run: run once, then a whole sample.
    executionNs = runSample(1);
    int64_t warmUp = executionsPerSample(executionNs, 0, samplesNs.size());
    if (warmUp > 1)
      executionNs = runSample(warmUp) / warmUp;
  }
  int64_t executions =
      executionsPerSample(executionNs, request.budgetNs, samplesNs.size());
  double totalNs = 0;
  size_t count = 0;
  while (count < samplesNs.size() &&
         (totalNs < request.budgetNs ||
          count < static_cast<size_t>(request.minSamples))) {
    double elapsedNs = runSample(executions);
    totalNs += elapsedNs;
    samplesNs[count++] = elapsedNs / executions;
    // A clock that stands still must not keep us here.
    if (elapsedNs <= 0)
      totalNs += minSampleNs;
  }
  if (count > 0)
    executionNs = totalNs / (static_cast<double>(count) * executions);
  return count;
}

} // namespace baco::runtime

#endif // BACO_RUNTIME_TIMER_H
