//===- StatisticsTest.cpp - Tests of the intervals ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Measure/Statistics.h"
#include "baco/Support/Random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace baco;
using namespace baco::measure;

static std::vector<double> upTo(int n) {
  std::vector<double> values;
  for (int i = 1; i <= n; ++i)
    values.push_back(i);
  return values;
}

TEST(MedianIntervalTest, MatchesTheBinomialTable) {
  // Dixon and Massey's table of 95 % intervals for the median: the rank of the
  // lower bound for n values; the upper one is as far from the other end.
  const std::pair<int, int> table[] = {{6, 1},  {7, 1},  {8, 1},   {9, 2},
                                       {10, 2}, {11, 2}, {12, 3},  {15, 4},
                                       {20, 6}, {25, 8}, {30, 10}, {50, 18}};
  for (auto [n, rank] : table) {
    Interval interval = medianInterval(upTo(n), 0.95);
    EXPECT_EQ(interval.low, rank) << n;
    EXPECT_EQ(interval.high, n + 1 - rank) << n;
  }
}

TEST(MedianIntervalTest, TooFewValuesTellNothing) {
  for (int n : {0, 1, 2, 5}) {
    Interval interval = medianInterval(upTo(n), 0.95);
    EXPECT_EQ(interval.low, -std::numeric_limits<double>::infinity()) << n;
    EXPECT_EQ(interval.high, std::numeric_limits<double>::infinity()) << n;
  }
  // 1 - 2 / 2^2 is the confidence of the range of two values.
  EXPECT_EQ(medianInterval({2, 1}, 0.5).low, 1);
  EXPECT_EQ(medianInterval({2, 1}, 0.5).high, 2);
}

TEST(MedianIntervalTest, CoversTheMedianAsOftenAsItSays) {
  Random random(1);
  int covered = 0, trials = 2000;
  for (int t = 0; t < trials; ++t) {
    std::vector<double> values;
    for (int i = 0; i < 25; ++i)
      values.push_back(-std::log(1 - random.uniform()));
    covered += medianInterval(values, 0.95).contains(std::log(2.0));
  }
  // The exact coverage for 25 values is 95.7 %; five deviations below it.
  EXPECT_GT(covered, trials * 0.934);
  EXPECT_LT(covered, trials * 0.98);
}

TEST(ClaimTest, ClaimsNothingBelowHalfAPercent) {
  EXPECT_FALSE(isCertainlyLonger({1.004, {1.003, 1.0049}}));
  EXPECT_FALSE(isCertainlyLonger({1.02, {1.005, 1.03}}));
  EXPECT_TRUE(isCertainlyLonger({1.02, {1.0051, 1.03}}));
  // Few rounds have to show more.
  EXPECT_FALSE(isCertainlyLonger({1.04, {1.03, 1.05}, 0.75}));
  EXPECT_TRUE(isCertainlyLonger({1.04, {1.031, 1.05}, 0.75}));
  Ratio unknown = pairedRatio({}, {}, 0.99);
  EXPECT_FALSE(isCertainlyLonger(unknown));
}

TEST(PairedRatioTest, IgnoresCommonDrift) {
  std::vector<double> fast, slow;
  for (int i = 0; i < 20; ++i) {
    fast.push_back(100 + 10 * i);
    slow.push_back(1.03 * fast.back());
  }
  Ratio ratio = pairedRatio(slow, fast, 0.95);
  EXPECT_NEAR(ratio.value, 1.03, 1e-12);
  EXPECT_NEAR(ratio.interval.low, 1.03, 1e-12);
  EXPECT_NEAR(ratio.interval.high, 1.03, 1e-12);
}

TEST(PairedRatioTest, OfNothingIsNothing) {
  Ratio ratio = pairedRatio({}, {}, 0.95);
  EXPECT_TRUE(std::isnan(ratio.value));
  EXPECT_TRUE(ratio.interval.contains(1));
}

TEST(CompareTurnsTest, TakesTheTurnsThatBothHad) {
  runtime::Samples a, b;
  for (int i = 0; i < 8; ++i) {
    a.slicesNs.push_back({2, 4, 6});
    b.slicesNs.push_back({2});
  }
  b.slicesNs.push_back({1000});
  Ratio ratio = compareRounds(a, b, 0.95);
  EXPECT_EQ(ratio.value, 2);
  EXPECT_EQ(ratio.interval.low, 2);
  EXPECT_EQ(ratio.interval.high, 2);
  EXPECT_EQ(sliceMedians(a), std::vector<double>(8, 4.0));
}
