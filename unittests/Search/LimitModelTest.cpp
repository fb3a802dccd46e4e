//===- LimitModelTest.cpp - Tests of the model of limits ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/LimitModel.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace baco;
using namespace baco::search;
using Eigen::MatrixXd;
using Eigen::VectorXd;

static const FeatureLayout oneFeature{{{0, 1, false}}, 1};
static const MatrixXd noneIsPending(1, 0);

namespace {
/// Points of [0, 1], and their shares of two limits: the border of the first is
/// at 0.5, the second is never exceeded.
struct LimitTrials {
  MatrixXd x = VectorXd::LinSpaced(9, 0, 1).transpose();
  MatrixXd usage{9, 2};
  LimitTrials() {
    usage.col(0) = (4 * (x.row(0).array() - 0.5)).exp();
    usage.col(1).setConstant(0.3);
  }
};
} // namespace

static MatrixXd pointAt(double x) { return MatrixXd::Constant(1, 1, x); }

TEST(LimitModelTest, LearnsTheBorder) {
  LimitTrials trials;
  Random random(1);
  LimitModel model(oneFeature);
  model.update(trials.x, trials.usage, noneIsPending, 9, random);
  EXPECT_FALSE(model.isEmpty());
  EXPECT_GT(model.logProbability(pointAt(0.4))[0], std::log(0.95));
  EXPECT_LT(model.logProbability(pointAt(0.6))[0], std::log(0.05));
  EXPECT_NEAR(model.logProbability(pointAt(0.5))[0], std::log(0.5), 0.5);
  // Only the limit that was exceeded has a process.
  EXPECT_EQ(model.state().find("0 gp 9 "), 0u);
  EXPECT_EQ(model.state().find('|'), std::string::npos);
}

TEST(LimitModelTest, NothingIsModeledBeforeALimitIsExceeded) {
  LimitTrials trials;
  Random random(1), untouched(1);
  LimitModel model(oneFeature);
  model.update(trials.x.leftCols(5), trials.usage.topRows(5), noneIsPending, 5,
               random);
  EXPECT_TRUE(model.isEmpty());
  EXPECT_EQ(model.state(), "");
  EXPECT_EQ(random.uniform(), untouched.uniform());
  // Nor without trials.
  model.update(noneIsPending, MatrixXd(0, 0), noneIsPending, 0, random);
  EXPECT_TRUE(model.isEmpty());
}

/// Usage of 0, and the same of all, are numbers as others.
TEST(LimitModelTest, OddUsage) {
  LimitTrials trials;
  Random random(1);
  trials.usage.col(0).setConstant(2);
  trials.usage(0, 1) = 0;
  trials.usage(8, 1) = 5;
  LimitModel model(oneFeature);
  model.update(trials.x, trials.usage, noneIsPending, 9, random);
  EXPECT_TRUE(std::isfinite(model.logProbability(pointAt(0.3))[0]));
  EXPECT_LT(model.logProbability(pointAt(0.3))[0], std::log(0.1));
}

TEST(LimitModelTest, StatesSurvive) {
  LimitTrials trials;
  trials.usage(3, 1) = 1.5;
  Random random(1);
  LimitModel model(oneFeature), other(oneFeature);
  model.update(trials.x, trials.usage, noneIsPending, 9, random);
  ASSERT_TRUE(other.takeUp(model.state()));
  EXPECT_EQ(other.state(), model.state());
  // No new fit is due.
  other.update(trials.x, trials.usage, noneIsPending, 9, random);
  EXPECT_EQ(other.logProbability(pointAt(0.45)),
            model.logProbability(pointAt(0.45)));

  for (const char *wrong :
       {"gp 9 0x1p+0", "0", "-1 gp 9", "0 gp 9 1p+0", "0gp 9 1p+0 1p+0 1p+0"}) {
    Result<void> taken = LimitModel(oneFeature).takeUp(wrong);
    ASSERT_FALSE(taken) << wrong;
    EXPECT_EQ(taken.error().code, ErrorCode::InvalidArgument);
  }
}
