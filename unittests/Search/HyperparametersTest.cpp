//===- HyperparametersTest.cpp - Tests of the fit -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Hyperparameters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

using namespace baco;
using namespace baco::search;
using Eigen::MatrixXd;
using Eigen::VectorXd;

static const FeatureLayout layout{{{0, 1, false}, {1, 1, true}, {2, 2, false}},
                                  4};

static MatrixXd randomPoints(int n, Random &random) {
  MatrixXd x(4, n);
  for (double &value : x.reshaped())
    value = random.uniform();
  for (int i = 0; i < n; ++i)
    x(1, i) = double(random.below(3));
  return x;
}

TEST(HyperparametersTest, LikelihoodOfOnePoint) {
  Hyperparameters h = Hyperparameters::initial(1);
  h.values << 0, std::log(2.0), std::log(0.5);
  VectorXd y = VectorXd::Constant(1, 3.0);
  // The log density of N(0, 2.5) at 3.
  EXPECT_NEAR(logMarginalLikelihood(MatrixXd(0, 1), y, h, nullptr),
              -0.5 * 9 / 2.5 - 0.5 * std::log(2 * std::numbers::pi * 2.5),
              1e-14);
}

TEST(HyperparametersTest, LikelihoodOfTwoPoints) {
  Hyperparameters h = Hyperparameters::initial(1);
  h.values << 0, 0, std::log(0.25);
  VectorXd y(2);
  y << 1, -2;
  // r = 1; determinant and inverse of [[a, b], [b, a]] by hand.
  double s = std::sqrt(5.0), b = (1 + s + 5.0 / 3) * std::exp(-s), a = 1.25;
  double det = a * a - b * b;
  double quadratic = (a * (1 + 4) - 2 * b * (1 * -2)) / det;
  EXPECT_NEAR(logMarginalLikelihood(MatrixXd::Ones(1, 1), y, h, nullptr),
              -0.5 * quadratic - 0.5 * std::log(det) -
                  std::log(2 * std::numbers::pi),
              1e-13);
}

TEST(HyperparametersTest, GradientsMatchFiniteDifferences) {
  Random random(11);
  for (int n : {1, 2, 15}) {
    MatrixXd distances = pairwiseDistances(layout, randomPoints(n, random));
    VectorXd y(n);
    for (double &value : y)
      value = random.normal();
    for (int round = 0; round < 5; ++round) {
      Hyperparameters h = Hyperparameters::initial(3);
      for (double &value : h.values)
        value = random.uniform(-1.5, 1.5);
      VectorXd gradient, prior = VectorXd::Zero(5);
      logMarginalLikelihood(distances, y, h, &gradient);
      logPrior(h, &prior);
      for (int i = 0; i < 5; ++i) {
        Hyperparameters up = h, down = h;
        constexpr double step = 1e-5;
        up.values[i] += step;
        down.values[i] -= step;
        double slope = (logMarginalLikelihood(distances, y, up, nullptr) -
                        logMarginalLikelihood(distances, y, down, nullptr)) /
                       (2 * step);
        EXPECT_NEAR(gradient[i], slope, 1e-6 * (1 + std::abs(slope)));
        slope = (logPrior(up, nullptr) - logPrior(down, nullptr)) / (2 * step);
        EXPECT_NEAR(prior[i], slope, 1e-6 * (1 + std::abs(slope)));
      }
    }
  }
}

/// Data that depend on the first parameter only: the fit finds that out, and no
/// start of it ends worse than it began.
TEST(HyperparametersTest, FindsWhichParameterMatters) {
  Random random(2);
  MatrixXd x = randomPoints(40, random);
  VectorXd y = (6 * x.row(0).array()).sin().matrix().transpose() * 1.4;
  Hyperparameters h = Hyperparameters::initial(3);
  MatrixXd distances = pairwiseDistances(layout, x);
  double before =
      logMarginalLikelihood(distances, y, h, nullptr) + logPrior(h, nullptr);
  FitSummary summary = fitHyperparameters(layout, x, y, {}, random, h);
  double after =
      logMarginalLikelihood(distances, y, h, nullptr) + logPrior(h, nullptr);
  EXPECT_GT(after, before + 10);
  EXPECT_DOUBLE_EQ(summary.value, -after);
  EXPECT_GT(summary.iterations, 1);
  EXPECT_GT(h.values[1], h.values[0] + 1);
  EXPECT_GT(h.values[2], h.values[0] + 1);
}

TEST(HyperparametersTest, NothingToLearnFrom) {
  Random random(3);
  // One point, and equal points with equal and with different values.
  for (int n : {1, 2, 8})
    for (double slope : {0.0, 1.0}) {
      MatrixXd x = MatrixXd::Ones(4, n);
      VectorXd y = VectorXd::LinSpaced(n, -slope, slope);
      Hyperparameters h = Hyperparameters::initial(3);
      FitSummary summary = fitHyperparameters(layout, x, y, {}, random, h);
      EXPECT_NE(summary.termination, Termination::NotFinite);
      EXPECT_TRUE(h.values.allFinite());
    }
}

TEST(HyperparametersTest, SameRandomNumbersSameFit) {
  Random random(4);
  MatrixXd x = randomPoints(20, random);
  VectorXd y = VectorXd::LinSpaced(20, -1, 1);
  Hyperparameters a = Hyperparameters::initial(3), b = a;
  Random first(9), second(9);
  fitHyperparameters(layout, x, y, {}, first, a);
  fitHyperparameters(layout, x, y, {}, second, b);
  EXPECT_EQ(a.values, b.values);
}
