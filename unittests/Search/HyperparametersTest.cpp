//===- HyperparametersTest.cpp - Tests of the fit -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Hyperparameters.h"

#include "TestPoints.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

using namespace baco;
using namespace baco::search;
using Eigen::MatrixXd;
using Eigen::VectorXd;

static const FeatureLayout layout{{{0, 1, false}, {1, 1, true}, {2, 2, false}},
                                  4};

TEST(HyperparametersTest, LikelihoodOfOnePoint) {
  Hyperparameters h = HyperparameterPrior(1).mode();
  h.values << 0, std::log(2.0), std::log(0.5);
  VectorXd y = VectorXd::Constant(1, 3.0);
  // The log density of N(0, 2.5) at 3.
  EXPECT_NEAR(logMarginalLikelihood(MatrixXd(0, 1), y, h, nullptr),
              -0.5 * 9 / 2.5 - 0.5 * std::log(2 * std::numbers::pi * 2.5),
              1e-14);
}

TEST(HyperparametersTest, LikelihoodOfTwoPoints) {
  Hyperparameters h = HyperparameterPrior(1).mode();
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

TEST(HyperparametersTest, GammaDensity) {
  // Shape 1.3 and rate 0.1; of log l: l p(l), by hand.
  HyperparameterPrior prior(1, LengthScalePrior::Gamma);
  Hyperparameters at = prior.mode();
  EXPECT_NEAR(std::exp(at.values[0]), 13, 1e-12);
  auto density = [&](double length) {
    at.values[0] = std::log(length);
    return prior.logDensity(at, nullptr);
  };
  EXPECT_NEAR(density(2) - density(1), 1.3 * std::log(2.0) - 0.1, 1e-12);
  EXPECT_NEAR(density(20) - density(1), 1.3 * std::log(20.0) - 1.9, 1e-12);
}

TEST(HyperparametersTest, GradientsMatchFiniteDifferences) {
  Random random(11);
  for (int n : {1, 2, 15}) {
    MatrixXd distances = pairwiseDistances(layout, randomPoints(n, random));
    VectorXd y(n);
    for (double &value : y)
      value = random.normal();
    for (int round = 0; round < 6; ++round) {
      HyperparameterPrior density(3, round % 2 == 0
                                         ? LengthScalePrior::LogNormal
                                         : LengthScalePrior::Gamma);
      Hyperparameters h = density.mode();
      for (double &value : h.values)
        value = random.uniform(-1.5, 1.5);
      VectorXd gradient, prior = VectorXd::Zero(5);
      logMarginalLikelihood(distances, y, h, &gradient);
      density.logDensity(h, &prior);
      for (int i = 0; i < 5; ++i) {
        Hyperparameters up = h, down = h;
        constexpr double step = 1e-5;
        up.values[i] += step;
        down.values[i] -= step;
        double slope = (logMarginalLikelihood(distances, y, up, nullptr) -
                        logMarginalLikelihood(distances, y, down, nullptr)) /
                       (2 * step);
        EXPECT_NEAR(gradient[i], slope, 1e-6 * (1 + std::abs(slope)));
        slope = (density.logDensity(up, nullptr) -
                 density.logDensity(down, nullptr)) /
                (2 * step);
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
  HyperparameterPrior prior(3);
  Hyperparameters h = prior.mode();
  MatrixXd distances = pairwiseDistances(layout, x);
  double before = logMarginalLikelihood(distances, y, h, nullptr) +
                  prior.logDensity(h, nullptr);
  FitSummary summary = fitHyperparameters(layout, x, y, prior, {}, random, h);
  double after = logMarginalLikelihood(distances, y, h, nullptr) +
                 prior.logDensity(h, nullptr);
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
      HyperparameterPrior prior(3);
      Hyperparameters h = prior.mode();
      FitSummary summary =
          fitHyperparameters(layout, x, y, prior, {}, random, h);
      EXPECT_NE(summary.termination, Termination::NotFinite);
      EXPECT_TRUE(h.values.allFinite());
      std::vector<Hyperparameters> chains(2, h);
      sampleHyperparameters(layout, x, y, prior, 5, random, chains);
      for (const Hyperparameters &chain : chains)
        EXPECT_TRUE(chain.values.allFinite());
    }
}

TEST(HyperparametersTest, SameRandomNumbersSameFit) {
  Random random(4);
  MatrixXd x = randomPoints(20, random);
  VectorXd y = VectorXd::LinSpaced(20, -1, 1);
  HyperparameterPrior prior(3);
  Hyperparameters a = prior.mode(), b = a;
  Random first(9), second(9);
  fitHyperparameters(layout, x, y, prior, {}, first, a);
  fitHyperparameters(layout, x, y, prior, {}, second, b);
  EXPECT_EQ(a.values, b.values);
}

/// Without observations the posterior is the prior: its mean and its deviations
/// come out, within four standard errors of 4000 steps of which each has some
/// memory of the last (taken as a tenth of them).
TEST(HyperparametersTest, SamplesThePriorWithoutData) {
  HyperparameterPrior prior(3);
  Random random(5);
  std::vector<Hyperparameters> chains = {prior.mode()};
  VectorXd first = VectorXd::Zero(5), second = first;
  constexpr int steps = 4000;
  for (int i = 0; i < steps; ++i) {
    sampleHyperparameters(layout, MatrixXd(4, 0), VectorXd(0), prior, 1, random,
                          chains);
    VectorXd z = (chains[0].values - prior.mean).cwiseQuotient(prior.deviation);
    first += z / steps;
    second += z.cwiseAbs2() / steps;
  }
  double error = 4 / std::sqrt(steps / 10.0);
  EXPECT_LT(first.cwiseAbs().maxCoeff(), error);
  EXPECT_LT((second.array() - 1).abs().maxCoeff(), error * std::sqrt(2.0));
}

/// The posterior of one length scale on a grid, against what the chain visits.
TEST(HyperparametersTest, SamplesThePosterior) {
  FeatureLayout line{{{0, 1, false}}, 1};
  MatrixXd x(1, 3);
  x << 0, 0.4, 1;
  VectorXd y(3);
  y << -1, 1.2, -0.7;
  HyperparameterPrior prior(1);
  // The variances are all but known, so that the grid has one dimension.
  prior.deviation.tail(2).setConstant(1e-3);
  MatrixXd distances = pairwiseDistances(line, x);
  double weight = 0, mean = 0;
  for (double log = -6; log < 7; log += 0.01) {
    Hyperparameters h = prior.mode();
    h.values[0] = log;
    double density = std::exp(logMarginalLikelihood(distances, y, h, nullptr) +
                              prior.logDensity(h, nullptr));
    weight += density;
    mean += density * log;
  }
  mean /= weight;
  std::vector<Hyperparameters> chains = {prior.mode()};
  Random random(6);
  double visited = 0;
  constexpr int steps = 4000;
  for (int i = 0; i < steps; ++i) {
    sampleHyperparameters(line, x, y, prior, 1, random, chains);
    visited += chains[0].values[0] / steps;
  }
  EXPECT_NEAR(visited, mean, 4 / std::sqrt(steps / 10.0));
  // That the data matter: they are rough, and the prior's length is 2.
  EXPECT_LT(mean, prior.mean[0] - 1);
}
