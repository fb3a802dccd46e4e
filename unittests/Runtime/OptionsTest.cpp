//===- OptionsTest.cpp - Tests of limits and timing -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Protocol/Options.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

using namespace baco;
using namespace baco::runtime;

TEST(LimitsTest, ExecutionLimitIsTheLargerOne) {
  Limits limits;
  limits.runTimeoutMs = 1000;
  limits.runTimeoutFactor = 4;
  EXPECT_EQ(limits.executionTimeoutMs(0), 1000);
  EXPECT_EQ(limits.executionTimeoutMs(250e6), 1000);
  EXPECT_EQ(limits.executionTimeoutMs(300e6), 1200);
  // Before the plain time is known, and if it is absurd.
  double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(limits.executionTimeoutMs(nan), 1000);
  EXPECT_EQ(limits.executionTimeoutMs(1e300), 86400000);
}

TEST(MeasureOptionsTest, ATrialHasTimeForAllItsExecutions) {
  MeasureOptions options;
  // One for verification, one for warm-up, three samples; each 1.2 s.
  EXPECT_GE(options.trialTimeoutMs(300e6), 5 * 1200);
}

TEST(MeasureOptionsTest, RangesAreChecked) {
  EXPECT_TRUE(MeasureOptions().validate());
  const std::pair<std::function<void(MeasureOptions &)>, const char *> cases[] =
      {{[](auto &o) { o.limits.setupTimeoutMs = 0; }, "set-up time-out"},
       {[](auto &o) { o.limits.plainTimeoutMs = 0; }, "plain kernel's"},
       {[](auto &o) { o.limits.compileTimeoutMs = -1; }, "compile time-out"},
       {[](auto &o) { o.limits.runTimeoutMs = 86400001; }, "run time-out"},
       {[](auto &o) { o.limits.runTimeoutFactor = 0.5; },
        "times the plain kernel"},
       {[](auto &o) { o.limits.runTimeoutFactor = 0.0 / 0.0; },
        "times the plain kernel"},
       {[](auto &o) { o.limits.memoryLimitMiB = 0; }, "memory limit"},
       {[](auto &o) { o.timing.trialMs = 0; }, "time of a trial"},
       {[](auto &o) { o.timing.comparisonMs = 0.0 / 0.0; }, "final comparison"},
       {[](auto &o) { o.timing.sliceMs = -1; }, "time of a turn"},
       {[](auto &o) { o.timing.minSamples = 0; }, "number of samples"},
       {[](auto &o) { o.timing.minSamples = 1001; }, "number of samples"},
       {[](auto &o) { o.tolerance = -1; }, "tolerance must be 0 to 1e9"},
       {[](auto &o) { o.tolerance = 0.0 / 0.0; }, "tolerance must be 0 to 1e9"},
       {[](auto &o) { o.timing.precision = -0.1; }, "precision"},
       {[](auto &o) { o.timing.precision = 1; }, "precision"},
       {[](auto &o) { o.timing.clearlyWorse = 1; }, "clearly worse"},
       {[](auto &o) { o.timing.clearlyWorse = 1e10; }, "clearly worse"},
       {[](auto &o) { o.cpu = -2; }, "no CPU -2"}};
  for (const auto &[spoil, word] : cases) {
    MeasureOptions options;
    spoil(options);
    Result<void> result = options.validate();
    ASSERT_FALSE(result) << word;
    EXPECT_EQ(result.error().code, ErrorCode::InvalidArgument);
    EXPECT_NE(result.error().message.find(word), std::string::npos)
        << result.error().message;
  }
}

TEST(CachesTest, NamesArriveWhole) {
  for (Caches caches : {Caches::Hot, Caches::Flushed})
    EXPECT_EQ(parseCaches(cachesName(caches)), caches);
  EXPECT_FALSE(parseCaches("warm"));
}

TEST(FillTimeoutTest, GrowsWithTheArguments) {
  Signature signature;
  EXPECT_EQ(fillTimeoutMs(signature), 0);
  // 400 MiB at 100 KiB per millisecond.
  signature.arguments = {{ElementType::F32, true, {100, 1 << 20}, true}};
  EXPECT_EQ(fillTimeoutMs(signature), 4096);
}
