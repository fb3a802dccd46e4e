//===- SpaceLooseTest.cpp - Constraints that no tree can hold -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Spaces whose exact trees would be too large: some constraints are left out
// and checked at each point.
//
//===----------------------------------------------------------------------===//

#include "SpaceTesting.h"

#include <set>

using namespace baco;
using namespace baco::testing;

namespace {
struct HardSpace {
  std::vector<Parameter> parameters;
  std::vector<Constraint> constraints;
};
} // namespace

/// 20 parameters of 32 values, and 20 random constraints on three of them each
/// that a hidden configuration meets.
static HardSpace hardSpace(uint64_t seed) {
  constexpr size_t numParameters = 20, numConstraints = 20;
  HardSpace result;
  Random random(seed);
  Configuration hidden;
  auto name = [](size_t k) { return "p" + std::to_string(k); };
  for (size_t k = 0; k < numParameters; ++k) {
    result.parameters.push_back(*Parameter::integer(name(k), 1, 32));
    hidden.push_back(result.parameters[k].value(random.below(32)));
  }
  while (result.constraints.size() < numConstraints) {
    std::vector<size_t> order(numParameters);
    for (size_t k = 0; k < numParameters; ++k)
      order[k] = k;
    random.shuffle(order);
    std::string a = name(order[0]), b = name(order[1]), c = name(order[2]);
    const std::string texts[] = {a + " * " + b + " + " + c + " < 300",
                                 "(" + a + " * " + b + " + " + c + ") % 3 == 1",
                                 a + " + " + b + " <= 2 * " + c,
                                 a + " * " + b + " >= 5 * " + c};
    Constraint drawn = constraints({texts[random.below(4)]}).front();
    if (isFeasibleByDefinition(result.parameters, {drawn}, {}, hidden))
      result.constraints.push_back(std::move(drawn));
  }
  return result;
}

TEST(SpaceLooseTest, PointsAreThoseOfTheDefinition) {
  HardSpace source = hardSpace(1);
  Result<Space> space = Space::create(source.parameters, source.constraints);
  ASSERT_TRUE(space) << space.error().message;
  EXPECT_FALSE(space->isCountExact());
  EXPECT_FALSE(space->looseConstraints().empty());
  EXPECT_LT(space->looseConstraints().size(), source.constraints.size());
  EXPECT_EQ(space->countIfSmall(), std::nullopt);
  auto byDefinition = [&](const Point &point) {
    return isFeasibleByDefinition(source.parameters, source.constraints, {},
                                  valuesOf(source.parameters, point));
  };
  EXPECT_TRUE(byDefinition(space->defaultPoint()));
  Random random(1);
  std::set<Point> seen;
  std::vector<Point> neighbors;
  int numFeasible = 0;
  for (int i = 0; i < 100; ++i) {
    Point point = space->sample(random);
    seen.insert(point);
    ASSERT_TRUE(byDefinition(point));
    ASSERT_TRUE(space->isFeasible(point));
    EXPECT_TRUE(space->check(space->toConfiguration(point)));
    space->neighbors(point, random, neighbors);
    for (const Point &neighbor : neighbors)
      ASSERT_TRUE(byDefinition(neighbor));
    // Most of these violate few constraints, so that each has to be checked.
    for (int j = 0; j < 20; ++j) {
      Point changed = point;
      changed[random.below(changed.size())] = random.below(32);
      ASSERT_EQ(space->isFeasible(changed), byDefinition(changed));
      numFeasible += byDefinition(changed);
    }
  }
  EXPECT_EQ(seen.size(), 100u);
  EXPECT_GT(numFeasible, 100);
  EXPECT_LT(numFeasible, 1900);
}

TEST(SpaceLooseTest, BuildsTheSameEachTime) {
  HardSpace source = hardSpace(2);
  std::vector<Point> first;
  for (unsigned maxThreads : {1, 2}) {
    Result<Space> space =
        Space::create(source.parameters, source.constraints, {}, maxThreads);
    ASSERT_TRUE(space) << space.error().message;
    Random random(2);
    std::vector<Point> points = {space->defaultPoint(),
                                 space->nearest(space->sample(random)),
                                 space->nearest(Point(20, 5.0))};
    if (first.empty())
      first = points;
    EXPECT_EQ(points, first);
  }
}

TEST(SpaceLooseTest, ContradictionsAreFound) {
  HardSpace source = hardSpace(3);
  for (Constraint &each : constraints({"p3 < p7", "p7 < p11", "p11 < p3"}))
    source.constraints.push_back(std::move(each));
  Result<Space> space = Space::create(source.parameters, source.constraints);
  ASSERT_FALSE(space);
  EXPECT_EQ(space.error().code, ErrorCode::EmptySpace);
  EXPECT_EQ(space.error().message,
            "no configuration is feasible: constraint 'p3 < p7', constraint "
            "'p7 < p11' and constraint 'p11 < p3' contradict each other");
}

TEST(SpaceLooseTest, LongRangesWithoutCandidates) {
  // Nothing to generate candidates from: 2^62 evaluations.
  Space space = make({*Parameter::integer("a", 1, int64_t(1) << 31),
                      *Parameter::integer("b", 1, int64_t(1) << 31)},
                     {"a % 7 == b % 5"});
  EXPECT_EQ(space.count(), "4611686018427387904");
  EXPECT_FALSE(space.isCountExact());
  EXPECT_EQ(space.looseConstraints(), std::vector<size_t>{0});
  Random random(3);
  for (int i = 0; i < 100; ++i)
    EXPECT_TRUE(space.isFeasible(space.sample(random)));
  std::vector<Point> out;
  // a = 8, b = 6.
  space.neighbors({7, 5}, random, out);
  EXPECT_EQ(out, (std::vector<Point>{{0, 5}, {14, 5}, {7, 0}, {7, 10}}));

  Point nearest = space.nearest({7, 2147483647});
  EXPECT_TRUE(space.isFeasible(nearest));
  EXPECT_LE(std::abs(nearest[0] - 7) + std::abs(nearest[1] - 2147483647), 6);
}

TEST(SpaceLooseTest, RareConfigurationsAreWalkedTo) {
  // The share of each is 2^-11 or less, and trees can't tell: samples are ends
  // of random walks.
  Space space = make({*Parameter::integer("a", 0, int64_t(1) << 31),
                      *Parameter::integer("b", 0, int64_t(1) << 31)},
                     {"a % 64 * (b % 32) == 1"});
  EXPECT_FALSE(space.isCountExact());
  Random random(4);
  std::set<Point> seen;
  for (int i = 0; i < 200; ++i) {
    seen.insert(space.sample(random));
    EXPECT_TRUE(space.isFeasible(*seen.rbegin()));
  }
  EXPECT_GT(seen.size(), 100u);
}

TEST(SpaceLooseTest, HopelessSpacesAreRefused) {
  std::vector<Parameter> parameters = {
      *Parameter::integer("a", 1, int64_t(1) << 31),
      *Parameter::integer("b", 1, int64_t(1) << 31)};
  // Hardly anything meets it.
  Result<Space> space =
      Space::create(parameters, constraints({"a % 1000003 == b % 999983 + a"}));
  ASSERT_FALSE(space);
  EXPECT_EQ(space.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(
      space.error().message,
      "the search tree is too large, and too few configurations are feasible "
      "to find one by drawing, because of constraint 'a % 1000003 == b % "
      "999983 + a'; use fewer values, or constraints between fewer parameters");
  // Conditions on reals are loose too.
  parameters.push_back(*Parameter::boolean("c"));
  parameters.push_back(*Parameter::real("x", 0, 1));
  space =
      Space::create(parameters, constraints({"a % 1000003 == b % 999983 + a"}),
                    {{"c", parse("x > 0.5")}});
  ASSERT_FALSE(space);
  EXPECT_NE(space.error().message.find(
                "because of the condition 'x > 0.5' of parameter 'c', "
                "constraint 'a % 1000003 == b % 999983 + a'; "),
            std::string::npos)
      << space.error().message;
  // Others aren't left out.
  space = Space::create(parameters, {}, {{"c", parse("a % 7 == b % 5")}});
  ASSERT_FALSE(space);
  EXPECT_EQ(space.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(
      space.error().message,
      "the constraints that 'a', 'b' and 'c' share need too large a search "
      "tree; use fewer conditions, or conditions on fewer parameters");
}
