//===- RandomForestTest.cpp - Tests of the forest -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/RandomForest.h"
#include "TestPoints.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace baco;
using namespace baco::search;
using Eigen::MatrixXd;
using Eigen::VectorXd;

static const FeatureLayout labels{{{0, 1, true}, {1, 1, false}}, 2};

static RandomForest fit(const FeatureLayout &layout, const MatrixXd &x,
                        const VectorXd &y, ForestOptions options = {}) {
  Random random(1);
  return RandomForest(layout, x, y, VectorXd::Ones(y.size()), options, random);
}

TEST(RandomForestTest, SeparatesAHalfPlane) {
  Random random(2);
  MatrixXd x = uniformPoints(200, random), test = uniformPoints(200, random);
  auto isInside = [](const auto &point) {
    return double(point[0] + 0.2 * point[1] > 0.6);
  };
  VectorXd y(200);
  for (int i = 0; i < 200; ++i)
    y[i] = isInside(x.col(i));
  VectorXd p = fit(plane, x, y).predictMean(test);
  EXPECT_GE(p.minCoeff(), 0);
  EXPECT_LE(p.maxCoeff(), 1);
  int right = 0;
  for (int i = 0; i < 200; ++i)
    right += (p[i] > 0.5) == (isInside(test.col(i)) == 1);
  EXPECT_GE(right, 190);
}

TEST(RandomForestTest, WithoutBootstrapFitsEveryPoint) {
  Random random(3);
  MatrixXd x = uniformPoints(50, random);
  VectorXd y = VectorXd::LinSpaced(50, -3, 4);
  ForestOptions options;
  options.bootstrap = false;
  Prediction prediction = fit(plane, x, y, options).predict(x);
  EXPECT_LT((prediction.mean - y).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(prediction.variance.maxCoeff(), 1e-12);
}

/// Points that cannot be told apart: each tree is one leaf, with the (weighted)
/// mean and variance of the targets.
TEST(RandomForestTest, OneLeafByHand) {
  MatrixXd x = MatrixXd::Ones(2, 4);
  VectorXd y(4), weights(4);
  y << 1, 0, 0, 1;
  weights << 4, 1, 1, 4;
  ForestOptions options;
  options.bootstrap = false;
  Random random(4);
  RandomForest forest(plane, x, y, weights, options, random);
  Prediction prediction = forest.predict(x.leftCols(1));
  EXPECT_NEAR(prediction.mean[0], 0.8, 1e-14);
  EXPECT_NEAR(prediction.variance[0], 0.8 * 0.2, 1e-14);
}

/// The variance is that within leaves plus that between the trees.
TEST(RandomForestTest, TotalVariance) {
  // Two trees see (by chance) different draws of the targets 0 and 1 of one
  // point: whatever they drew, second moments of zeros and ones are the means,
  // so that the variance is m (1 - m).
  MatrixXd x = MatrixXd::Ones(2, 6);
  VectorXd y(6);
  y << 0, 1, 0, 1, 1, 0;
  ForestOptions options;
  options.numTrees = 7;
  Prediction prediction = fit(plane, x, y, options).predict(x.leftCols(1));
  double m = prediction.mean[0];
  EXPECT_GT(m, 0);
  EXPECT_LT(m, 1);
  EXPECT_NEAR(prediction.variance[0], m * (1 - m), 1e-14);
}

TEST(RandomForestTest, LabelsAreOnlyEqualOrDifferent) {
  // Only the middle one of three labels is 1: one split on equality does it.
  MatrixXd x(2, 9);
  x.row(0) << 0, 1, 2, 0, 1, 2, 0, 1, 2;
  x.row(1).setZero();
  VectorXd y = (x.row(0).array() == 1).cast<double>().matrix().transpose();
  ForestOptions options;
  options.bootstrap = false;
  VectorXd p = fit(labels, x, y, options).predictMean(x);
  EXPECT_EQ(p, y);
  // A label that was never seen differs from all.
  MatrixXd unseen(2, 1);
  unseen << 7, 0;
  EXPECT_EQ(fit(labels, x, y, options).predictMean(unseen)[0], 0);
  // The label that sorts last is found too.
  y = (x.row(0).array() == 2).cast<double>().matrix().transpose();
  EXPECT_EQ(fit(labels, x, y, options).predictMean(x), y);
}

TEST(RandomForestTest, SmallestSizes) {
  VectorXd one = VectorXd::Constant(1, 2.5);
  Prediction prediction =
      fit(plane, MatrixXd::Zero(2, 1), one).predict(MatrixXd::Ones(2, 3));
  EXPECT_EQ(prediction.mean, VectorXd::Constant(3, 2.5));
  EXPECT_EQ(prediction.variance, VectorXd::Zero(3));
  EXPECT_EQ(
      fit(plane, MatrixXd::Zero(2, 1), one).predictMean(MatrixXd(2, 0)).size(),
      0);
  EXPECT_EQ(fit({}, MatrixXd(0, 1), one).predictMean(MatrixXd(0, 1))[0], 2.5);
}

TEST(RandomForestTest, SameSeedSameForest) {
  Random random(5);
  MatrixXd x = uniformPoints(60, random), test = uniformPoints(20, random);
  VectorXd y = x.row(0).transpose() * 3;
  EXPECT_EQ(fit(plane, x, y).predictMean(test),
            fit(plane, x, y).predictMean(test));
}

TEST(RandomForestTest, NeighboringDoublesAreSplit) {
  MatrixXd x = MatrixXd::Zero(2, 2);
  x(0, 0) = 1;
  x(0, 1) = std::nextafter(1.0, 2.0);
  VectorXd y(2);
  y << 0, 1;
  ForestOptions options;
  options.bootstrap = false;
  EXPECT_EQ(fit(plane, x, y, options).predictMean(x), y);
}
