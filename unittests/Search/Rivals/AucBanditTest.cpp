//===- AucBanditTest.cpp - Tests of the bandit ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/AucBandit.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace baco;
using namespace baco::search;

TEST(AucBanditTest, ScoresByHand) {
  AucBandit bandit(3);
  bandit.record(0, true);
  bandit.record(1, false);
  bandit.record(0, false);
  bandit.record(0, true);
  std::vector<double> scores = bandit.scores();
  // Arm 0 was pulled 3 times of 4 and found a best at its 1st and its 3rd:
  // 2 (1 + 3) / (3 * 4) = 2/3, and 0.05 sqrt(2 * 2 / 3). Arm 1: 0, and
  // 0.05 sqrt(2 * 2 / 1).
  EXPECT_NEAR(scores[0], 2.0 / 3 + 0.05 * 1.1547005383792515, 1e-15);
  EXPECT_NEAR(scores[1], 0.1, 1e-15);
  EXPECT_EQ(scores[2], INFINITY);
  Random random(1);
  EXPECT_EQ(bandit.ordered(random), (std::vector<size_t>{2, 0, 1}));
}

TEST(AucBanditTest, ForgetsWhatIsOutsideOfTheWindow) {
  AucBandit bandit(2, /*window=*/4, /*exploration=*/0.5);
  bandit.record(1, true);
  for (bool isNewBest : {true, false, true, false})
    bandit.record(0, isNewBest);
  // Only arm 0's four pulls are left: 2 (1 + 3) / (4 * 5), and
  // 0.5 sqrt(2 * 2 / 4).
  EXPECT_NEAR(bandit.scores()[0], 0.4 + 0.5, 1e-15);
  EXPECT_EQ(bandit.scores()[1], INFINITY);
  // The first of these leaves too, and the others move up:
  // 2 * 2 / (3 * 4), and 0.5 sqrt(2 * 2 / 3).
  bandit.record(1, false);
  EXPECT_NEAR(bandit.scores()[0], 1.0 / 3 + 0.5 * 1.1547005383792515, 1e-15);
}

TEST(AucBanditTest, TiesAreBrokenAtRandom) {
  AucBandit bandit(4);
  int first[4] = {};
  Random random(7);
  for (int draw = 0; draw < 4000; ++draw)
    ++first[bandit.ordered(random).front()];
  // Four standard deviations of a binomial with mean 1000.
  for (int count : first)
    EXPECT_NEAR(count, 1000, 110);
}
