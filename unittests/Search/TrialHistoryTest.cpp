//===- TrialHistoryTest.cpp - Tests of the ask and tell protocol ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/UniformSampler.h"

#include "TestSpaces.h"

#include <limits>

using namespace baco;
using namespace baco::search;

static const Observation good{1.5, true};

static std::string errorOf(Result<void> result) {
  return result ? "" : result.error().message;
}

TEST(TrialHistoryTest, TrialsAreNumberedInOrder) {
  UniformSampler sampler(gridSpace({"x", "y"}, 9), 1);
  for (uint64_t k = 0; k < 5; ++k) {
    auto suggestion = get(sampler.ask());
    ASSERT_TRUE(suggestion);
    EXPECT_EQ(suggestion->trial, k);
    EXPECT_EQ(suggestion->configuration.size(), 2u);
  }
  // In any order.
  EXPECT_TRUE(sampler.tell(3, good));
  EXPECT_TRUE(sampler.cancel(0));
  EXPECT_TRUE(sampler.tell(1, {-1e300, true}));
  EXPECT_TRUE(sampler.tell(
      2, {std::numeric_limits<double>::quiet_NaN(), /*feasible=*/false}));
}

TEST(TrialHistoryTest, OnlyPendingTrialsAreTold) {
  UniformSampler sampler(gridSpace({"x"}, 9), 1);
  EXPECT_EQ(errorOf(sampler.tell(0, good)),
            "trial 0 wasn't asked for: there are 0 trials");
  get(sampler.ask());
  get(sampler.ask());
  EXPECT_EQ(errorOf(sampler.cancel(2)),
            "trial 2 wasn't asked for: there are 2 trials");
  EXPECT_TRUE(sampler.tell(0, good));
  EXPECT_EQ(errorOf(sampler.tell(0, good)), "trial 0 was told before");
  EXPECT_EQ(errorOf(sampler.cancel(0)), "trial 0 was told before");
  EXPECT_TRUE(sampler.cancel(1));
  EXPECT_EQ(errorOf(sampler.tell(1, good)), "trial 1 was cancelled");
  EXPECT_EQ(errorOf(sampler.cancel(1)), "trial 1 was cancelled");
}

TEST(TrialHistoryTest, FeasibleObjectivesAreFinite) {
  UniformSampler sampler(gridSpace({"x"}, 9), 1);
  get(sampler.ask());
  for (double bad : {std::numeric_limits<double>::quiet_NaN(),
                     std::numeric_limits<double>::infinity()}) {
    Result<void> told = sampler.tell(0, {bad, true});
    ASSERT_FALSE(told);
    EXPECT_EQ(told.error().code, ErrorCode::InvalidArgument);
  }
  // It is still pending.
  EXPECT_TRUE(sampler.tell(0, good));
}

TEST(TrialHistoryTest, RestoreChecksEverythingFirst) {
  Space space = mixedSpace();
  Configuration right = space.toConfiguration(space.at(3));
  Configuration outside = right, violating = right;
  outside[1] = int64_t(77);
  violating[0] = int64_t(64);
  violating[1] = int64_t(5);
  const PastTrial fine{{0, right, ""}, good};
  const std::vector<PastTrial> wrong[] = {
      {{{1, right, ""}, good}},
      {fine, {{0, right, ""}, good}},
      {fine, {{1, outside, ""}, good}},
      {fine, {{1, violating, ""}, good}},
      {fine, {{1, {}, ""}, good}},
      {fine,
       {{1, right, ""},
        Observation{std::numeric_limits<double>::infinity(), true}}}};
  UniformSampler sampler(space, 1);
  for (const std::vector<PastTrial> &trials : wrong) {
    Result<void> restored = sampler.restore(trials);
    ASSERT_FALSE(restored);
    EXPECT_EQ(restored.error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(restored.error().message.find('\n'), std::string::npos);
  }
  EXPECT_TRUE(sampler.restore({}));
  EXPECT_TRUE(sampler.restore({fine}));
  // Only at the start.
  EXPECT_FALSE(sampler.restore({fine}));
  EXPECT_EQ(get(sampler.ask())->trial, 1u);
}

TEST(TrialHistoryTest, RestoredTrialsAreToldCancelledOrPending) {
  Space space = gridSpace({"x"}, 3);
  std::vector<PastTrial> trials;
  for (uint64_t k = 0; k < 3; ++k)
    trials.push_back({{k, space.toConfiguration(space.at(k)), ""}, {}});
  trials[0].observation = good;
  trials[2].isPending = true;
  UniformSampler sampler(space, 1);
  ASSERT_TRUE(sampler.restore(trials));
  EXPECT_EQ(errorOf(sampler.tell(0, good)), "trial 0 was told before");
  EXPECT_EQ(errorOf(sampler.tell(1, good)), "trial 1 was cancelled");
  EXPECT_TRUE(sampler.tell(2, good));
  EXPECT_FALSE(get(sampler.ask()));
}
