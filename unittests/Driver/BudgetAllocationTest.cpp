//===- BudgetAllocationTest.cpp - Tests of sharing a budget
//-----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BudgetAllocation.h"

#include "baco/Support/Random.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace baco;
using namespace baco::driver;

static std::vector<uint64_t> share(std::vector<Share> shares, uint64_t budget) {
  shareBudget(shares, budget);
  std::vector<uint64_t> granted;
  for (const Share &share : shares)
    granted.push_back(share.granted);
  return granted;
}

using Grants = std::vector<uint64_t>;

TEST(BudgetAllocationTest, TheRestGoesByWeight) {
  // 10 each, then 80 by 3 : 1.
  EXPECT_EQ(share({{3}, {1}}, 100), (Grants{70, 30}));
  EXPECT_EQ(share({{1}, {1}, {1}}, 120), (Grants{40, 40, 40}));
}

TEST(BudgetAllocationTest, LightKernelsKeepTheLeast) {
  EXPECT_EQ(share({{1e9}, {1}}, 100), (Grants{90, 10}));
}

TEST(BudgetAllocationTest, SmallBudgetsAreSplitEqually) {
  EXPECT_EQ(share({{3}, {1}}, 4), (Grants{2, 2}));
  // Of a rest, the heaviest gets it.
  EXPECT_EQ(share({{1}, {3}}, 5), (Grants{2, 3}));
}

TEST(BudgetAllocationTest, EachGetsOneEvenBeyondTheBudget) {
  EXPECT_EQ(share({{3}, {1}, {1}}, 1), (Grants{1, 1, 1}));
}

TEST(BudgetAllocationTest, SharesAboveALimitGoToOthers) {
  EXPECT_EQ(share({{3, 12}, {1}}, 100), (Grants{12, 88}));
  EXPECT_EQ(share({{3, 4}, {1, 5}}, 100), (Grants{4, 5}));
}

TEST(BudgetAllocationTest, RemaindersGoToTheFirstOfSeveralAlike) {
  EXPECT_EQ(share({{1}, {1}, {1}}, 32), (Grants{11, 11, 10}));
}

TEST(BudgetAllocationTest, OnlyOpenOnesAreGrantedMore) {
  std::vector<Share> shares = {{3}, {1}, {1}};
  EXPECT_EQ(grantByWeight(shares, {false, true, true}, 10), 0u);
  EXPECT_EQ(shares[0].granted, 0u);
  EXPECT_EQ(shares[1].granted, 5u);
  EXPECT_EQ(shares[2].granted, 5u);
  EXPECT_EQ(grantByWeight(shares, {false, false, false}, 10), 10u);
}

/// Whatever the weights: nothing is lost, nothing exceeds its room, and who
/// has more weight and as much room gets as much or more.
TEST(BudgetAllocationTest, RandomSharesAddUp) {
  Random random(7);
  for (int run = 0; run < 2000; ++run) {
    std::vector<Share> shares(1 + random.below(6));
    uint64_t room = 0;
    for (Share &share : shares) {
      share.weight = std::exp(20 * random.uniform() - 10);
      share.room = 1 + random.below(100);
      room += share.room;
    }
    uint64_t budget = shares.size() + random.below(300);
    shareBudget(shares, budget);
    uint64_t sum = 0;
    for (const Share &share : shares) {
      EXPECT_GE(share.granted, 1u);
      EXPECT_LE(share.granted, share.room);
      sum += share.granted;
      for (const Share &other : shares)
        if (share.weight >= other.weight && share.room >= other.room)
          EXPECT_GE(share.granted + 1, other.granted);
    }
    EXPECT_EQ(sum, std::min(budget, room));
  }
}
