//===- FittedProcessTest.cpp - Tests of the search's process --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/FittedProcess.h"
#include "TestPoints.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::search;
using Eigen::MatrixXd;
using Eigen::VectorXd;

static VectorXd wave(const MatrixXd &x) {
  return (5 * x.row(0).array() + x.row(1).array()).sin().matrix().transpose();
}

TEST(FittedProcessTest, LearnsASmoothFunction) {
  Random random(1);
  MatrixXd x = uniformPoints(60, random), test = uniformPoints(30, random);
  FittedProcess process(plane);
  process.update(x, wave(x), MatrixXd(2, 0), x.cols(), random);
  Prediction prediction = process.processes()[0].predict(test);
  EXPECT_LT((prediction.mean - wave(test)).cwiseAbs().maxCoeff(), 0.3);
}

TEST(FittedProcessTest, PendingPointsAreBelieved) {
  Random random(2);
  MatrixXd x = uniformPoints(10, random), pending(2, 1);
  pending << 0.9, 0.9;
  FittedProcess with(plane), without(plane);
  Random first(3), second(3);
  without.update(x, wave(x), MatrixXd(2, 0), x.cols(), first);
  with.update(x, wave(x), pending, x.cols(), second);
  Prediction before = without.processes()[0].predict(pending);
  Prediction after = with.processes()[0].predict(pending);
  EXPECT_NEAR(after.mean[0], before.mean[0], 1e-9);
  EXPECT_LT(after.variance[0], before.variance[0]);
  // Once it is known, it is no longer believed.
  EXPECT_EQ(with.processes()[0].size(), 11);
  with.update(x, wave(x), MatrixXd(2, 0), x.cols(), second);
  EXPECT_EQ(with.processes()[0].predict(pending).variance, before.variance);
}

/// Draws of the posterior differ; fits are one; with many observations there is
/// one as well.
TEST(FittedProcessTest, NumberOfModels) {
  Random random(8);
  MatrixXd x = uniformPoints(140, random);
  auto modelsOf = [&](HyperparameterFit method, int n) {
    ProcessFitOptions options;
    options.method = method;
    FittedProcess process(plane, options);
    process.update(x.leftCols(n), wave(x.leftCols(n)), MatrixXd(2, 0), n,
                   random);
    return process.processes();
  };
  EXPECT_EQ(modelsOf(HyperparameterFit::Multistart, 20).size(), 1u);
  EXPECT_EQ(modelsOf(HyperparameterFit::SingleStart, 20).size(), 1u);
  EXPECT_EQ(modelsOf(HyperparameterFit::Sampling, 140).size(), 1u);
  std::vector<GaussianProcess> several =
      modelsOf(HyperparameterFit::Sampling, 20);
  ASSERT_GT(several.size(), 1u);
  EXPECT_NE(several[0].hyperparameters().values,
            several[1].hyperparameters().values);
}

/// A process that takes up another's state goes on with the same bits.
TEST(FittedProcessTest, StateIsExact) {
  Random random(4);
  MatrixXd x = uniformPoints(100, random), test = uniformPoints(10, random);
  FittedProcess process(plane);
  EXPECT_EQ(process.state(), "");
  for (int n = 2; n < 80; ++n) {
    // Fits become rarer after 64 observations.
    if (n == 8)
      n = 60;
    FittedProcess resumed(plane);
    ASSERT_TRUE(resumed.takeUp(process.state()));
    EXPECT_EQ(resumed.state(), process.state());
    Random first(5, n), second(5, n);
    MatrixXd pending = x.col(n);
    process.update(x.leftCols(n), wave(x.leftCols(n)), pending, n, first);
    resumed.update(x.leftCols(n), wave(x.leftCols(n)), pending, n, second);
    EXPECT_EQ(process.state(), resumed.state());
    ASSERT_EQ(process.processes().size(), resumed.processes().size());
    for (size_t k = 0; k < process.processes().size(); ++k) {
      Prediction one = process.processes()[k].predict(test);
      Prediction other = resumed.processes()[k].predict(test);
      EXPECT_EQ(one.mean, other.mean);
      EXPECT_EQ(one.variance, other.variance);
    }
  }
}

/// Observations that come late, among others, change rows in the middle.
TEST(FittedProcessTest, PointsMayBeInserted) {
  Random random(6);
  MatrixXd x = uniformPoints(21, random), fewer(2, 20);
  fewer << x.leftCols(5), x.rightCols(15);
  FittedProcess process(plane), once(plane);
  process.update(fewer, wave(fewer), MatrixXd(2, 0), fewer.cols(), random);
  ASSERT_TRUE(once.takeUp(process.state()));
  Random first(7), second(7);
  process.update(x, wave(x), MatrixXd(2, 0), x.cols(), first);
  once.update(x, wave(x), MatrixXd(2, 0), x.cols(), second);
  EXPECT_EQ(process.processes()[0].predict(x).mean,
            once.processes()[0].predict(x).mean);
}

TEST(FittedProcessTest, RejectsOtherStates) {
  FittedProcess process(plane);
  EXPECT_TRUE(process.takeUp(""));
  EXPECT_TRUE(process.takeUp("gp 3 1p+0 -1.8p+1 0p+0 1p-3"));
  for (const char *state :
       {"rf 3 1p+0 1p+0 1p+0 1p+0", "gp", "gp x 1p+0 1p+0 1p+0 1p+0",
        "gp 0 1p+0 1p+0 1p+0 1p+0", "gp 3 1p+0 1p+0 1p+0",
        "gp 3 1p+0 1p+0 1p+0 1p+0 1p+0", "gp 3 1p+0 1p+0 1p+0 nan",
        "gp 3 1p+0 1p+0 1p+0 1p+0x", "gp 3 1p+0 1p+0 1p+0 inf"}) {
    Result<void> taken = process.takeUp(state);
    ASSERT_FALSE(taken) << state;
    EXPECT_EQ(taken.error().code, ErrorCode::InvalidArgument);
  }
}
