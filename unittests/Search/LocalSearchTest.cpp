//===- LocalSearchTest.cpp - Tests of the local search --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/LocalSearch.h"

#include "TestSpaces.h"

#include <cmath>
#include <set>

using namespace baco;
using namespace baco::search;

static bool none(const Point &) { return false; }

static BatchScore scoreOf(const Space &space,
                          std::function<double(const Configuration &)> f) {
  return [&space, f](const std::vector<Point> &points) {
    std::vector<double> scores;
    for (const Point &point : points)
      scores.push_back(f(space.toConfiguration(point)));
    return scores;
  };
}

static std::vector<Point> samples(const Space &space, int n, Random &random) {
  std::vector<Point> points;
  for (int i = 0; i < n; ++i)
    points.push_back(space.sample(random));
  return points;
}

/// The best of all points that aren't excluded, by enumeration.
static double bruteForce(const Space &space, const BatchScore &score,
                         const std::function<bool(const Point &)> &excluded) {
  double best = -std::numeric_limits<double>::infinity();
  for (uint64_t k = 0; k < *space.countIfSmall(); ++k)
    if (Point point = space.at(k); !excluded(point))
      best = std::max(best, score({point})[0]);
  return best;
}

TEST(LocalSearchTest, FindsTheBestPointOfASmallSpace) {
  Space space = mixedSpace();
  BatchScore score =
      scoreOf(space, [](const Configuration &c) { return -mixedCost(c); });
  for (int seed = 0; seed < 10; ++seed) {
    Random random(seed);
    auto found = localSearch(space, score, samples(space, 20, random), {}, none,
                             {}, random);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->score, bruteForce(space, score, none));
    EXPECT_EQ(score({found->point})[0], found->score);
    EXPECT_TRUE(space.isFeasible(found->point));
  }
}

/// Step by step it would take half a million steps.
TEST(LocalSearchTest, CrossesLargeRanges) {
  Space space = gridSpace({"x", "y"}, 1000000);
  BatchScore score = scoreOf(space, [](const Configuration &c) {
    return -std::abs(double(std::get<int64_t>(c[0])) - 765432) -
           std::abs(double(std::get<int64_t>(c[1])) - 12345);
  });
  Random random(1);
  LocalSearchOptions options;
  options.maxScores = 5000;
  auto found =
      localSearch(space, score, {{5.0, 500000.0}}, {}, none, options, random);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->score, 0);
}

TEST(LocalSearchTest, PassesThroughExcludedPoints) {
  Space space = gridSpace({"x"}, 50);
  BatchScore score = scoreOf(space, [](const Configuration &c) {
    return -std::abs(double(std::get<int64_t>(c[0])) - 40);
  });
  // The only start is far away, and everything but the last ten is taken.
  auto excluded = [](const Point &p) { return p[0] < 45; };
  Random random(1);
  auto found = localSearch(space, score, {}, {{5.0}}, excluded, {}, random);
  // The climb reaches 40, whose right neighbor is excluded as well: nothing.
  EXPECT_FALSE(found);
  auto fewer = [](const Point &p) { return p[0] == 40; };
  found = localSearch(space, score, {}, {{5.0}}, fewer, {}, random);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->score, bruteForce(space, score, fewer));
}

TEST(LocalSearchTest, ScoresOfMinusInfinity) {
  Space space = gridSpace({"x", "y"}, 5);
  double infinity = std::numeric_limits<double>::infinity();
  BatchScore score =
      scoreOf(space, [=](const Configuration &) { return -infinity; });
  Random random(1);
  auto found = localSearch(space, score, samples(space, 5, random), {}, none,
                           {}, random);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->score, -infinity);
}

TEST(LocalSearchTest, NoPointToStartFrom) {
  Space space = gridSpace({"x"}, 5);
  BatchScore score = scoreOf(space, [](const Configuration &) { return 1.0; });
  Random random(1);
  EXPECT_FALSE(localSearch(space, score, {}, {}, none, {}, random));
}

TEST(LocalSearchTest, EveryPointIsScoredOnce) {
  Space space = mixedSpace();
  std::set<Point> scored;
  BatchScore score = [&](const std::vector<Point> &points) {
    std::vector<double> scores;
    for (const Point &point : points) {
      EXPECT_TRUE(scored.insert(point).second);
      scores.push_back(-mixedCost(space.toConfiguration(point)));
    }
    return scores;
  };
  Random random(2);
  std::vector<Point> candidates = samples(space, 300, random);
  localSearch(space, score, candidates, {candidates[0]}, none, {}, random);
  EXPECT_LE(scored.size(), *space.countIfSmall());
}

TEST(LocalSearchTest, ScoresAreLimited) {
  Space space = gridSpace({"x"}, 50);
  BatchScore score = scoreOf(space, [](const Configuration &c) {
    return double(std::get<int64_t>(c[0]));
  });
  LocalSearchOptions options;
  options.maxScores = 3;
  Random random(1);
  auto found = localSearch(space, score, {{10.0}}, {}, none, options, random);
  ASSERT_TRUE(found);
  // Scores 9 and 11, moves to 11, scores 12: that's three.
  EXPECT_EQ(found->point, Point{12});
  options.maxScores = 0;
  found = localSearch(space, score, {{10.0}}, {}, none, options, random);
  EXPECT_EQ(found->point, Point{10});
}
