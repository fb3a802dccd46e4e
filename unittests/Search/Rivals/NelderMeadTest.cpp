//===- NelderMeadTest.cpp - Tests of the downhill simplex -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/NelderMead.h"

#include "Ledger.h"
#include "TestSpaces.h"

#include <algorithm>

using namespace baco;
using namespace baco::search;

using Points = std::vector<Point>;

namespace {

/// The steps on reals in two dimensions, repeated with plain arithmetic.
class SimplexFollower {
public:
  explicit SimplexFollower(uint64_t seed)
      : ledger(cost), random(seed),
        search(get(Space::create({get(Parameter::real("x", 0, 1)),
                                  get(Parameter::real("y", 0, 1))}))) {
    vertices = search.next(ledger.view(), random);
    ledger.evaluate(vertices);
  }

  void followIteration() {
    std::sort(vertices.begin(), vertices.end(), isCheaper);
    Point reflection = expectNext(1);
    if (isCheaper(reflection, vertices[0])) {
      Point expansion = expectNext(2);
      ++expansions;
      vertices[2] = isCheaper(expansion, reflection) ? expansion : reflection;
    } else if (isCheaper(reflection, vertices[1])) {
      ++reflections;
      vertices[2] = reflection;
    } else {
      bool isOutside = isCheaper(reflection, vertices[2]);
      Point contraction = expectNext(isOutside ? 0.5 : -0.5);
      ++(isOutside ? outside : inside);
      const Point &limit = isOutside ? reflection : vertices[2];
      if (isCheaper(contraction, limit))
        vertices[2] = contraction;
      else
        shrink();
    }
  }

  int reflections = 0, expansions = 0, outside = 0, inside = 0, shrunk = 0;

private:
  /// Curved, so that simplexes have to shrink.
  static double cost(const Point &p) {
    double x = 4 * p[0] - 1.3, y = 4 * p[1] - 1.7;
    return 1 + std::abs(y - x * x) + 0.1 * std::abs(x - 1);
  }
  static bool isCheaper(const Point &a, const Point &b) {
    return cost(a) < cost(b);
  }

  Point expectNext(double factor) {
    Points batch = search.next(ledger.view(), random);
    EXPECT_EQ(batch.size(), 1u);
    for (int k : {0, 1}) {
      double centroid = (vertices[0][k] + vertices[1][k]) / 2;
      double expected = centroid + factor * (centroid - vertices[2][k]);
      EXPECT_NEAR(batch[0][k], std::clamp(expected, 0.0, 1.0), 1e-12);
    }
    ledger.evaluate(batch);
    return batch[0];
  }

  void shrink() {
    ++shrunk;
    Points batch = search.next(ledger.view(), random);
    ASSERT_EQ(batch.size(), 3u);
    for (int j : {0, 1, 2})
      for (int k : {0, 1})
        EXPECT_NEAR(batch[j][k], (vertices[0][k] + vertices[j][k]) / 2, 1e-12);
    vertices = batch;
    ledger.evaluate(batch);
  }

  Ledger ledger;
  Random random;
  NelderMead search;
  Points vertices;
};

} // namespace

TEST(NelderMeadTest, FollowsItsDefinition) {
  int reflections = 0, expansions = 0, outside = 0, inside = 0, shrunk = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SimplexFollower follower(seed);
    for (int k = 0; k < 15 && !HasFailure(); ++k)
      follower.followIteration();
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
    reflections += follower.reflections;
    expansions += follower.expansions;
    outside += follower.outside;
    inside += follower.inside;
    shrunk += follower.shrunk;
  }
  // Every step was made.
  for (int count : {reflections, expansions, outside, inside, shrunk})
    EXPECT_GT(count, 5);
}

TEST(NelderMeadTest, StartsAgainOnAPlateau) {
  Space space = gridSpace({"x", "y"}, 9);
  NelderMead search(space);
  Ledger ledger([](const Point &) { return 1; });
  Random random(1);
  int starts = 0;
  for (int k = 0; k < 200; ++k) {
    Points batch = search.next(ledger.view(), random);
    for (const Point &point : batch) {
      EXPECT_TRUE(space.isFeasible(point));
      starts += !ledger.view().wasAsked(point);
      ledger.evaluate(point);
    }
  }
  EXPECT_GT(starts, 40);
}
