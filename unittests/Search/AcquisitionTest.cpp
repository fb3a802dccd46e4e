//===- AcquisitionTest.cpp - Tests of the acquisition functions -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Acquisition.h"
#include "TestPoints.h"
#include "baco/Support/Random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

using namespace baco;
using namespace baco::search;

/// What the product takes the logarithm of.
static Result<Eigen::VectorXd>
expectedImprovement(const Eigen::VectorXd &mean, const Eigen::VectorXd &stddev,
                    double best) {
  Result<Eigen::VectorXd> logs = logExpectedImprovement(mean, stddev, best);
  if (!logs)
    return logs;
  return Eigen::VectorXd(logs->array().exp());
}

TEST(ExpectedImprovementTest, MatchesClosedForm) {
  auto score = expectedImprovement(vector({0, 1}), vector({1, 2}), /*best=*/0);
  ASSERT_TRUE(score) << score.error().message;
  // By hand: phi(0), and -Phi(-1/2) + 2 phi(-1/2).
  EXPECT_NEAR((*score)[0], 0.3989422804014327, 1e-15);
  EXPECT_NEAR((*score)[1], 0.3955931148026121, 1e-13);
}

TEST(ExpectedImprovementTest, IsTheGainWithoutUncertainty) {
  auto score =
      expectedImprovement(vector({-3, 2, 0}), vector({0, 0, 0}), /*best=*/0);
  ASSERT_TRUE(score);
  EXPECT_DOUBLE_EQ((*score)[0], 3);
  EXPECT_EQ((*score)[1], 0);
  EXPECT_EQ((*score)[2], 0);
  auto logs = logExpectedImprovement(vector({-3, 2}), vector({0, 0}), 0);
  ASSERT_TRUE(logs);
  EXPECT_DOUBLE_EQ((*logs)[0], std::log(3));
  EXPECT_EQ((*logs)[1], -std::numeric_limits<double>::infinity());
}

TEST(ExpectedImprovementTest, AgreesWithMonteCarlo) {
  Random random(7);
  const double mean = 0.3, stddev = 1.5, best = 0.1;
  double sum = 0, squares = 0;
  constexpr int draws = 200000;
  for (int i = 0; i < draws; ++i) {
    double gain = std::max(best - (mean + stddev * random.normal()), 0.0);
    sum += gain;
    squares += gain * gain;
  }
  double average = sum / draws;
  double error = std::sqrt((squares / draws - average * average) / draws);
  auto score = expectedImprovement(vector({mean}), vector({stddev}), best);
  ASSERT_TRUE(score);
  EXPECT_NEAR((*score)[0], average, 4 * error);
}

TEST(ExpectedImprovementTest, LogIsAccurateInTheTail) {
  // E[(Z - t)+] = phi(t) / t^2 (1 - 3/t^2 + 15/t^4 - 105/t^6 + ...).
  for (double t : {40.0, 200.0, 1e5}) {
    double u = 1 / (t * t);
    double series =
        1 - 3 * u + 15 * u * u - 105 * u * u * u + 945 * u * u * u * u;
    double expected = -0.5 * t * t - 0.5 * std::log(2 * std::numbers::pi) +
                      std::log(u * series);
    auto logs = logExpectedImprovement(vector({t}), vector({1}), 0);
    ASSERT_TRUE(logs);
    EXPECT_NEAR((*logs)[0], expected, 1e-12 * std::abs(expected)) << t;
  }
}

TEST(ExpectedImprovementTest, MatchesClosedFormAndIsContinuous) {
  // Around the border between the two formulas, and elsewhere.
  double previous = -std::numeric_limits<double>::infinity();
  for (double z = -8; z < 8; z += 0.01) {
    double density = std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
    double below = 0.5 * std::erfc(-z / std::numbers::sqrt2);
    auto logs = logExpectedImprovement(vector({-2 * z}), vector({2}), 0);
    ASSERT_TRUE(logs);
    EXPECT_NEAR((*logs)[0], std::log(2 * (density + z * below)), 1e-11);
    EXPECT_GT((*logs)[0], previous);
    previous = (*logs)[0];
  }
}

TEST(ExpectedImprovementTest, SurvivesExtremes) {
  double tiny = std::numeric_limits<double>::denorm_min();
  auto score =
      expectedImprovement(vector({-1, 1, 1e300}), vector({tiny, tiny, 1}), 0);
  ASSERT_TRUE(score);
  EXPECT_EQ((*score)[0], 1);
  EXPECT_EQ((*score)[1], 0);
  EXPECT_EQ((*score)[2], 0);
  auto none = expectedImprovement(vector({}), vector({}), 0);
  ASSERT_TRUE(none);
  EXPECT_EQ(none->size(), 0);
}

TEST(ExpectedImprovementTest, RejectsBadInput) {
  double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(expectedImprovement(vector({0, 1}), vector({1}), 0));
  EXPECT_FALSE(expectedImprovement(vector({nan}), vector({1}), 0));
  EXPECT_FALSE(expectedImprovement(vector({0}), vector({nan}), 0));
  EXPECT_FALSE(expectedImprovement(vector({0}), vector({1}), nan));
  auto negative = logExpectedImprovement(vector({0}), vector({-1}), 0);
  ASSERT_FALSE(negative);
  EXPECT_EQ(negative.error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(negative.error().message,
            "expected improvement: a deviation is negative");
}
