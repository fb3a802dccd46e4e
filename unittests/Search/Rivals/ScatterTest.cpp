//===- ScatterTest.cpp - Tests of points around a point -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/Moves.h"

#include "TestSpaces.h"

#include <Eigen/LU>

#include <set>

using namespace baco;
using namespace baco::search;

/// The rank of the directions to some of the points.
static long rankOf(const Space &space, const Point &center,
                   std::span<const Point> points) {
  Eigen::MatrixXd matrix;
  for (size_t i = 0; i < points.size(); ++i) {
    std::vector<double> entries = direction(space, center, points[i]);
    matrix.conservativeResize(long(entries.size()), long(i) + 1);
    matrix.col(long(i)) =
        Eigen::Map<Eigen::VectorXd>(entries.data(), long(entries.size()));
  }
  return Eigen::FullPivLU<Eigen::MatrixXd>(matrix).rank();
}

static void expectDifferentAndFeasible(const Space &space, const Point &center,
                                       const std::vector<Point> &points) {
  std::set<Point> seen = {center};
  for (const Point &point : points) {
    EXPECT_TRUE(seen.insert(point).second);
    EXPECT_TRUE(space.isFeasible(point));
  }
}

TEST(ScatterTest, DirectionsAreIndependent) {
  Space space = gridSpace({"a", "b", "c", "d", "e", "f"}, 21);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    Point center = space.sample(random);
    std::vector<Point> points = scatter(space, center, 12, 0.2, random);
    ASSERT_EQ(points.size(), 12u);
    expectDifferentAndFeasible(space, center, points);
    std::span all(points);
    EXPECT_EQ(rankOf(space, center, all.first(6)), 6);
    EXPECT_EQ(rankOf(space, center, all.last(6)), 6);
    // One step of 0.2 times 20.
    double distance = 0;
    for (size_t k = 0; k < center.size(); ++k)
      distance += std::abs(points[0][k] - center[k]);
    EXPECT_LE(distance, 4);
  }
}

TEST(ScatterTest, DirectionsAreIndependentOnAllKinds) {
  Space space = mixedSpace();
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    Point center = space.sample(random);
    std::vector<Point> points = scatter(space, center, 5, 0.2, random);
    ASSERT_EQ(points.size(), 5u);
    expectDifferentAndFeasible(space, center, points);
    EXPECT_EQ(rankOf(space, center, points), 5);
  }
}

/// On the diagonal there is one direction only.
TEST(ScatterTest, ConstraintsLimitTheDirections) {
  Space space = get(Space::create(
      {get(Parameter::integer("x", 0, 9)), get(Parameter::integer("y", 0, 9))},
      {constraint("x == y")}));
  Random random(1);
  std::vector<Point> points = scatter(space, {4, 4}, 3, 0.1, random);
  EXPECT_EQ(points.size(), 2u);
  expectDifferentAndFeasible(space, {4, 4}, points);
  EXPECT_EQ(rankOf(space, {4, 4}, points), 1);
}

TEST(ScatterTest, SmallSpacesHaveFewPoints) {
  Random random(1);
  Space single = get(Space::create({get(Parameter::integer("x", 3, 3))}));
  EXPECT_TRUE(scatter(single, {0}, 4, 0.2, random).empty());
  Space square = gridSpace({"x", "y"}, 2);
  EXPECT_EQ(scatter(square, {0, 1}, 9, 0.2, random).size(), 3u);
}

TEST(ScatterTest, DirectionsOfAllKinds) {
  Space space = mixedSpace();
  // size, depth, pad (2), mode (3), the places of 4 loops: from the identity to
  // (0, 1, 3, 2).
  EXPECT_EQ(direction(space, {0, 0, 0, 2, 0}, {3, 2, 1, 0, 1}),
            (std::vector<double>{1, 0.5, -1, 1, 1, 0, -1, 0, 0, 1, -1}));
}
