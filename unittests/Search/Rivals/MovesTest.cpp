//===- MovesTest.cpp - Tests of random changes ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/Moves.h"

#include "TestSpaces.h"

#include <map>

using namespace baco;
using namespace baco::search;

static size_t numDifferences(const Point &a, const Point &b) {
  size_t number = 0;
  for (size_t p = 0; p < a.size(); ++p)
    number += a[p] != b[p];
  return number;
}

TEST(MovesTest, CoordinatesAreUniform) {
  Random random(3);
  Parameter six = get(Parameter::integer("i", 10, 20, 2));
  std::map<double, int> counts;
  for (int draw = 0; draw < 6000; ++draw)
    ++counts[randomCoordinate(six, random)];
  EXPECT_EQ(counts.size(), 6u);
  // Four standard deviations of a binomial with mean 1000.
  for (const auto &[coordinate, count] : counts)
    EXPECT_NEAR(count, 1000, 116);
  Parameter real = get(Parameter::real("r", -3, 5));
  double sum = 0;
  for (int draw = 0; draw < 4000; ++draw) {
    double value = randomCoordinate(real, random);
    EXPECT_TRUE(value >= -3 && value < 5);
    sum += value;
  }
  // Four standard errors of the mean of a uniform distribution.
  EXPECT_NEAR(sum / 4000, 1, 4 * 8 / std::sqrt(12 * 4000.0));
}

/// c exists if b, which exists if a.
TEST(MovesTest, InactiveParametersSettle) {
  Parameter b = get(Parameter::boolean("b"));
  Parameter c = get(Parameter::integer("c", 0, 9));
  c.defaultValue = int64_t(4);
  Space space = get(Space::create({c, b, get(Parameter::boolean("a"))}, {},
                                  {{"b", get(Expression::parse("a"))},
                                   {"c", get(Expression::parse("b"))}}));
  for (auto [point, expected] : std::map<Point, Point>{
           {{7, 1, 1}, {7, 1, 1}},
           {{7, 0, 1}, {4, 0, 1}},
           {{7, 1, 0}, {4, 0, 0}},
       }) {
    Point settled = point;
    settleInactive(space, settled);
    EXPECT_EQ(settled, expected);
    EXPECT_TRUE(space.isFeasible(settled));
  }
}

TEST(MovesTest, OneValueChanges) {
  Space space = mixedSpace();
  Random random(4);
  std::map<size_t, int> changes;
  std::set<Point> reached;
  Point from = space.at(0);
  for (int draw = 0; draw < 5000; ++draw) {
    std::optional<Point> to = changeOneValue(space, from, random);
    ASSERT_TRUE(to);
    EXPECT_TRUE(space.isFeasible(*to));
    ASSERT_EQ(numDifferences(from, *to), 1u);
    reached.insert(*to);
    for (size_t p = 0; p < from.size(); ++p)
      changes[p] += from[p] != (*to)[p];
  }
  // At size 8 and depth 1: 3 other sizes, 4 depths, 1 flag, 2 modes, 23 orders.
  EXPECT_EQ(reached.size(), 33u);
  // Four standard deviations of a binomial with mean 1000.
  for (const auto &[p, count] : changes)
    EXPECT_NEAR(count, 1000, 114);
}

/// A long range, a large permutation and a real: any value, a swap, anything.
TEST(MovesTest, LargeParametersChange) {
  Space space = get(Space::create({get(Parameter::integer("i", 0, 99999)),
                                   get(Parameter::permutation("p", 9)),
                                   get(Parameter::real("r", 0, 1))}));
  Random random(4);
  Point from = space.sample(random);
  auto order = [&](const Point &point) {
    return std::get<Permutation>(space.toConfiguration(point)[1]);
  };
  double farthest = 0;
  for (int draw = 0; draw < 60; ++draw) {
    std::optional<Point> to = changeOneValue(space, from, random);
    ASSERT_TRUE(to);
    EXPECT_EQ(numDifferences(from, *to), 1u);
    farthest = std::max(farthest, std::abs(from[0] - (*to)[0]));
    int numMoved = 0;
    for (int k = 0; k < 9; ++k)
      numMoved += order(from)[k] != order(*to)[k];
    EXPECT_TRUE(numMoved == 0 || numMoved == 2);
  }
  EXPECT_GT(farthest, 20000);
}

/// Two of 4000 values go with the point: random draws miss them more often than
/// not.
TEST(MovesTest, RareValuesAreFoundNearby) {
  Space space = get(Space::create({get(Parameter::integer("x", 0, 3999)),
                                   get(Parameter::integer("y", 0, 3999))},
                                  {constraint("x - y <= 1 && y - x <= 1")}));
  Random random(4);
  for (int draw = 0; draw < 10; ++draw) {
    std::optional<Point> to = changeOneValue(space, {2000, 2000}, random);
    ASSERT_TRUE(to);
    EXPECT_TRUE(space.isFeasible(*to));
    EXPECT_EQ(numDifferences({2000, 2000}, *to), 1u);
  }
}

TEST(MovesTest, SomePointsCannotChange) {
  Random random(1);
  // No two of the feasible points differ in only one parameter.
  Space diagonal = get(Space::create(
      {get(Parameter::integer("x", 0, 9)), get(Parameter::integer("y", 0, 9))},
      {constraint("x == y")}));
  EXPECT_FALSE(changeOneValue(diagonal, {3, 3}, random));
  EXPECT_FALSE(changeOneValue(gridSpace({"x"}, 1), {0}, random));
}
