//===- SlicesTest.cpp - Tests of slices -----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Slices.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace baco;
using namespace baco::search;

/// All feasible points of a space, and a function of them.
template <typename Function>
static std::vector<double> evaluate(const std::vector<Point> &points,
                                    Function function) {
  std::vector<double> values;
  for (const Point &point : points)
    values.push_back(function(point));
  return values;
}

static std::vector<Point> allPoints(const Space &space) {
  std::vector<Point> points;
  for (uint64_t k = 0; k < *space.countIfSmall(); ++k)
    points.push_back(space.at(k));
  return points;
}

TEST(SlicesTest, FollowAFunctionThatTheModelHasSeen) {
  Result<Space> space = Space::create(
      {*Parameter::integer("a", 0, 15), *Parameter::integer("b", 0, 7)});
  ASSERT_TRUE(space);
  std::vector<Point> points = allPoints(*space);
  std::vector<double> values = evaluate(points, [](const Point &p) {
    return std::exp(p[0] / 4 + (p[1] > 3 ? 1 : 0));
  });
  auto slices = findSlices(*space, points, values, {8, 0});
  ASSERT_TRUE(slices) << slices.error().message;
  ASSERT_EQ(slices->size(), 2u);
  ASSERT_EQ((*slices)[0].size(), 16u);
  ASSERT_EQ((*slices)[1].size(), 8u);
  for (const SlicePoint &point : (*slices)[0]) {
    EXPECT_NEAR(point.mean, std::exp(point.coordinate / 4), 0.25 * point.mean);
    EXPECT_LE(point.low, point.mean);
    EXPECT_GE(point.high, point.mean);
    // By the logarithm, the band is as wide above as below.
    EXPECT_NEAR(point.mean / point.low, point.high / point.mean, 1e-9);
  }
  EXPECT_NEAR((*slices)[1][7].mean / (*slices)[1][0].mean, std::exp(1), 0.4);
}

TEST(SlicesTest, OnlyFeasibleValues) {
  Result<Expression> sum = Expression::parse("a + b <= 9");
  ASSERT_TRUE(sum);
  Result<Space> space = Space::create(
      {*Parameter::integer("a", 0, 7), *Parameter::integer("b", 0, 7)},
      {{*sum, "", "", false}});
  ASSERT_TRUE(space);
  std::vector<Point> points = allPoints(*space);
  auto slices = findSlices(
      *space, points,
      evaluate(points, [](const Point &p) { return p[0] - p[1]; }), {3, 7});
  ASSERT_TRUE(slices);
  // a may be 0, 1 or 2 with this b, besides the value of the center.
  EXPECT_EQ((*slices)[0].size(), 3u);
}

TEST(SlicesTest, ManyValuesAreThinnedAndRealsAreSampled) {
  Result<Space> space = Space::create(
      {*Parameter::integer("n", 1, 1000), *Parameter::real("x", 1, 100, true)});
  ASSERT_TRUE(space);
  Random random(1);
  std::vector<Point> points;
  for (int i = 0; i < 40; ++i)
    points.push_back(space->sample(random));
  auto slices = findSlices(
      *space, points,
      evaluate(points, [](const Point &p) { return 1 + p[0] * p[1]; }),
      points[0]);
  ASSERT_TRUE(slices);
  for (const auto &slice : *slices) {
    EXPECT_GE(slice.size(), 33u);
    EXPECT_LE(slice.size(), 34u);
  }
  EXPECT_EQ((*slices)[0].front().coordinate, 0);
  EXPECT_EQ((*slices)[0].back().coordinate, 999);
  EXPECT_EQ((*slices)[1].back().coordinate, 100);
}

TEST(SlicesTest, TooFewTrials) {
  Result<Space> space = Space::create({*Parameter::integer("n", 1, 4)});
  ASSERT_TRUE(space);
  EXPECT_FALSE(findSlices(*space, allPoints(*space), {1, 2, 3, 4}, {0}));
}
