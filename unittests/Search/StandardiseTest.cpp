//===- StandardiseTest.cpp - Tests of the output transformation -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Standardise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace baco::search;
using Eigen::VectorXd;

static VectorXd vector(std::initializer_list<double> values) {
  VectorXd v(values.size());
  std::copy(values.begin(), values.end(), v.begin());
  return v;
}

static void expectStandard(const VectorXd &y) {
  EXPECT_TRUE(y.allFinite());
  EXPECT_NEAR(y.mean(), 0, 1e-12);
  EXPECT_NEAR(y.squaredNorm() / double(y.size()), 1, 1e-12);
}

/// `y` is an increasing linear function of `expected`.
static void expectProportional(const VectorXd &y, const VectorXd &expected) {
  expectStandard(y);
  double scale = (y[1] - y[0]) / (expected[1] - expected[0]);
  EXPECT_GT(scale, 0);
  for (Eigen::Index i = 0; i < y.size(); ++i)
    EXPECT_NEAR(y[i] - y[0], scale * (expected[i] - expected[0]), 1e-13);
}

TEST(StandardiseTest, LogsOfPositiveNumbers) {
  // The logs are 0, 1, 2, 4 times ln 10; the median is 2, and so is its
  // distance from the minimum: 4 becomes 2 + 2 ln 2.
  expectProportional(standardise(vector({1, 10, 100, 1e4})),
                     vector({0, 1, 2, 2 + 2 * std::log(2)}));
}

TEST(StandardiseTest, NoLogsOfOthers) {
  expectProportional(standardise(vector({0, 1, 2})),
                     vector({0, 1, 1 + std::log(2)}));
  expectProportional(standardise(vector({-5, 1, 7})),
                     vector({-5, 1, 1 + 6 * std::log(2)}));
}

TEST(StandardiseTest, MostAreEqualToTheMinimum) {
  expectProportional(standardise(vector({1, 1000, 1, 1})),
                     vector({0, 1, 0, 0}));
}

TEST(StandardiseTest, EqualNumbersAreZero) {
  EXPECT_EQ(standardise(VectorXd()).size(), 0);
  EXPECT_EQ(standardise(vector({0.3})), VectorXd::Zero(1));
  EXPECT_EQ(standardise(VectorXd::Constant(7, 0.1)), VectorXd::Zero(7));
  EXPECT_EQ(standardise(VectorXd::Constant(7, -0.1)), VectorXd::Zero(7));
  EXPECT_EQ(standardise(VectorXd::Zero(3)), VectorXd::Zero(3));
}

TEST(StandardiseTest, Extremes) {
  double huge = std::numeric_limits<double>::max();
  double tiny = std::numeric_limits<double>::denorm_min();
  expectStandard(standardise(vector({huge, -huge, 0})));
  expectStandard(standardise(vector({huge, tiny, 1})));
  expectStandard(standardise(vector({-tiny, 0})));
  expectStandard(standardise(vector({1e-9, 1e3})));
}
