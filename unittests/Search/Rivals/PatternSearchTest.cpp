//===- PatternSearchTest.cpp - Tests of pattern search --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/PatternSearch.h"

#include "Ledger.h"
#include "TestSpaces.h"

#include <set>

using namespace baco;
using namespace baco::search;

/// The cross around a point, at a distance.
static std::set<Point> cross(const Point &p, double d) {
  return {
      {p[0] - d, p[1]}, {p[0] + d, p[1]}, {p[0], p[1] - d}, {p[0], p[1] + d}};
}

/// On 101 values, the shares 0.4, 0.2, ... are steps of 40, 20, 10, 5, 3 (2.5)
/// and 1.
TEST(PatternSearchTest, MovesTowardsTheOptimumInSmallerSteps) {
  PatternSearch search(gridSpace({"x", "y"}, 101));
  Ledger ledger(
      [](const Point &p) { return std::abs(p[0] - 50) + std::abs(p[1] - 43); });
  Random random(1);
  ledger.evaluate(Point{30, 50});
  auto next = [&] {
    std::vector<Point> batch = search.next(ledger.view(), random);
    ledger.evaluate(batch);
    return std::set<Point>(batch.begin(), batch.end());
  };
  EXPECT_EQ(next(), (std::set<Point>{{30, 50}}));
  // Within the range.
  EXPECT_EQ(next(), (std::set<Point>{{0, 50}, {70, 50}, {30, 10}, {30, 90}}));
  // (70, 50) was as good, but not better.
  EXPECT_EQ(next(), cross({30, 50}, 20));
  EXPECT_EQ(next(), cross({50, 50}, 20));
  EXPECT_EQ(next(), cross({50, 50}, 10));
  // (50, 40) is better by 4.
  EXPECT_EQ(next(), cross({50, 40}, 10));
  EXPECT_EQ(next(), cross({50, 40}, 5));
  // (50, 45) is better by 1.
  EXPECT_EQ(next(), cross({50, 45}, 5));
  EXPECT_EQ(next(), cross({50, 45}, 3));
  EXPECT_EQ(next(), cross({50, 42}, 3));
  EXPECT_EQ(next(), cross({50, 42}, 1));
  EXPECT_EQ(next(), cross({50, 43}, 1));
  // The center is the best of all: somewhere else.
  EXPECT_NE(next(), (std::set<Point>{{50, 43}}));
}

TEST(PatternSearchTest, ProbesAllKindsOfParameters) {
  Space space = mixedSpace();
  PatternSearch search(space);
  Ledger ledger(
      [&](const Point &p) { return mixedCost(space.toConfiguration(p)); });
  Random random(2);
  for (int k = 0; k < 400; ++k)
    for (const Point &point : search.next(ledger.view(), random)) {
      EXPECT_TRUE(space.isFeasible(point));
      ledger.evaluate(point);
    }
  EXPECT_EQ(*ledger.view().cost(*ledger.view().best), 1);
}
