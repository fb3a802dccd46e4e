//===- WalkTest.cpp - Tests of the biased walk ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The papers' examples of what the walk down a tree prefers.
//
//===----------------------------------------------------------------------===//

#include "SpaceTesting.h"

#include <cmath>

using namespace baco;
using namespace baco::testing;

namespace {
enum class Way { Leaves, Walk };
} // namespace

/// How often, of 20000 samples, a parameter has a value.
static int hits(const Space &space, Way way, const std::string &name,
                int64_t value) {
  Random random(1);
  size_t k = *space.indexOf(name);
  int count = 0;
  for (int i = 0; i < 20'000; ++i) {
    Point point =
        way == Way::Walk ? space.sampleByWalk(random) : space.sample(random);
    count += space.toConfiguration(point)[k] == ParameterValue(value);
  }
  return count;
}

/// Five standard deviations of the number of hits around its mean.
static void expectShare(int hits, double share) {
  EXPECT_NEAR(hits, 20'000 * share,
              5 * std::sqrt(20'000 * share * (1 - share)));
}

// BaCO (2023), Fig. 4: of the right tree's seven leaves, p3 = 4 has one.
static Space figure4(bool reversed) {
  std::vector<Parameter> parameters = {
      ordinal("p1", {2, 4}), ordinal("p2", {2, 4}), ordinal("p3", {1, 4}),
      ordinal("p4", {1, 2, 4}), ordinal("p5", {2, 4, 8})};
  if (reversed)
    parameters = {parameters.rbegin(), parameters.rend()};
  return make(parameters, {"p1 >= p2", "p4 >= p3", "p5 >= 2 * p4"});
}

TEST(WalkTest, Figure4OfBaCO) {
  Space space = figure4(/*reversed=*/false);
  expectShare(hits(space, Way::Walk, "p3", 4), 1.0 / 2);
  expectShare(hits(space, Way::Leaves, "p3", 4), 1.0 / 7);
  // p1 = 2 has one child, p1 = 4 has two.
  expectShare(hits(space, Way::Walk, "p1", 2), 1.0 / 2);
  expectShare(hits(space, Way::Leaves, "p1", 2), 1.0 / 3);
}

TEST(WalkTest, TheBiasDependsOnTheOrderOfTheParameters) {
  Space space = figure4(/*reversed=*/true);
  EXPECT_EQ(space.count(), "21");
  // One of three values of p5, one of three of p4 beneath it, one of two of p3.
  expectShare(hits(space, Way::Walk, "p3", 4), 1.0 / 18);
  expectShare(hits(space, Way::Leaves, "p3", 4), 1.0 / 7);
}

// ATF (2017), Fig. 1: beneath tp_1 = 1 there is one leaf, beneath 2 two.
TEST(WalkTest, Figure1OfATF) {
  std::vector<Parameter> parameters;
  for (const char *name : {"tp_1", "tp_2", "tp_3", "tp_4"})
    parameters.push_back(*Parameter::integer(name, 1, 2));
  Space space =
      make(parameters, {"divides(tp_2, tp_1)", "divides(tp_4, tp_3)"});
  expectShare(hits(space, Way::Walk, "tp_2", 2), 1.0 / 4);
  expectShare(hits(space, Way::Leaves, "tp_2", 2), 1.0 / 3);
}

TEST(WalkTest, FreeParametersAreUniform) {
  Space space = make({*Parameter::integer("a", 0, 3),
                      *Parameter::real("r", 0, 1), *Parameter::boolean("b")},
                     {"b || r < 0.5"});
  expectShare(hits(space, Way::Walk, "a", 3), 1.0 / 4);
  Random random(1);
  for (int i = 0; i < 100; ++i)
    EXPECT_TRUE(space.isFeasible(space.sampleByWalk(random)));
  EXPECT_EQ(make({}).sampleByWalk(random), Point{});
}

// The diagram's levels aren't in the order of declaration here: `n` decides
// about all others and is declared last.
TEST(WalkTest, LevelsOfTheDiagramDoNotShow) {
  Space space = make({*Parameter::integer("a", 1, 12),
                      *Parameter::integer("b", 1, 12), ordinal("n", {7, 12})},
                     {"divides(a, n)", "divides(b, n)"});
  // Divisors of 12, and 7: a = 7 goes with b = 1 and 7, where n = 7.
  expectShare(hits(space, Way::Walk, "a", 7), 1.0 / 7);
  // a = 1 (1/7): b is one of 7, of which 1 leaves n = 7 or 12. a = 7 (1/7): n
  // is 7. Each other a (5/7): 12.
  expectShare(hits(space, Way::Walk, "n", 7),
              1.0 / 7 * (1.0 / 7 / 2 + 1.0 / 7) + 1.0 / 7);
}
