//===- StandardizeTest.cpp - Tests of the output transformation -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Standardize.h"
#include "TestPoints.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace baco::search;
using Eigen::VectorXd;

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

TEST(StandardizeTest, LogsOfPositiveNumbers) {
  // The logs are 0, 1, 2, 4 times ln 10; the median is 2, and so is its
  // distance from the minimum: 4 becomes 2 + 2 ln 2.
  expectProportional(standardize(vector({1, 10, 100, 1e4})),
                     vector({0, 1, 2, 2 + 2 * std::log(2)}));
}

TEST(StandardizeTest, NoLogsOfOthers) {
  expectProportional(standardize(vector({0, 1, 2})),
                     vector({0, 1, 1 + std::log(2)}));
  expectProportional(standardize(vector({-5, 1, 7})),
                     vector({-5, 1, 1 + 6 * std::log(2)}));
}

TEST(StandardizeTest, MostAreEqualToTheMinimum) {
  expectProportional(standardize(vector({1, 1000, 1, 1})),
                     vector({0, 1, 0, 0}));
}

TEST(StandardizeTest, EqualNumbersAreZero) {
  EXPECT_EQ(standardize(VectorXd()).size(), 0);
  EXPECT_EQ(standardize(vector({0.3})), VectorXd::Zero(1));
  EXPECT_EQ(standardize(VectorXd::Constant(7, 0.1)), VectorXd::Zero(7));
  EXPECT_EQ(standardize(VectorXd::Constant(7, -0.1)), VectorXd::Zero(7));
  EXPECT_EQ(standardize(VectorXd::Zero(3)), VectorXd::Zero(3));
}

TEST(StandardizeTest, Extremes) {
  double huge = std::numeric_limits<double>::max();
  double tiny = std::numeric_limits<double>::denorm_min();
  expectStandard(standardize(vector({huge, -huge, 0})));
  expectStandard(standardize(vector({huge, tiny, 1})));
  expectStandard(standardize(vector({-tiny, 0})));
  expectStandard(standardize(vector({1e-9, 1e3})));
}

TEST(StandardizeTest, RelativeFallIsTheInverse) {
  VectorXd objectives = vector({8, 4, 100, 6, 5});
  VectorXd y = standardize(objectives);
  // From 4 to 2 is as far in the log as from 8 to 4, and linear up to 6.
  double perLog = (y[3] - y[1]) / std::log(6.0 / 4);
  EXPECT_NEAR(relativeFall(objectives, std::log(2) * perLog), 0.5, 1e-12);
  EXPECT_NEAR(relativeFall(objectives, std::log(1.01) * perLog), 0.01 / 1.01,
              1e-12);

  VectorXd linear = standardize(objectives, /*useLog=*/false);
  double perUnit = (linear[3] - linear[1]) / 2;
  EXPECT_NEAR(relativeFall(objectives, perUnit, false), 0.25, 1e-12);
  EXPECT_EQ(relativeFall(objectives, 100 * perUnit, false), 1);

  VectorXd negative = vector({-8, -4, 2});
  VectorXd z = standardize(negative);
  EXPECT_NEAR(relativeFall(negative, z[1] - z[0]), 0.5, 1e-12);
}

TEST(StandardizeTest, RelativeFallOfOddValues) {
  EXPECT_EQ(relativeFall(vector({3}), 1), 0);
  EXPECT_EQ(relativeFall(vector({3, 3, 3, 9}), 1), 0);
  EXPECT_EQ(relativeFall(vector({1, 2, 3}), 0), 0);
  EXPECT_EQ(relativeFall(vector({0, 1, 2}), 0), 0);
  EXPECT_EQ(relativeFall(vector({0, 1, 2}), 0.1), 1);
  double huge = std::numeric_limits<double>::max();
  EXPECT_LE(relativeFall(vector({-huge, 0, huge}), 0.1), 1);
}

/// Three equally spaced values below their median's compression: with the log
/// they are not equally spaced.
TEST(StandardizeTest, LogIsOptional) {
  VectorXd values(3);
  values << 1, 2, 4;
  // Logs 0, 1, 2 (of 2): the upper one is compressed to 1 + log(2).
  double top = 1 + std::log(2.0), mean = (0 + 1 + top) / 3;
  double deviation = std::sqrt(
      (mean * mean + (1 - mean) * (1 - mean) + (top - mean) * (top - mean)) /
      3);
  EXPECT_NEAR(standardize(values)[0], -mean / deviation, 1e-14);
  // Without: 1, 2, and 2 + log(3).
  top = 2 + std::log(3.0), mean = (1 + 2 + top) / 3;
  deviation = std::sqrt(((1 - mean) * (1 - mean) + (2 - mean) * (2 - mean) +
                         (top - mean) * (top - mean)) /
                        3);
  EXPECT_NEAR(standardize(values, /*useLog=*/false)[0], (1 - mean) / deviation,
              1e-14);
}
