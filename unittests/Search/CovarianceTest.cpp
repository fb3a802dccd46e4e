//===- CovarianceTest.cpp - Tests of the covariance function --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Encoding.h"

#include "TestSpaces.h"

#include <Eigen/Eigenvalues>

#include <cmath>

using namespace baco;
using namespace baco::search;
using Eigen::ArrayXXd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

static double matern(double r) {
  return matern52(ArrayXXd::Constant(1, 1, r * r))(0, 0);
}

TEST(CovarianceTest, Matern52MatchesClosedForm) {
  EXPECT_EQ(matern(0), 1);
  // (1 + sqrt 5 + 5/3) e^-sqrt 5 and the same at 1/2, by Python.
  EXPECT_NEAR(matern(1), 0.5239941088318203, 1e-15);
  EXPECT_NEAR(matern(0.5), 0.8286491424181255, 1e-15);
  EXPECT_EQ(matern(1e3), 0);
}

TEST(CovarianceTest, SlopeMatchesFiniteDifferences) {
  EXPECT_DOUBLE_EQ(matern52Slope(ArrayXXd::Zero(1, 1))(0, 0), -5.0 / 6);
  for (double r2 : {0.01, 0.3, 1.0, 7.0}) {
    double h = 1e-5 * r2;
    double slope =
        (matern(std::sqrt(r2 + h)) - matern(std::sqrt(r2 - h))) / (2 * h);
    EXPECT_NEAR(matern52Slope(ArrayXXd::Constant(1, 1, r2))(0, 0), slope, 1e-9);
  }
}

TEST(CovarianceTest, SquaredDistancesMatchTheDefinition) {
  FeatureLayout layout{{{0, 1, false}, {1, 1, true}, {2, 3, false}}, 5};
  Random random(1);
  MatrixXd a(5, 4), b(5, 3);
  for (double &value : a.reshaped())
    value = random.uniform();
  for (double &value : b.reshaped())
    value = random.uniform();
  a.row(1) << 0, 1, 2, 1;
  b.row(1) << 1, 2, 7;
  VectorXd weights(3);
  weights << 0.5, 2, 3;
  MatrixXd r2 = squaredDistances(layout, weights, a, b);
  ASSERT_EQ(r2.rows(), 4);
  ASSERT_EQ(r2.cols(), 3);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j)
      EXPECT_NEAR(r2(i, j),
                  0.5 * std::pow(a(0, i) - b(0, j), 2) +
                      2 * (a(1, i) != b(1, j)) +
                      3 * (a.col(i) - b.col(j)).tail(3).squaredNorm(),
                  1e-14);
  MatrixXd pairs = pairwiseDistances(layout, a);
  ASSERT_EQ(pairs.rows(), 6);
  MatrixXd own = squaredDistances(layout, weights, a, a);
  VectorXd expected(6);
  expected << own(1, 0), own(2, 0), own(3, 0), own(2, 1), own(3, 1), own(3, 2);
  EXPECT_LT((pairs * weights - expected).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(CovarianceTest, EmptySets) {
  FeatureLayout layout{{{0, 1, false}}, 1};
  MatrixXd none(1, 0), one = MatrixXd::Ones(1, 1);
  EXPECT_EQ(squaredDistances(layout, VectorXd::Ones(1), none, one).size(), 0);
  EXPECT_EQ(squaredDistances(layout, VectorXd::Ones(1), one, none).size(), 0);
  EXPECT_EQ(pairwiseDistances(layout, one).rows(), 0);
  EXPECT_EQ(pairwiseDistances(layout, none).rows(), 0);
}

static double minEigenvalue(const MatrixXd &K) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(K).eigenvalues().minCoeff();
}

/// The kernel over all orders of four loops has no negative eigenvalue, for any
/// metric and length scale.
TEST(CovarianceTest, IsPositiveSemidefiniteOnPermutations) {
  for (PermutationMetric metric :
       {PermutationMetric::Spearman, PermutationMetric::Kendall,
        PermutationMetric::Hamming, PermutationMetric::Naive}) {
    Space space =
        get(Space::create({get(Parameter::permutation("p", 4, metric))}));
    Encoding encoding(space);
    std::vector<Point> points;
    for (int k = 0; k < 24; ++k)
      points.push_back({double(k)});
    MatrixXd x = encoding.encode(points);
    for (double weight : {0.01, 0.5, 4.0, 100.0}) {
      MatrixXd r2 = squaredDistances(encoding.layout(),
                                     VectorXd::Constant(1, weight), x, x);
      MatrixXd K = matern52(r2.array());
      EXPECT_LT((K - K.transpose()).cwiseAbs().maxCoeff(), 1e-14);
      EXPECT_GT(minEigenvalue(K), -1e-12) << int(metric) << " " << weight;
    }
  }
}

/// Why permutation metrics aren't squared: then it would have one.
TEST(CovarianceTest, SquaredMetricsOfPermutationsAreNoKernel) {
  Parameter parameter =
      get(Parameter::permutation("p", 4, PermutationMetric::Spearman));
  MatrixXd squared(24, 24);
  for (int i = 0; i < 24; ++i)
    for (int j = 0; j < 24; ++j)
      squared(i, j) = std::pow(parameter.distance(i, j), 2);
  EXPECT_LT(minEigenvalue(matern52(squared.array())), -1e-3);
}
