//===- MinimizeTest.cpp - Tests of the L-BFGS adapter ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Minimize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace baco::search;
using Eigen::VectorXd;

static double rosenbrock(const VectorXd &x, VectorXd &gradient) {
  double a = 1 - x[0], b = x[1] - x[0] * x[0];
  gradient.resize(2);
  gradient << -2 * a - 400 * x[0] * b, 200 * b;
  return a * a + 100 * b * b;
}

TEST(MinimizeTest, FindsTheMinimumOfRosenbrock) {
  VectorXd x(2);
  x << -1.2, 1;
  FitSummary summary = minimize(rosenbrock, x, {});
  EXPECT_EQ(summary.termination, Termination::Converged);
  EXPECT_NEAR(x[0], 1, 1e-4);
  EXPECT_NEAR(x[1], 1, 1e-4);
  EXPECT_LT(summary.value, 1e-8);
  EXPECT_GE(summary.evaluations, summary.iterations);
  EXPECT_GT(summary.iterations, 5);
}

TEST(MinimizeTest, KeepsTheBestPointAtTheLimits) {
  VectorXd x(2), gradient;
  x << -1.2, 1;
  double start = rosenbrock(x, gradient);
  MinimizeOptions options;
  options.maxEvaluations = 7;
  FitSummary summary = minimize(rosenbrock, x, options);
  EXPECT_EQ(summary.termination, Termination::LimitReached);
  EXPECT_EQ(summary.evaluations, 7);
  EXPECT_LT(summary.value, start);
  EXPECT_EQ(rosenbrock(x, gradient), summary.value);

  x << -1.2, 1;
  options.maxEvaluations = 1000;
  options.maxIterations = 3;
  summary = minimize(rosenbrock, x, options);
  EXPECT_EQ(summary.termination, Termination::LimitReached);
  EXPECT_EQ(summary.iterations, 3);
}

TEST(MinimizeTest, StartsAtAMinimum) {
  VectorXd x = VectorXd::Ones(2);
  FitSummary summary = minimize(rosenbrock, x, {});
  EXPECT_EQ(summary.termination, Termination::Converged);
  EXPECT_EQ(summary.evaluations, 1);
  EXPECT_EQ(summary.value, 0);
  EXPECT_EQ(x, VectorXd::Ones(2));
}

TEST(MinimizeTest, StalledLineSearchIsNoError) {
  // The gradient has the wrong sign: no step improves.
  VectorXd x = VectorXd::Constant(1, 2.0);
  FitSummary summary = minimize(
      [](const VectorXd &x, VectorXd &gradient) {
        gradient = -2 * x;
        return x.squaredNorm();
      },
      x, {});
  EXPECT_EQ(summary.termination, Termination::LineSearchFailed);
  EXPECT_EQ(x[0], 2.0);
  EXPECT_EQ(summary.value, 4.0);
}

TEST(MinimizeTest, StepsBackFromWhereTheFunctionIsNotFinite) {
  // Minimum of x - log x at 1; NaN for negative x, where the first steps lead.
  VectorXd x = VectorXd::Constant(1, 0.01);
  FitSummary summary = minimize(
      [](const VectorXd &x, VectorXd &gradient) {
        gradient = VectorXd::Constant(1, 1 - 1 / x[0]);
        return x[0] - std::log(x[0]);
      },
      x, {});
  EXPECT_NEAR(x[0], 1, 1e-4);
  EXPECT_NEAR(summary.value, 1, 1e-8);
}

TEST(MinimizeTest, NowhereFinite) {
  VectorXd x = VectorXd::Constant(1, 3.0);
  FitSummary summary = minimize(
      [](const VectorXd &x, VectorXd &gradient) {
        gradient = x;
        return std::numeric_limits<double>::quiet_NaN();
      },
      x, {});
  EXPECT_EQ(summary.termination, Termination::NotFinite);
  EXPECT_EQ(x[0], 3.0);
  EXPECT_EQ(summary.value, std::numeric_limits<double>::infinity());
}
