//===- RankOrderSimplexTest.cpp - Tests of PRO's steps --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/RankOrderSimplex.h"

#include "Ledger.h"
#include "TestSpaces.h"

#include <algorithm>

using namespace baco;
using namespace baco::search;

using Expansion = RankOrderSimplex::Expansion;
using Points = std::vector<Point>;

namespace {

constexpr int gridSize = 41;

/// A narrow valley around (29, 12).
double valley(const Point &p) {
  double x = p[0] - 29, y = p[1] - 12;
  return 4 * (x - y) * (x - y) + (x + y) * (x + y);
}

/// PRO on a grid in two dimensions, repeated with plain arithmetic: each batch
/// must be the one that the method's definition gives.
class RankOrderFollower {
public:
  RankOrderFollower(uint64_t seed, size_t size, Expansion expansion)
      : size(size), expansion(expansion), ledger(valley), random(seed),
        search(gridSpace({"x", "y"}, gridSize), size, expansion) {}

  /// From random points to the next ones.
  void followRun() {
    Points points = nextBatch();
    ASSERT_EQ(points.size(), size);
    ledger.evaluate(points);
    Point center = *std::min_element(points.begin(), points.end(), isCheaper);
    bool hasMoved = followSimplex(center, /*reach=*/8);
    ++probes;
    while (!HasFailure() && (hasMoved = followSimplex(vertices[0], 1)))
      ++probes;
  }

  static bool HasFailure() { return testing::Test::HasFailure(); }

  int successes = 0, expanded = 0, rejected = 0, shrunk = 0, probes = 0;
  double found = INFINITY;

private:
  static bool isCheaper(const Point &a, const Point &b) {
    return valley(a) < valley(b);
  }

  Points nextBatch() { return search.next(ledger.view(), random); }

  /// a + (1 - a) toward each vertex, on the grid.
  Points around(double a) const {
    Points points;
    for (size_t j = 1; j < vertices.size(); ++j) {
      Point point;
      for (int k : {0, 1}) {
        double v0 = vertices[0][k], exact = a * v0 + (1 - a) * vertices[j][k];
        double rounded =
            exact > v0 ? std::ceil(exact - 0.5) : std::floor(exact + 0.5);
        point.push_back(std::clamp(rounded, 0.0, gridSize - 1.0));
      }
      points.push_back(point);
    }
    return points;
  }

  void expectNext(const Points &expected) {
    Points batch = nextBatch();
    ASSERT_EQ(batch, expected);
    ledger.evaluate(batch);
  }

  /// Until the simplex around a point collapses; whether it moved.
  bool followSimplex(Point center, double reach) {
    vertices = nextBatch();
    ledger.evaluate(vertices);
    EXPECT_EQ(vertices.size(), size);
    EXPECT_EQ(vertices[0], center);
    for (size_t j = 1; j < vertices.size(); ++j) {
      double distance = std::abs(vertices[j][0] - center[0]) +
                        std::abs(vertices[j][1] - center[1]);
      EXPECT_GT(distance, 0);
      EXPECT_LE(distance, 2 * reach);
    }
    bool hasMoved = false;
    while (!HasFailure()) {
      // By insertion, so that equal ones keep their order.
      for (auto v = vertices.begin(); v != vertices.end(); ++v)
        std::rotate(std::upper_bound(vertices.begin(), v, *v, isCheaper), v,
                    v + 1);
      found = std::min(found, valley(vertices[0]));
      if (vertices == Points(vertices.size(), vertices[0]))
        break;
      hasMoved |= followIteration();
    }
    return hasMoved;
  }

  /// One reflection and what follows from it; whether it succeeded.
  bool followIteration() {
    Points reflections = around(2);
    expectNext(reflections);
    size_t promising =
        std::min_element(reflections.begin(), reflections.end(), isCheaper) -
        reflections.begin();
    if (!isCheaper(reflections[promising], vertices[0])) {
      ++shrunk;
      Points closer = around(0.5);
      closer.insert(closer.begin(), vertices[0]);
      vertices = closer;
      expectNext(closer);
      return false;
    }
    ++successes;
    bool expands = followExpansion(reflections[promising], promising);
    ++(expands ? expanded : rejected);
    Points accepted = around(expands ? 3 : 2);
    // The promising one was tried first.
    if (expands)
      std::swap(accepted[0], accepted[promising]);
    vertices.resize(1);
    vertices.insert(vertices.end(), accepted.begin(), accepted.end());
    return true;
  }

  bool followExpansion(const Point &best, size_t promising) {
    Points expansions = around(3);
    std::swap(expansions[0], expansions[promising]);
    if (expansion == Expansion::CheckFirst) {
      expectNext({expansions[0]});
      if (!isCheaper(expansions[0], best))
        return false;
      expectNext(expansions);
      return true;
    }
    Points batch = nextBatch();
    EXPECT_EQ(batch, expansions);
    bool isKnown = ledger.view().wasAsked(batch[0]);
    EXPECT_TRUE(isKnown || !search.isDecided(ledger.view()));
    ledger.evaluate(batch[0]);
    bool succeeds = isCheaper(batch[0], best);
    if (expansion == Expansion::Together) {
      EXPECT_EQ(search.isDecided(ledger.view()), !succeeds);
      if (succeeds)
        ledger.evaluate(batch);
      return succeeds;
    }
    EXPECT_FALSE(search.isDecided(ledger.view()));
    ledger.evaluate(batch);
    return isCheaper(*std::min_element(batch.begin(), batch.end(), isCheaper),
                     best);
  }

  size_t size;
  Expansion expansion;
  Ledger ledger;
  Random random;
  RankOrderSimplex search;
  Points vertices;
};

} // namespace

TEST(RankOrderSimplexTest, FollowsItsDefinition) {
  for (Expansion expansion :
       {Expansion::CheckFirst, Expansion::Together, Expansion::All}) {
    int successes = 0, expanded = 0, rejected = 0, shrunk = 0, probes = 0;
    for (uint64_t seed = 0; seed < 20; ++seed) {
      RankOrderFollower follower(seed, 3 + seed % 4, expansion);
      for (int run = 0; run < 3 && !HasFailure(); ++run)
        follower.followRun();
      ASSERT_FALSE(HasFailure()) << "seed " << seed;
      successes += follower.successes;
      expanded += follower.expanded;
      rejected += follower.rejected;
      shrunk += follower.shrunk;
      probes += follower.probes;
    }
    // Every step was made.
    EXPECT_GT(expanded, 10);
    EXPECT_GT(rejected, 20);
    EXPECT_GT(shrunk, 100);
    EXPECT_GT(probes, 60);
    EXPECT_EQ(successes, expanded + rejected);
  }
}

/// The best vertex is in the middle of each reflection and a vertex.
TEST(RankOrderSimplexTest, ReflectsAtTheBestVertex) {
  Space space = gridSpace({"x", "y"}, gridSize);
  RankOrderSimplex search(space, 3, Expansion::CheckFirst);
  Ledger ledger(
      [](const Point &p) { return std::hypot(p[0] - 20, p[1] - 20); });
  Random random(7);
  ledger.evaluate(search.next(ledger.view(), random));
  Points vertices = search.next(ledger.view(), random);
  ledger.evaluate(vertices);
  Point best = *std::min_element(
      vertices.begin(), vertices.end(), [&](const Point &a, const Point &b) {
        return ledger.view().cost(a) < ledger.view().cost(b);
      });
  Points reflections = search.next(ledger.view(), random);
  ASSERT_EQ(reflections.size(), 2u);
  for (const Point &reflection : reflections) {
    Point mirrored = {2 * best[0] - reflection[0], 2 * best[1] - reflection[1]};
    EXPECT_NE(std::find(vertices.begin(), vertices.end(), mirrored),
              vertices.end());
  }
}

TEST(RankOrderSimplexTest, BetterPointsFromElsewhereAreTheNextCenter) {
  Space space = gridSpace({"x", "y"}, gridSize);
  RankOrderSimplex search(space, 3, Expansion::CheckFirst);
  Ledger ledger(valley);
  Random random(3);
  ledger.evaluate(search.next(ledger.view(), random));
  ledger.evaluate(search.next(ledger.view(), random));
  ledger.evaluate(Point{29, 12});
  EXPECT_EQ(search.next(ledger.view(), random).front(), (Point{29, 12}));
}

TEST(RankOrderSimplexTest, AllInfeasible) {
  Space space = mixedSpace();
  RankOrderSimplex search(space, 6, Expansion::Together);
  Ledger ledger([](const Point &) { return INFINITY; });
  Random random(3);
  for (int batch = 0; batch < 50; ++batch)
    for (const Point &point : search.next(ledger.view(), random)) {
      EXPECT_TRUE(space.isFeasible(point));
      ledger.evaluate(point);
    }
}

TEST(RankOrderSimplexTest, RealsCollapseToo) {
  Space space = get(Space::create(
      {get(Parameter::real("x", 0, 1)), get(Parameter::real("y", 0, 1))}));
  RankOrderSimplex search(space, 3, Expansion::CheckFirst);
  Ledger ledger([](const Point &p) {
    return std::pow(p[0] - 0.3, 2) + std::pow(p[1] - 0.7, 2);
  });
  Random random(3);
  for (int batch = 0; batch < 200; ++batch)
    ledger.evaluate(search.next(ledger.view(), random));
  EXPECT_NEAR((*ledger.view().best)[0], 0.3, 0.01);
  EXPECT_NEAR((*ledger.view().best)[1], 0.7, 0.01);
}

TEST(RankOrderSimplexTest, SmallestSizeCountsWhatCanVary) {
  EXPECT_EQ(RankOrderSimplex::smallestSize(mixedSpace()), 6u);
  EXPECT_EQ(RankOrderSimplex::smallestSize(
                get(Space::create({get(Parameter::integer("x", 0, 4)),
                                   get(Parameter::integer("y", 3, 3)),
                                   get(Parameter::permutation("p", 1)),
                                   get(Parameter::real("r", 0, 1))}))),
            3u);
}
