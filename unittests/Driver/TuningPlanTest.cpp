//===- TuningPlanTest.cpp - Tests of choosing among kernels -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/TuningPlan.h"
#include "baco/Driver/TuneOptions.h"

#include "gtest/gtest.h"

using namespace baco::driver;

/// A plan of kernels that run once and take so long; negative: unknown.
static TuningPlan planOf(const std::vector<double> &times,
                         const TuneOptions &options) {
  TuningPlan plan;
  for (double time : times) {
    PlannedKernel &one = plan.kernels.emplace_back();
    one.kernel = plan.kernels.size() - 1;
    one.calls = 1;
    if (time >= 0)
      one.estimatedNs = time;
  }
  plan.complete(options);
  return plan;
}

static std::vector<bool> chosen(const TuningPlan &plan) {
  std::vector<bool> all;
  for (const PlannedKernel &one : plan.kernels)
    all.push_back(one.isChosen);
  return all;
}

TEST(TuningPlanTest, AllAreChosenUnlessOptionsSayOtherwise) {
  TuningPlan plan = planOf({1, 0, 7, -1}, TuneOptions());
  EXPECT_EQ(plan.numChosen(), 4u);
  // The mean of the others, 8/3, stands for what is unknown.
  EXPECT_NEAR(plan.kernels[2].share, 7 / (8 + 8.0 / 3), 1e-12);
  EXPECT_NEAR(plan.kernels[3].share, 0.25, 1e-12);
}

TEST(TuningPlanTest, TopTakesTheLargestAndOfEqualOnesTheFirst) {
  TuneOptions options;
  options.top = 2;
  EXPECT_EQ(chosen(planOf({1, 5, 5, 5}, options)),
            (std::vector<bool>{false, true, true, false}));
  options.top = 9;
  EXPECT_EQ(planOf({1, 5}, options).numChosen(), 2u);
}

TEST(TuningPlanTest, ShareTakesAsFewAsCoverIt) {
  TuneOptions options;
  options.share = 0.8;
  EXPECT_EQ(chosen(planOf({10, 20, 50, 20}, options)),
            (std::vector<bool>{false, true, true, true}));
  options.share = 0.7;
  EXPECT_EQ(chosen(planOf({10, 20, 50, 20}, options)),
            (std::vector<bool>{false, true, true, false}));
  options.share = 1e-6;
  EXPECT_EQ(planOf({10, 20, 50, 20}, options).numChosen(), 1u);
}

TEST(TuningPlanTest, CallsAndCopiesCount) {
  TuneOptions options;
  options.top = 1;
  TuningPlan plan;
  plan.kernels = {{.kernel = 0, .count = 1, .calls = 1, .estimatedNs = 10},
                  {.kernel = 1, .count = 2, .calls = 6, .estimatedNs = 2},
                  {.kernel = 3, .count = 4, .calls = {}, .estimatedNs = 2}};
  plan.complete(options);
  EXPECT_EQ(chosen(plan), (std::vector<bool>{false, true, false}));
  EXPECT_NEAR(plan.kernels[2].share, 8 / 30.0, 1e-12);
}

// Nothing is timed or compared again.
TEST(TuningPlanTest, StaticCostsTakeLessTime) {
  TuneOptions options;
  double timed = planOf({1, 2}, options).seconds;
  options.evaluator = "static";
  double computed = planOf({1, 2}, options).seconds;
  EXPECT_LT(computed, timed);
  options.measure.timing.trialMs *= 10;
  options.measure.timing.comparisonMs *= 10;
  EXPECT_EQ(planOf({1, 2}, options).seconds, computed);
}

TEST(TuningPlanTest, SmallSpacesTakeLessTime) {
  TuneOptions options;
  auto secondsOf = [&](std::optional<uint64_t> numConfigurations) {
    TuningPlan plan;
    plan.kernels = {{.kernel = 0,
                     .estimatedNs = 1000,
                     .numConfigurations = numConfigurations}};
    plan.complete(options);
    return plan.seconds;
  };
  // A trial is timed for 50 ms at most.
  EXPECT_GT(secondsOf(60) - secondsOf(10), 50 * 0.025);
  EXPECT_LT(secondsOf(60) - secondsOf(10), 50 * 0.100);
  EXPECT_EQ(secondsOf(60), secondsOf(1000000));
  EXPECT_EQ(secondsOf(60), secondsOf(std::nullopt));
}

TEST(TuningPlanTest, SharedBudgetsAreSpentOnce) {
  TuneOptions options;
  options.stop = "cost(1)";
  double shared = planOf({1000, 1000}, options).seconds;
  options.isBudgetPerKernel = true;
  double each = planOf({1000, 1000}, options).seconds;
  EXPECT_GT(each - shared, 60 * 0.025);
  EXPECT_LT(each - shared, 60 * 0.100);
}

TEST(TuningPlanTest, KernelsWithoutGainTakeLessTime) {
  TuneOptions options;
  options.isBudgetPerKernel = true;
  double sooner = planOf({1000, 1000}, options).seconds,
         alone = planOf({1000}, options).seconds;
  options.stop = "cost(1)";
  // 40 evaluations of each instead of 60.
  double whole = planOf({1000, 1000}, options).seconds;
  EXPECT_GT(whole - sooner, 40 * 0.025);
  EXPECT_LT(whole - sooner, 40 * 0.100);
  // One kernel has them all.
  EXPECT_EQ(planOf({1000}, options).seconds, alone);
}

TEST(TuningPlanTest, LongKernelsTakeAsLongAsTheyRun) {
  double quick = planOf({1e3}, TuneOptions()).seconds;
  double slow = planOf({1e9}, TuneOptions()).seconds;
  // Each trial runs them several times.
  EXPECT_GT(slow, quick + 60 * 3);
}

TEST(TuningPlanTest, NothingThatTakesTimeIsSharedEqually) {
  TuningPlan plan = planOf({0, 0}, TuneOptions());
  EXPECT_EQ(plan.numChosen(), 2u);
  EXPECT_NEAR(plan.kernels[0].share, 0.5, 1e-12);
  EXPECT_GT(plan.seconds, 0);
}
