//===- SamplesTest.cpp - Tests of quantiles -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Protocol/Samples.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace baco;
using namespace baco::runtime;

TEST(QuantileTest, OfSmallSamples) {
  EXPECT_TRUE(std::isnan(median({})));
  EXPECT_EQ(median({7}), 7);
  EXPECT_EQ(quantile({7}, 0), 7);
  EXPECT_EQ(quantile({7}, 1), 7);
  EXPECT_EQ(median({1, 2}), 1.5);
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
}

TEST(QuantileTest, InterpolatesLinearly) {
  // The definition by hand: position p (n - 1) among 10, 20, 30, 40.
  EXPECT_EQ(quantile({40, 10, 30, 20}, 0.25), 17.5);
  EXPECT_EQ(quantile({40, 10, 30, 20}, 0.75), 32.5);
  EXPECT_EQ(quantile({40, 10, 30, 20}, 0), 10);
  EXPECT_EQ(quantile({40, 10, 30, 20}, 1), 40);
  EXPECT_EQ(quantile({5, 5, 5, 5}, 0.3), 5);
}

TEST(QuantileTest, NaNIsContagious) {
  EXPECT_TRUE(std::isnan(median({1, std::nan(""), 3})));
}

TEST(SummarizeTest, PoolsAllSlices) {
  Samples samples;
  samples.slicesNs = {{10, 30}, {20}, {40}};
  summarize(samples);
  EXPECT_EQ(samples.outcome.numSamples, 4);
  EXPECT_EQ(samples.outcome.timeNs, 25);
  // (32.5 - 17.5) / 2 / 25.
  EXPECT_DOUBLE_EQ(samples.outcome.spread, 0.3);
}

TEST(SummarizeTest, OneSampleHasNoSpread) {
  Samples samples;
  samples.slicesNs = {{3}};
  summarize(samples);
  EXPECT_EQ(samples.outcome.timeNs, 3);
  EXPECT_EQ(samples.outcome.spread, 0);
  samples.slicesNs = {};
  summarize(samples);
  EXPECT_TRUE(std::isnan(samples.outcome.timeNs));
  EXPECT_EQ(samples.outcome.numSamples, 0);
}
