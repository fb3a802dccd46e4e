//===- FittedProcessTest.cpp - Tests of the search's process --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/FittedProcess.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::search;
using Eigen::MatrixXd;
using Eigen::VectorXd;

static const FeatureLayout plane{{{0, 1, false}, {1, 1, false}}, 2};

static MatrixXd uniformPoints(int n, Random &random) {
  MatrixXd x(2, n);
  for (double &value : x.reshaped())
    value = random.uniform();
  return x;
}

static VectorXd wave(const MatrixXd &x) {
  return (5 * x.row(0).array() + x.row(1).array()).sin().matrix().transpose();
}

TEST(FittedProcessTest, LearnsASmoothFunction) {
  Random random(1);
  MatrixXd x = uniformPoints(60, random), test = uniformPoints(30, random);
  FittedProcess process(plane);
  process.update(x, wave(x), MatrixXd(2, 0), random);
  Prediction prediction = process.process().predict(test);
  EXPECT_LT((prediction.mean - wave(test)).cwiseAbs().maxCoeff(), 0.3);
}

TEST(FittedProcessTest, PendingPointsAreBelieved) {
  Random random(2);
  MatrixXd x = uniformPoints(10, random), pending(2, 1);
  pending << 0.9, 0.9;
  FittedProcess with(plane), without(plane);
  Random first(3), second(3);
  without.update(x, wave(x), MatrixXd(2, 0), first);
  with.update(x, wave(x), pending, second);
  Prediction before = without.process().predict(pending);
  Prediction after = with.process().predict(pending);
  EXPECT_NEAR(after.mean[0], before.mean[0], 1e-9);
  EXPECT_LT(after.variance[0], before.variance[0]);
  // Once it is known, it is no longer believed.
  EXPECT_EQ(with.process().size(), 11);
  with.update(x, wave(x), MatrixXd(2, 0), second);
  EXPECT_EQ(with.process().predict(pending).variance, before.variance);
}

/// A process that takes up another's state goes on with the same bits.
TEST(FittedProcessTest, StateIsExact) {
  Random random(4);
  MatrixXd x = uniformPoints(100, random), test = uniformPoints(10, random);
  FittedProcess process(plane);
  EXPECT_EQ(process.state(), "");
  for (int n = 2; n < 100; ++n) {
    FittedProcess resumed(plane);
    ASSERT_TRUE(resumed.takeUp(process.state()));
    EXPECT_EQ(resumed.state(), process.state());
    Random first(5, n), second(5, n);
    MatrixXd pending = x.col(n);
    process.update(x.leftCols(n), wave(x.leftCols(n)), pending, first);
    resumed.update(x.leftCols(n), wave(x.leftCols(n)), pending, second);
    EXPECT_EQ(process.state(), resumed.state());
    EXPECT_EQ(process.process().predict(test).mean,
              resumed.process().predict(test).mean);
    EXPECT_EQ(process.process().predict(test).variance,
              resumed.process().predict(test).variance);
  }
}

/// Observations that come late, among others, change rows in the middle.
TEST(FittedProcessTest, PointsMayBeInserted) {
  Random random(6);
  MatrixXd x = uniformPoints(21, random), fewer(2, 20);
  fewer << x.leftCols(5), x.rightCols(15);
  FittedProcess process(plane), once(plane);
  process.update(fewer, wave(fewer), MatrixXd(2, 0), random);
  ASSERT_TRUE(once.takeUp(process.state()));
  Random first(7), second(7);
  process.update(x, wave(x), MatrixXd(2, 0), first);
  once.update(x, wave(x), MatrixXd(2, 0), second);
  EXPECT_EQ(process.process().predict(x).mean, once.process().predict(x).mean);
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
