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
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace baco::runtime {

/// A sample lasts at least so long: reading the clock of a thread is a system
/// call, whose 0.2 us are then less than half a percent.
inline constexpr double minCpuSampleNs = 50e3;

/// The same on a GPU: from the event before the first launch to its begin an
/// H200 idles for 5 to 7 us.
inline constexpr double minGpuSampleNs = 2e6;

/// One turn of timed executions.
struct SliceRequest {
  /// Stop after so much time of the kernel and of restoring its outputs.
  double budgetNs = 0;
  /// ... but not before so many samples.
  int minSamples = 1;
  /// Stop early when the median is known to so much of itself, half the width
  /// of its 95 % interval; 0: never.
  double precision = 0;
  /// Stop early when the median certainly lies above this.
  double hopelessNs = std::numeric_limits<double>::infinity();
  /// Whether every sample is one execution that begins with flushed caches.
  bool isFlushed = false;
  /// Whether the clock runs while others have the CPU: then one slow sample may
  /// be their fault.
  bool isWallTime = false;
  /// What a sample lasts at least, in nanoseconds, more than 0.
  double minSampleNs = minCpuSampleNs;
};

/// Whether the first execution of a slice, which takes `executionNs`, must not
/// count. O(1).
bool needsWarmUp(const SliceRequest &request, double executionNs);

/// Whether a request needs no more samples. O(n log n).
bool isDecided(const SliceRequest &request, std::span<const double> samplesNs);

/// The state that is kept between slices of a kernel.
struct TimerState {
  /// The approximate time of an execution.
  double executionNs = 0;
  /// How often the kernel may run before its outputs must be restored; 0: not
  /// known yet.
  int64_t maxExecutions = 0;
};

/// Between samples, outputs get their initial contents back after at least so
/// many executions. Doing it every time would put the caches into a state that
/// few users of the kernel find them in; the median does not notice one sample
/// in eight.
inline constexpr int64_t executionsPerRestore = 8;

/// How many executions one sample is the mean of.
inline int64_t executionsPerSample(double executionNs, double budgetNs,
                                   size_t maxSamples, double minSampleNs) {
  double sampleNs = std::max(minSampleNs, budgetNs / maxSamples);
  // An empty kernel takes a nanosecond at least.
  return std::max(1.0, std::ceil(sampleNs / std::max(executionNs, 1.0)));
}

/// Times batches of executions. The kernel is something with
///
///   execute(n)       runs it n times
///   restore()        puts the outputs' initial contents back
///   isProbing()      whether it wants that before each sample, so as to look
///                    at the outputs
///   countAbnormal()  the number of subnormal, infinite and undefined outputs
///   flush()          takes the arguments out of the caches
///   clockNs()        the time that it is charged
template <typename Kernel>
class SliceTimer {
public:
  /// Both references must stay valid.
  SliceTimer(Kernel &kernel, TimerState &state, double minSampleNs)
      : kernel(kernel), state(state), minSampleNs(minSampleNs),
        clockOverheadNs(measureOverheadNs()) {}

  /// The time of so many executions; the outputs are restored where they must
  /// be, which does not count.
  double run(int64_t executions) {
    double totalNs = 0;
    while (executions > 0) {
      if (state.maxExecutions > 0 && sinceRestore >= state.maxExecutions)
        restore();
      int64_t batch = executions;
      if (state.maxExecutions > 0)
        batch = std::min(batch, state.maxExecutions - sinceRestore);
      int64_t start = kernel.clockNs();
      kernel.execute(batch);
      int64_t elapsedNs = kernel.clockNs() - start - clockOverheadNs;
      totalNs += std::max<int64_t>(elapsedNs, 0);
      sinceRestore += batch;
      executions -= batch;
    }
    return totalNs;
  }

  /// The time of one execution that finds its arguments in memory.
  double runFlushed() {
    if (sinceRestore >= executionsPerRestore ||
        (state.maxExecutions > 0 && sinceRestore >= state.maxExecutions) ||
        kernel.isProbing())
      restore();
    kernel.flush();
    return run(1);
  }

  /// The same, on outputs that were restored not long ago.
  double runSample(int64_t executions) {
    if (sinceRestore >= executionsPerRestore || kernel.isProbing())
      restore();
    return run(executions);
  }

  void restore() {
    kernel.restore();
    sinceRestore = 0;
  }

  /// Brings code and data into the caches, and learns the state if this is the
  /// first slice.
  void warmUp(double budgetNs, size_t maxSamples) {
    // The estimate may come from a cold run.
    if (state.maxExecutions == 0)
      state.executionNs = run(1);
    int64_t executions =
        executionsPerSample(state.executionNs, 0, maxSamples, minSampleNs);
    if (executions == 1)
      return;
    if (state.maxExecutions == 0)
      return learn(budgetNs, maxSamples);
    state.executionNs = run(executions) / executions;
  }

  /// Whether the estimate was of a disturbed execution, so that a sample, of
  /// `elapsedNs`, takes hardly longer than reading the clock. Corrects it then.
  /// A kernel that takes long only when its outputs were restored isn't one:
  /// its samples say that it idles.
  bool isShort(double elapsedNs) {
    double shortNs = minSampleNs / 4;
    if (elapsedNs >= shortNs)
      return false;
    restore();
    double executionNs = run(1);
    if (executionNs >= shortNs)
      return false;
    state.executionNs = executionNs;
    return true;
  }

private:
  /// A kernel that works on its own outputs can take their values out of the
  /// range of normal numbers in some hundred executions, and on subnormal ones
  /// take a hundred times as long. Finds how many executions, up to a sample's,
  /// leave them there.
  void learn(double budgetNs, size_t maxSamples) {
    constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();
    int64_t before = kernel.countAbnormal();
    state.maxExecutions = unlimited;
    // Either the limit halves or the estimate gets better: this is a bound for
    // clocks that jump.
    for (int i = 0; i < 64; ++i) {
      int64_t wanted = executionsPerSample(state.executionNs, budgetNs,
                                           maxSamples, minSampleNs);
      int64_t executions = std::min(wanted, state.maxExecutions);
      restore();
      double executionNs = run(executions) / executions;
      if (executions > 1 && kernel.countAbnormal() > before) {
        state.maxExecutions = executions / 2;
        continue;
      }
      state.executionNs = executionNs;
      // The first executions were slower, with cold caches: more of them fit a
      // sample.
      wanted =
          executionsPerSample(executionNs, budgetNs, maxSamples, minSampleNs);
      if (executions == state.maxExecutions || wanted <= 2 * executions)
        break;
    }
    restore();
  }

  /// The overhead of reading the clock.
  int64_t measureOverheadNs() {
    int64_t least = std::numeric_limits<int64_t>::max();
    for (int i = 0; i < 8; ++i) {
      int64_t start = kernel.clockNs();
      least = std::min(least, kernel.clockNs() - start);
    }
    return least;
  }

  Kernel &kernel;
  TimerState &state;
  double minSampleNs;
  int64_t clockOverheadNs;
  int64_t sinceRestore = 0;
};

/// Runs the kernel (see SliceTimer) for a while and writes nanoseconds per
/// execution to `samplesNs`; updates `state`.
///
/// \returns how many samples were written
///
/// A first, untimed sample brings code and data into the caches, unless the
/// kernel is so long that this does not matter, or that the median of the
/// samples leaves it out.
template <typename Kernel>
size_t timeSlice(const SliceRequest &request, std::span<double> samplesNs,
                 TimerState &state, Kernel &kernel) {
  SliceTimer<Kernel> timer(kernel, state, request.minSampleNs);
  auto countExecutions = [&]() -> int64_t {
    return request.isFlushed
               ? 1
               : executionsPerSample(state.executionNs, request.budgetNs,
                                     samplesNs.size(), request.minSampleNs);
  };
  timer.restore();
  if (needsWarmUp(request, state.executionNs))
    timer.warmUp(request.budgetNs, samplesNs.size());
  int64_t executions = countExecutions();
  // Includes the time of restoring, which can be far longer than the kernel.
  int64_t start = kernel.clockNs();
  double totalNs = 0, standingNs = 0;
  size_t count = 0, nextLook = 1;
  // A second correction might not be the last one with a clock that jumps.
  bool isSure = false;
  while (count < samplesNs.size() &&
         (count < static_cast<size_t>(request.minSamples) ||
          kernel.clockNs() - start + standingNs < request.budgetNs)) {
    double elapsedNs =
        request.isFlushed ? timer.runFlushed() : timer.runSample(executions);
    if (count == 0 && !request.isFlushed && !std::exchange(isSure, true) &&
        timer.isShort(elapsedNs)) {
      timer.warmUp(request.budgetNs, samplesNs.size());
      executions = countExecutions();
      continue;
    }
    totalNs += elapsedNs;
    samplesNs[count++] = elapsedNs / executions;
    // A clock that stands still must not keep us here.
    if (elapsedNs <= 0)
      standingNs += request.minSampleNs;
    // Looking at many samples takes long, and rarely shows anything new.
    if (count < nextLook)
      continue;
    nextLook = count + 1 + count / 8;
    if (isDecided(request, samplesNs.first(count)))
      break;
  }
  if (count > 0)
    state.executionNs = totalNs / (static_cast<double>(count) * executions);
  return count;
}

} // namespace baco::runtime

#endif // BACO_RUNTIME_TIMER_H
