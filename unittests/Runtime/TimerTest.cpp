//===- TimerTest.cpp - Tests of the timing loop ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Timer.h"

#include <gtest/gtest.h>

#include <vector>

using namespace baco::runtime;

namespace {
/// A kernel that takes `executionNs` of a clock of its own.
struct FakeKernel {
  int64_t executionNs = 0;
  int64_t clock = 0, executions = 0, restores = 0;
  int64_t longestWithoutRestore = 0, sinceRestore = 0;
  std::vector<double> samples = std::vector<double>(1024);
  double estimateNs = 0;

  size_t run(double budgetNs, int minSamples) {
    return timeSlice(
        {budgetNs, minSamples}, samples, estimateNs,
        [&](int64_t times) {
          executions += times;
          sinceRestore += times;
          longestWithoutRestore = std::max(longestWithoutRestore, sinceRestore);
          clock += times * executionNs;
        },
        [&] {
          ++restores;
          sinceRestore = 0;
          // Not the kernel's time.
          clock += 1000000;
        },
        [&] { return clock; });
  }
};
} // namespace

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

TEST(TimerTest, AColdEstimateIsCorrected) {
  FakeKernel kernel{.executionNs = 1000, .estimateNs = 20e6};
  size_t count = kernel.run(50e6, 3);
  EXPECT_GT(count, 500u);
  EXPECT_NEAR(kernel.estimateNs, 1000, 1e-6);
}

TEST(TimerTest, OutputsAreRestoredNowAndThen) {
  FakeKernel kernel{.executionNs = 1000000, .estimateNs = 1e6};
  kernel.run(100e6, 3);
  EXPECT_LE(kernel.longestWithoutRestore, 8);
  EXPECT_GE(kernel.restores, 101 / 8);
}

TEST(TimerTest, EndsWithAClockThatStandsStill) {
  FakeKernel kernel{.executionNs = 0};
  size_t count = kernel.run(50e6, 3);
  EXPECT_GT(count, 0u);
  EXPECT_EQ(kernel.samples[0], 0);
}
