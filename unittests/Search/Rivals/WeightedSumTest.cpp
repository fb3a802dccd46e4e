//===- WeightedSumTest.cpp - Tests of combinations of points --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/WeightedSum.h"

#include "TestSpaces.h"
#include "baco/Expression/Permutation.h"

using namespace baco;
using namespace baco::search;

/// The combination of two coordinates of a parameter.
static double mix(const Parameter &parameter, double weightA, double a,
                  double weightB, double b, uint64_t seed = 1) {
  Random random(seed);
  Point first = {a}, second = {b};
  Term terms[] = {{weightA, &first}, {weightB, &second}};
  return combine(parameter, 0, terms, random);
}

TEST(WeightedSumTest, NumbersCombineByIndex) {
  Parameter size = get(Parameter::ordinal(
      "s", {int64_t(1), int64_t(2), int64_t(4), int64_t(8), int64_t(100)}));
  EXPECT_EQ(mix(size, 2, 2, -1, 1), 3);
  EXPECT_EQ(mix(size, 3, 2, -2, 1), 4);
  EXPECT_EQ(mix(size, 2, 2, -1, 4), 0);
  // Not beyond the ends.
  EXPECT_EQ(mix(size, 2, 4, -1, 1), 4);
  EXPECT_EQ(mix(size, 2, 1, -1, 4), 0);
  // Halves go to the first term.
  EXPECT_EQ(mix(size, 0.5, 1, 0.5, 2), 1);
  EXPECT_EQ(mix(size, 0.5, 2, 0.5, 1), 2);
  EXPECT_EQ(mix(size, 0.5, 0, 0.5, 3), 1);
  EXPECT_EQ(mix(size, 0.5, 3, 0.5, 0), 2);
}

TEST(WeightedSumTest, RealsCombineOnTheirScale) {
  Parameter plain = get(Parameter::real("r", -10, 10));
  EXPECT_NEAR(mix(plain, 2, 1, -1, 4), -2, 1e-12);
  EXPECT_EQ(mix(plain, 2, 8, -1, 0), 10);
  // The geometric mean.
  Parameter log = get(Parameter::real("r", 1, 1000, /*log=*/true));
  EXPECT_NEAR(mix(log, 0.5, 2, 0.5, 8), 4, 1e-12);
}

TEST(WeightedSumTest, PermutationsCombineByPosition) {
  Parameter order = get(Parameter::permutation("p", 4));
  auto of = [&](Permutation p) { return order.coordinate(rankOf(p)); };
  // Positions of 0 1 2 3: twice (0 1 2 3) less (1 0 3 2) is (-1 2 1 4).
  EXPECT_EQ(mix(order, 2, of({0, 1, 2, 3}), -1, of({1, 0, 3, 2})),
            of({0, 2, 1, 3}));
  // Twice (0 1 2 3) less (3 0 1 2) is (-3 2 3 4).
  EXPECT_EQ(mix(order, 2, of({0, 1, 2, 3}), -1, of({1, 2, 3, 0})),
            of({0, 1, 2, 3}));
  // The mean of (0 1 2 3) and (1 0 3 2) has ties: the first term decides.
  EXPECT_EQ(mix(order, 0.5, of({0, 1, 2, 3}), 0.5, of({1, 0, 3, 2})),
            of({0, 1, 2, 3}));
  EXPECT_EQ(mix(order, 0.5, of({1, 0, 3, 2}), 0.5, of({0, 1, 2, 3})),
            of({1, 0, 3, 2}));
  // The mean of (0 1 2 3) and (3 1 2 0) is (1.5 1 2 1.5).
  EXPECT_EQ(mix(order, 0.5, of({0, 1, 2, 3}), 0.5, of({3, 1, 2, 0})),
            of({1, 0, 3, 2}));
}

/// Halving the way to another order ends there.
TEST(WeightedSumTest, HalvedOrdersConverge) {
  Parameter order = get(Parameter::permutation("p", 5));
  for (uint64_t k = 0; k < order.size(); ++k) {
    double goal = order.coordinate((k * 31) % order.size());
    double moving = order.coordinate(k);
    for (int step = 0; step < 10; ++step)
      moving = mix(order, 0.5, goal, 0.5, moving);
    EXPECT_EQ(moving, goal);
  }
}

/// 2 : 1 in 3000 draws; the standard deviation is 26.
TEST(WeightedSumTest, CategoriesAreDrawnByWeight) {
  Parameter mode = get(Parameter::categorical(
      "m", {std::string("a"), std::string("b"), std::string("c")}));
  int first = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    double drawn = mix(mode, 2, 2, -1, 0, seed);
    EXPECT_TRUE(drawn == 2 || drawn == 0);
    first += drawn == 2;
  }
  EXPECT_NEAR(first, 2000, 4 * 26);
}

TEST(WeightedSumTest, InadmissiblePointsGoToTheNearest) {
  Parameter x = get(Parameter::integer("x", 0, 10));
  Parameter y = get(Parameter::integer("y", 0, 10));
  Space space =
      get(Space::create({x, y}, {constraint("x == 0 || x + y == 10")}));
  Random random(1);
  Point a = {4, 6}, b = {0, 5};
  Term terms[] = {{2, &a}, {-1, &b}};
  // (8, 7) is 5 steps from (3, 7) and (8, 2), but also from those between, and
  // 8 from (0, 7).
  Point point = combine(space, terms, random);
  EXPECT_TRUE(space.isFeasible(point));
  EXPECT_EQ(std::abs(point[0] - 8) + std::abs(point[1] - 7), 5);
}
