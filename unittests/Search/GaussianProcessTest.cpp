//===- GaussianProcessTest.cpp - Tests of the posterior -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/GaussianProcess.h"

#include "TestPoints.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include <cmath>

using namespace baco;
using namespace baco::search;
using Eigen::MatrixXd;
using Eigen::VectorXd;

static const FeatureLayout line{{{0, 1, false}}, 1};
static const FeatureLayout mixed{{{0, 1, false}, {1, 1, true}, {2, 2, false}},
                                 4};

static Hyperparameters parameters(std::initializer_list<double> lengthScales,
                                  double variance, double noise) {
  Hyperparameters h;
  h.values.resize(lengthScales.size() + 2);
  int i = 0;
  for (double lengthScale : lengthScales)
    h.values[i++] = std::log(lengthScale);
  h.values[i++] = std::log(variance);
  h.values[i] = std::log(noise);
  return h;
}

static double maternOf(double r) {
  double s = std::sqrt(5.0) * r;
  return (1 + s + s * s / 3) * std::exp(-s);
}

TEST(GaussianProcessTest, PriorWithoutPoints) {
  GaussianProcess gp(line, parameters({1}, 2, 0.1));
  gp.setTargets(VectorXd());
  Prediction prediction = gp.predict(MatrixXd::Constant(1, 2, 0.5));
  EXPECT_EQ(prediction.mean, VectorXd::Zero(2));
  EXPECT_NEAR(prediction.variance[1], 2, 1e-15);
  EXPECT_EQ(gp.predict(MatrixXd(1, 0)).mean.size(), 0);
  EXPECT_EQ(gp.predict(MatrixXd(1, 0)).variance.size(), 0);
}

TEST(GaussianProcessTest, OnePointByHand) {
  GaussianProcess gp(line, parameters({0.5}, 2, 0.5));
  gp.append(VectorXd::Constant(1, 0.25));
  gp.setTargets(VectorXd::Constant(1, 3.0));
  Prediction prediction = gp.predict(MatrixXd::Constant(1, 1, 0.75));
  // r = 1: mean = k y / (s2 + n2), variance = s2 - k^2 / (s2 + n2).
  double k = 2 * maternOf(1);
  EXPECT_NEAR(prediction.mean[0], k * 3 / 2.5, 1e-14);
  EXPECT_NEAR(prediction.variance[0], 2 - k * k / 2.5, 1e-14);
}

TEST(GaussianProcessTest, TwoPointsByHand) {
  GaussianProcess gp(line, parameters({1}, 1, 0.25));
  gp.append(VectorXd::Constant(1, 0.0));
  gp.append(VectorXd::Constant(1, 1.0));
  VectorXd y(2);
  y << 1, -2;
  gp.setTargets(y);
  Prediction prediction = gp.predict(MatrixXd::Constant(1, 1, 0.5));
  // The inverse of [[a, b], [b, a]] is [[a, -b], [-b, a]] / (a^2 - b^2).
  double a = 1.25, b = maternOf(1), k = maternOf(0.5), det = a * a - b * b;
  EXPECT_NEAR(prediction.mean[0], k * (a - b) * (1 - 2) / det, 1e-14);
  EXPECT_NEAR(prediction.variance[0], 1 - 2 * k * k * (a - b) / det, 1e-14);
}

TEST(GaussianProcessTest, MatchesTheDenseInverse) {
  Random random(5);
  Hyperparameters h = parameters({0.7, 1.5, 0.4}, 1.3, 0.01);
  for (int n : {3, 20, 70}) {
    MatrixXd x = randomPoints(n, random), at = randomPoints(9, random);
    VectorXd y(n);
    for (double &value : y)
      value = random.normal();
    GaussianProcess gp(mixed, h);
    for (int i = 0; i < n; ++i)
      gp.append(x.col(i));
    gp.setTargets(y);
    auto kernel = [&](const MatrixXd &a, const MatrixXd &b) {
      return MatrixXd(
          1.3 * matern52(squaredDistances(mixed, h.weights(), a, b).array()));
    };
    MatrixXd inverse =
        (kernel(x, x) + 0.01 * MatrixXd::Identity(n, n)).inverse();
    MatrixXd k = kernel(x, at);
    Prediction prediction = gp.predict(at);
    EXPECT_LT(
        (prediction.mean - k.transpose() * inverse * y).cwiseAbs().maxCoeff(),
        1e-9);
    for (int j = 0; j < 9; ++j)
      EXPECT_NEAR(prediction.variance[j],
                  1.3 - k.col(j).dot(inverse * k.col(j)), 1e-9);
    EXPECT_LT((gp.predictMean(at) - prediction.mean).cwiseAbs().maxCoeff(),
              1e-12);
  }
}

/// A factor that grew, shrank and grew again gives the same bits as one that
/// was made at once.
TEST(GaussianProcessTest, GrowingIsExact) {
  Random random(6);
  Hyperparameters h = parameters({0.7, 1.5, 0.4}, 1.3, 0.01);
  MatrixXd x = randomPoints(150, random), at = randomPoints(5, random);
  MatrixXd other = randomPoints(40, random);
  VectorXd y = VectorXd::LinSpaced(150, -1, 1);
  GaussianProcess once(mixed, h), grown(mixed, h);
  for (int i = 0; i < 150; ++i)
    once.append(x.col(i));
  for (int i = 0; i < 30; ++i)
    grown.append(x.col(i));
  for (int i = 0; i < 40; ++i)
    grown.append(other.col(i));
  grown.truncate(30);
  for (int i = 30; i < 150; ++i)
    grown.append(x.col(i));
  once.setTargets(y);
  grown.setTargets(y);
  Prediction a = once.predict(at), b = grown.predict(at);
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.variance, b.variance);
}

TEST(GaussianProcessTest, RepeatedPointsWithoutNoise) {
  GaussianProcess gp(line, parameters({1}, 1, 1e-30));
  for (int i = 0; i < 5; ++i)
    gp.append(VectorXd::Constant(1, 0.5));
  gp.append(VectorXd::Constant(1, 0.7));
  gp.setTargets(VectorXd::Ones(6));
  Prediction prediction = gp.predict(MatrixXd::Constant(1, 1, 0.5));
  EXPECT_NEAR(prediction.mean[0], 1, 1e-6);
  EXPECT_GE(prediction.variance[0], 0);
  EXPECT_LT(prediction.variance[0], 1e-6);
}
