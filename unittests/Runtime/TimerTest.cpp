//===- TimerTest.cpp - Tests of the timing loop ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Timer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

using namespace baco::runtime;

namespace {
/// A kernel that takes `executionNs` of a clock of its own.
struct FakeKernel {
  int64_t executionNs = 0;
  double estimateNs = 0;
  /// After so many executions in a row its values are subnormal, and it takes a
  /// hundred times as long.
  int64_t normalExecutions = std::numeric_limits<int64_t>::max();
  int64_t restoreNs = 1000;
  int64_t readNs = 0;

  /// What the first execution after a flush takes more; what flushing takes.
  int64_t coldNs = 0, flushNs = 0;
  int64_t flushes = 0;
  bool isCold = false;

  /// Of how many executions it looks at the outputs.
  int64_t probedExecutions = 0;

  int64_t clock = 0, executions = 0, restores = 0;
  int64_t longestWithoutRestore = 0, sinceRestore = 0;
  std::vector<double> samples = std::vector<double>(1024);
  TimerState state = {};

  // What timeSlice calls.
  void execute(int64_t times) {
    int64_t normal =
        std::clamp<int64_t>(normalExecutions - sinceRestore, 0, times);
    clock += executionNs * (normal + 100 * (times - normal));
    clock += std::exchange(isCold, false) ? coldNs : 0;
    executions += times;
    sinceRestore += times;
    longestWithoutRestore = std::max(longestWithoutRestore, sinceRestore);
  }
  void restore() {
    ++restores;
    sinceRestore = 0;
    clock += restoreNs;
  }
  bool isProbing() const { return executions < probedExecutions; }
  void flush() {
    ++flushes;
    isCold = true;
    clock += flushNs;
  }
  int64_t countAbnormal() const { return sinceRestore > normalExecutions; }
  int64_t clockNs() { return clock += readNs; }

  size_t run(double budgetNs, int minSamples) {
    state.executionNs = estimateNs;
    size_t count = timeSlice({budgetNs, minSamples}, samples, state, *this);
    estimateNs = state.executionNs;
    return count;
  }
};
} // namespace

TEST(TimerTest, RestoresBeforeEachExecutionThatIsLookedAt) {
  FakeKernel kernel{.executionNs = 1000000, .estimateNs = 1e6};
  kernel.probedExecutions = 5;
  EXPECT_EQ(kernel.run(50e6, 3), 50u);
  // At first, before the second to fifth execution, and after eight each.
  EXPECT_EQ(kernel.restores, 1 + 4 + 5);
}

TEST(TimerTest, FillsTheBudget) {
  FakeKernel kernel{.executionNs = 1000000, .estimateNs = 1e6};
  // 50 samples of one execution, and one for warming up.
  EXPECT_EQ(kernel.run(50e6, 3), 50u);
  EXPECT_EQ(kernel.executions, 51);
  for (size_t i = 0; i < 50; ++i)
    EXPECT_EQ(kernel.samples[i], 1e6);
  EXPECT_EQ(kernel.estimateNs, 1e6);
}

TEST(TimerTest, ShortKernelsShareASample) {
  FakeKernel kernel{.executionNs = 100, .estimateNs = 100};
  size_t count = kernel.run(50e6, 3);
  // Samples of at least 50 us, until the budget is used up.
  EXPECT_NEAR(static_cast<double>(count), 1000, 25);
  EXPECT_EQ(kernel.samples[0], 100);
  EXPECT_EQ(kernel.samples[count - 1], 100);
}

TEST(TimerTest, SamplesLastAsLongAsRequested) {
  FakeKernel kernel{.executionNs = 10000, .estimateNs = 1e4};
  kernel.state.executionNs = 1e4;
  SliceRequest request{
      .budgetNs = 50e6, .minSamples = 3, .minSampleNs = minGpuSampleNs};
  size_t count = timeSlice(request, kernel.samples, kernel.state, kernel);
  // 25 samples of 200 executions; at most some before, to find their number.
  EXPECT_EQ(count, 25u);
  EXPECT_GE(kernel.executions, 25 * 200);
  EXPECT_LE(kernel.executions, 25 * 200 + 400);
  EXPECT_EQ(kernel.samples[0], 1e4);
}

TEST(TimerTest, ALongBudgetGetsLongerSamples) {
  FakeKernel kernel{.executionNs = 100, .estimateNs = 100};
  size_t count = kernel.run(10e9, 3);
  EXPECT_LE(count, 1024u);
  EXPECT_GE(count, 1000u);
}

TEST(TimerTest, SlowKernelsRunAFewTimes) {
  FakeKernel kernel{.executionNs = 400000000, .estimateNs = 4e8};
  EXPECT_EQ(kernel.run(50e6, 3), 3u);
  // Its verification was warm-up enough.
  EXPECT_EQ(kernel.executions, 3);
}

TEST(TimerTest, ASingleSampleIsNotCold) {
  FakeKernel kernel{
      .executionNs = 40000000, .estimateNs = 4e7, .coldNs = 9000000};
  kernel.isCold = true;
  EXPECT_EQ(kernel.run(20e6, 1), 1u);
  EXPECT_EQ(kernel.executions, 2);
  EXPECT_EQ(kernel.samples.front(), 40e6);
}

TEST(TimerTest, AColdEstimateIsCorrected) {
  FakeKernel kernel{.executionNs = 1000, .estimateNs = 20e6};
  size_t count = kernel.run(50e6, 3);
  EXPECT_GT(count, 500u);
  EXPECT_NEAR(kernel.estimateNs, 1000, 1e-6);
}

TEST(TimerTest, ADisturbedEstimateIsCorrectedWithoutWarmUp) {
  // Single executions of it can't be told from reading the clock.
  FakeKernel kernel{.executionNs = 5, .estimateNs = 30e6, .readNs = 200};
  ASSERT_FALSE(needsWarmUp({50e6, 3}, kernel.estimateNs));
  auto count = static_cast<int64_t>(kernel.run(50e6, 3));
  EXPECT_GT(count, 500);
  EXPECT_GE(kernel.executions, count * 10000);
  EXPECT_EQ(kernel.samples.front(), 5);
}

TEST(TimerTest, ADisturbedFirstExecutionIsCorrected) {
  FakeKernel kernel{
      .executionNs = 5, .estimateNs = 5, .readNs = 200, .coldNs = 70000};
  kernel.isCold = true;
  auto count = static_cast<int64_t>(kernel.run(50e6, 3));
  EXPECT_GT(count, 500);
  EXPECT_GE(kernel.executions, count * 10000);
}

TEST(TimerTest, OutputsAreRestoredNowAndThen) {
  FakeKernel kernel{.executionNs = 1000000, .estimateNs = 1e6};
  kernel.run(100e6, 3);
  EXPECT_LE(kernel.longestWithoutRestore, 8);
  EXPECT_GE(kernel.restores, 101 / 8);
}

TEST(TimerTest, ShortKernelsDoNotDriftToSubnormals) {
  FakeKernel kernel{
      .executionNs = 10, .estimateNs = 5000, .normalExecutions = 250};
  size_t count = kernel.run(50e6, 3);
  EXPECT_GT(count, 100u);
  for (size_t i = 0; i < count; ++i)
    EXPECT_EQ(kernel.samples[i], 10);
  EXPECT_LE(kernel.state.maxExecutions, 250);
  EXPECT_GT(kernel.state.maxExecutions, 60);
  // The next slice knows.
  kernel.longestWithoutRestore = 0;
  kernel.run(50e6, 3);
  EXPECT_EQ(kernel.samples[0], 10);
  EXPECT_LE(kernel.longestWithoutRestore, 250);
}

TEST(TimerTest, KernelsThatDriftAtOnceAreTimedAllTheSame) {
  FakeKernel kernel{
      .executionNs = 1000, .estimateNs = 1000, .normalExecutions = 1};
  EXPECT_GE(kernel.run(50e6, 3), 3u);
  EXPECT_EQ(kernel.samples[0], 1000);
  EXPECT_EQ(kernel.state.maxExecutions, 1);
}

TEST(TimerTest, ReadingTheClockDoesNotCount) {
  FakeKernel kernel{.executionNs = 10,
                    .estimateNs = 10,
                    .normalExecutions = 100,
                    .readNs = 200};
  kernel.run(50e6, 3);
  EXPECT_EQ(kernel.samples[0], 10);
}

TEST(TimerTest, CostlyRestoresUseTheBudgetUp) {
  // 4 ns, and 128 MiB to restore.
  FakeKernel kernel{.executionNs = 4, .estimateNs = 4, .restoreNs = 30000000};
  EXPECT_EQ(kernel.run(50e6, 3), 3u);
  EXPECT_LE(kernel.restores, 8);
  EXPECT_EQ(kernel.samples[2], 4);
}

TEST(TimerTest, EndsWithAClockThatStandsStill) {
  FakeKernel kernel{.executionNs = 0};
  size_t count = kernel.run(50e6, 3);
  EXPECT_GT(count, 0u);
  EXPECT_EQ(kernel.samples[0], 0);
}

static SliceRequest wantsPrecision(double precision) {
  return {.budgetNs = 50e6, .minSamples = 3, .precision = precision};
}

TEST(TimerTest, ConstantTimesAreKnownSoon) {
  FakeKernel kernel{.executionNs = 1000000, .estimateNs = 1e6};
  kernel.state.executionNs = 1e6;
  // The fewest samples that have a 95 % interval.
  EXPECT_EQ(
      timeSlice(wantsPrecision(0.01), kernel.samples, kernel.state, kernel),
      6u);
}

TEST(TimerTest, HopelessKernelsRunOnce) {
  FakeKernel kernel{.executionNs = 1000000, .estimateNs = 1e6};
  kernel.state.executionNs = 1e6;
  SliceRequest request{.budgetNs = 50e6, .minSamples = 3, .hopelessNs = 4e5};
  EXPECT_EQ(timeSlice(request, kernel.samples, kernel.state, kernel), 1u);
}

// One sample may be slow because others had the CPU.
TEST(TimerTest, HopelessWallTimesNeedSeveralSamples) {
  std::vector<double> samples = {1e6};
  SliceRequest request{
      .budgetNs = 50e6, .minSamples = 3, .hopelessNs = 4e5, .isWallTime = true};
  EXPECT_FALSE(isDecided(request, samples));
  samples.assign(8, 1e6);
  EXPECT_TRUE(isDecided(request, samples));
}

TEST(TimerTest, FlushedKernelsAreColdInEverySample) {
  FakeKernel kernel{
      .executionNs = 1000, .estimateNs = 1000, .coldNs = 4000, .flushNs = 500};
  kernel.state.executionNs = 1000;
  SliceRequest request{.budgetNs = 1e6, .minSamples = 3, .isFlushed = true};
  size_t count = timeSlice(request, kernel.samples, kernel.state, kernel);
  // Flushing, and restoring the outputs in good time, isn't timed, but uses the
  // budget up.
  double sampleNs = 5500 + 1000.0 / executionsPerRestore;
  EXPECT_NEAR(static_cast<double>(count), 1e6 / sampleNs, 2);
  EXPECT_GE(kernel.restores,
            static_cast<int64_t>(count) / executionsPerRestore);
  EXPECT_EQ(kernel.flushes, static_cast<int64_t>(count));
  for (size_t i = 0; i < count; ++i)
    EXPECT_EQ(kernel.samples[i], 5000);
}

TEST(IsDecidedTest, NeverDecidesWithoutARequest) {
  std::vector<double> samples(100, 5.0);
  EXPECT_FALSE(isDecided({.budgetNs = 1}, samples));
  EXPECT_FALSE(isDecided(wantsPrecision(0.1), {}));
}

TEST(IsDecidedTest, ThePrecisionIsThatOfTheMedian) {
  // Ranks 2 and 9 of ten values bound the median: 2 to 9, around 5.5.
  std::vector<double> samples = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_FALSE(isDecided(wantsPrecision(0.63), samples));
  EXPECT_TRUE(isDecided(wantsPrecision(0.64), samples));
}

TEST(IsDecidedTest, CertainlyWorseCandidatesAreDecided) {
  std::vector<double> samples = {10, 11, 12, 13, 14, 15};
  auto hopeless = [&](double ns, int minSamples = 3) {
    return isDecided(
        {.budgetNs = 1, .minSamples = minSamples, .hopelessNs = ns}, samples);
  };
  EXPECT_FALSE(hopeless(10));
  EXPECT_TRUE(hopeless(9.9));
  // Not before there are as many samples as asked for ...
  EXPECT_FALSE(hopeless(9.9, 7));
  // ... unless all of them are far away.
  EXPECT_TRUE(hopeless(4.9, 7));
}
