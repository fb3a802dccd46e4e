//===- SimulatedAnnealingTest.cpp - Tests of annealing --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/SimulatedAnnealing.h"

#include "TestSpaces.h"

#include <algorithm>

using namespace baco;
using namespace baco::search;

TEST(SimulatedAnnealingTest, AcceptanceByHand) {
  EXPECT_EQ(acceptance(2, 2, 1, 4), 1);
  EXPECT_EQ(acceptance(2, 1.5, 1, 4), 1);
  // 4 % of the best cost worse, 10 %, and 8 % at twice the temperature.
  EXPECT_NEAR(acceptance(2, 2.04, 1, 4), std::exp(-1.0), 1e-12);
  EXPECT_NEAR(acceptance(3e-6, 3.2e-6, 2e-6, 4), std::exp(-2.5), 1e-12);
  EXPECT_NEAR(acceptance(-100, -92, -100, 8), std::exp(-1.0), 1e-12);
  EXPECT_EQ(acceptance(0, 1, 0, 4), 0);
  EXPECT_EQ(acceptance(1, INFINITY, 1, 4), 0);
  EXPECT_EQ(acceptance(INFINITY, 1, 1, 4), 1);
  EXPECT_EQ(acceptance(INFINITY, INFINITY, 0, 4), 1);
}

/// After the random start each point differs in one parameter from
/// one that was told before and wasn't much worse than the best: exp(-25) is
/// the probability to be at one that is twice as bad.
TEST(SimulatedAnnealingTest, MovesAroundGoodPoints) {
  std::vector<std::string> names = {"a", "b", "c", "d", "e", "f", "g", "h"};
  Space space = gridSpace(names, 8);
  SimulatedAnnealing search(space, 3);
  std::vector<std::pair<Configuration, double>> known;
  double best = INFINITY;
  for (int k = 0; k < 100; ++k) {
    Configuration c = get(search.ask())->configuration;
    bool isNear = k < 8;
    for (const auto &[other, cost] : known) {
      int differences = 0;
      for (size_t p = 0; p < c.size(); ++p)
        differences += c[p] != other[p];
      isNear |= differences == 1 && cost <= 2 * best;
    }
    EXPECT_TRUE(isNear) << k;
    double cost = 1;
    for (const ParameterValue &value : c)
      cost += std::abs(static_cast<double>(std::get<int64_t>(value)) - 3);
    ASSERT_TRUE(search.tell(k, {cost, true}));
    known.emplace_back(c, cost);
    best = std::min(best, cost);
  }
  // Random points cost 17 on the average, with a deviation of 3.7.
  EXPECT_LE(best, 5);
}

/// Two minima; a search that stays in the one that it came to first finds the
/// better one in half of the cases, and random draws hardly ever.
TEST(SimulatedAnnealingTest, LeavesLocalMinima) {
  Space space = gridSpace({"a", "b", "c", "d", "e", "f"}, 5);
  int found = 0;
  for (int seed = 0; seed < 30; ++seed) {
    SimulatedAnnealing search(space, seed);
    for (int k = 0; k < 300; ++k) {
      Configuration c = get(search.ask())->configuration;
      auto distance = [&](int64_t value) {
        return static_cast<double>(
            c.size() - std::count(c.begin(), c.end(), ParameterValue(value)));
      };
      double cost = std::min(2 + distance(0), 1 + 1.3 * distance(4));
      ASSERT_TRUE(search.tell(k, {cost, true}));
      found += cost == 1;
    }
  }
  EXPECT_GE(found, 25);
}
