//===- SpaceRealsTest.cpp - Tests of spaces with reals --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpaceTesting.h"

#include <cmath>

using namespace baco;
using namespace baco::testing;

TEST(SpaceRealsTest, CountIgnoresReals) {
  Space space = make(
      {*Parameter::integer("a", 1, 5), *Parameter::real("r", 0, 1)}, {"a > 2"});
  EXPECT_EQ(space.count(), "3");
  EXPECT_EQ(space.countIfSmall(), std::nullopt);
}

TEST(SpaceRealsTest, SamplesAreUniformUnderConstraints) {
  Space space = make({*Parameter::integer("a", 1, 2),
                      *Parameter::real("x", 0, 1), *Parameter::real("y", 0, 1)},
                     {"x + y <= a / 2"});
  Random random(1);
  constexpr int n = 20'000;
  int ones = 0;
  for (int i = 0; i < n; ++i) {
    Point point = space.sample(random);
    ASSERT_TRUE(space.isFeasible(point));
    ones += point[0] == 0;
  }
  // The areas are 1/8 and 1/2: a = 1 in a fifth of the volume. Deviation
  // sqrt(n 4/25) = 57; five of these.
  EXPECT_NEAR(ones, n / 5, 285);
}

TEST(SpaceRealsTest, LogScalesAreSampledInLogs) {
  Space space = make({*Parameter::real("x", 1, 10000, true)});
  Random random(2);
  int small = 0;
  for (int i = 0; i < 10'000; ++i)
    small += space.sample(random)[0] < 100;
  EXPECT_NEAR(small, 5000, 250);
}

TEST(SpaceRealsTest, EmptyAndTight) {
  auto create = [](const char *text) {
    return Space::create({*Parameter::real("x", 0, 1)}, constraints({text}));
  };
  Result<Space> empty = create("x > 2");
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().code, ErrorCode::EmptySpace);
  EXPECT_EQ(empty.error().message,
            "no configuration is feasible: constraint 'x > 2' is never true "
            "(no configuration met them in 100000 draws of the real "
            "parameters)");
  // One draw in 20000: sampling falls back to the point that create found.
  Result<Space> tight = create("x < 0.00005");
  ASSERT_TRUE(tight) << tight.error().message;
  Random random(3);
  for (int i = 0; i < 20; ++i)
    EXPECT_TRUE(tight->isFeasible(tight->sample(random)));
  EXPECT_TRUE(tight->isFeasible(tight->nearest({0.7})));
}

TEST(SpaceRealsTest, NeighborsAreSixCloseValues) {
  Space space = make(
      {*Parameter::real("x", 10, 110), *Parameter::real("y", 1, 10000, true)},
      {"x <= 60"});
  Random random(4);
  std::vector<Point> out;
  double sumX = 0, sumY = 0;
  int countX = 0, countY = 0;
  for (int i = 0; i < 2000; ++i) {
    space.neighbors({30, 100}, random, out);
    for (const Point &point : out) {
      EXPECT_NE(point[0] == 30, point[1] == 100);
      ASSERT_TRUE(space.isFeasible(point));
      if (point[1] == 100) {
        ++countX;
        sumX += std::pow((point[0] - 30) / 100, 2);
      } else {
        ++countY;
        sumY += std::pow(std::log10(point[1] / 100) / 4, 2);
      }
    }
  }
  EXPECT_EQ(countX, 12'000);
  EXPECT_EQ(countY, 12'000);
  // Deviation 0.03 of the range; that of the estimate is 1 / sqrt(24000) of it.
  EXPECT_NEAR(std::sqrt(sumX / countX), 0.03, 0.001);
  EXPECT_NEAR(std::sqrt(sumY / countY), 0.03, 0.001);
}

TEST(SpaceRealsTest, NeighborsStayInTheRange) {
  Space space =
      make({*Parameter::real("x", 0, 1), *Parameter::real("y", 2, 2)});
  Random random(5);
  std::vector<Point> out;
  space.neighbors({0, 2}, random, out);
  EXPECT_EQ(out.size(), 6u); // none for the constant
  for (const Point &point : out)
    EXPECT_GT(point[0], 0);
}

TEST(SpaceRealsTest, DiscreteNeighborsSeeRealConstraints) {
  Space space =
      make({*Parameter::integer("a", 0, 10), *Parameter::real("x", 0, 10)},
           {"a % 2 == 0", "abs(a - x) <= 5"});
  Random random(6);
  std::vector<Point> out;
  space.neighbors({4, 0.5}, random, out);
  ASSERT_FALSE(out.empty());
  EXPECT_EQ(out[0], (Point{2, 0.5}));
  for (const Point &point : out)
    EXPECT_NE(point[0], 6);
}

TEST(SpaceRealsTest, InactiveRealsHoldTheirDefaults) {
  Parameter x = *Parameter::real("x", 0, 1);
  x.defaultValue = ParameterValue(0.25);
  Space space = make({*Parameter::boolean("on"), x}, {}, {{"x", parse("on")}});
  Random random(7);
  int inactive = 0;
  for (int i = 0; i < 1000; ++i) {
    Point point = space.sample(random);
    ASSERT_TRUE(space.isFeasible(point));
    if (point[0] == 0) {
      EXPECT_EQ(point[1], 0.25);
      ++inactive;
    }
  }
  EXPECT_NEAR(inactive, 500, 80);
  EXPECT_FALSE(space.isFeasible({0, 0.5}));
  EXPECT_EQ(space.nearest({0, 0.5}), (Point{0, 0.25}));
  std::vector<Point> out;
  space.neighbors({1, 0.5}, random, out);
  ASSERT_EQ(out.size(), 7u);
  EXPECT_EQ(out[0], (Point{0, 0.25}));
  space.neighbors({0, 0.25}, random, out);
  EXPECT_EQ(out, (std::vector<Point>{{1, 0.25}}));
}
