//===- SpaceConditionsTest.cpp - Tests of conditional parameters ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpaceTesting.h"

using namespace baco;
using namespace baco::testing;

/// Two alternatives with a tile size each.
static std::vector<Parameter> alternatives() {
  Parameter a = ordinal("a", {1, 2, 4, 8}), b = ordinal("b", {1, 2, 4, 8});
  a.defaultValue = ParameterValue(int64_t(4));
  b.defaultValue = ParameterValue(int64_t(2));
  return {categorical("way", {"left", "right"}), a, b};
}

static std::vector<Condition> theirConditions() {
  return {{"a", parse("way == \"left\"")}, {"b", parse("way == \"right\"")}};
}

TEST(SpaceConditionsTest, OneChoiceIsOneConfiguration) {
  Space space = make(alternatives(), {}, theirConditions());
  EXPECT_EQ(space.count(), "8");
  EXPECT_EQ(space.groups().size(), 1u);
  for (uint64_t k = 0; k < 8; ++k) {
    Point point = space.at(k);
    bool isLeft = point[0] == 0;
    EXPECT_EQ(space.isActive(point, 0), true);
    EXPECT_EQ(space.isActive(point, 1), isLeft);
    EXPECT_EQ(space.isActive(point, 2), !isLeft);
    EXPECT_EQ(point[isLeft ? 2 : 1], isLeft ? 1 : 2);
  }
}

TEST(SpaceConditionsTest, NeighborsCrossAlternatives) {
  Space space = make(alternatives(), {}, theirConditions());
  Random random(1);
  std::vector<Point> out;
  space.neighbors({0, 0, 1}, random, out);
  // To the right, where a takes its default and b has it; and to a = 2.
  EXPECT_EQ(out, (std::vector<Point>{{1, 2, 1}, {0, 1, 1}}));
}

TEST(SpaceConditionsTest, NeighborsCrossWhereDefaultsAreInfeasible) {
  // On the right, b must be 8, but its default is 2.
  Space space =
      make(alternatives(), {"way == \"left\" || b == 8"}, theirConditions());
  EXPECT_EQ(space.count(), "5");
  Random random(1);
  std::vector<Point> out;
  space.neighbors({0, 0, 1}, random, out);
  EXPECT_EQ(out, (std::vector<Point>{{1, 2, 3}, {0, 1, 1}}));
  space.neighbors({1, 2, 3}, random, out);
  EXPECT_EQ(out, (std::vector<Point>{{0, 2, 1}}));
}

TEST(SpaceConditionsTest, NumbersDecideToo) {
  Space space =
      make({*Parameter::integer("depth", 0, 3), ordinal("t1", {1, 2}),
            ordinal("t2", {1, 2})},
           {}, {{"t1", parse("depth >= 1")}, {"t2", parse("depth >= 2")}});
  EXPECT_EQ(space.count(), "11"); // 1 + 2 + 4 + 4
  Random random(1);
  std::vector<Point> out;
  space.neighbors({2, 1, 1}, random, out);
  EXPECT_EQ(out,
            (std::vector<Point>{{1, 1, 0}, {3, 1, 1}, {2, 0, 1}, {2, 1, 0}}));
}

TEST(SpaceConditionsTest, NestedConditions) {
  Space space = make({*Parameter::boolean("outer"),
                      *Parameter::boolean("inner"), ordinal("t", {1, 2, 3})},
                     {}, {{"t", parse("inner")}, {"inner", parse("outer")}});
  EXPECT_EQ(space.count(), "5"); // off; on, off; on, on with three values
  Random random(1);
  std::vector<Point> out;
  space.neighbors({1, 1, 2}, random, out);
  EXPECT_EQ(out, (std::vector<Point>{{0, 0, 0}, {1, 0, 0}, {1, 1, 1}}));
}

TEST(SpaceConditionsTest, SeveralConditionsOfOneParameter) {
  Space space = make({*Parameter::boolean("x"), *Parameter::boolean("y"),
                      ordinal("t", {1, 2})},
                     {}, {{"t", parse("x")}, {"t", parse("y")}});
  EXPECT_EQ(space.count(), "5");
  EXPECT_TRUE(space.isActive({1, 1, 0}, 2));
  EXPECT_FALSE(space.isActive({1, 0, 0}, 2));
}

TEST(SpaceConditionsTest, AFailingConditionMeansInactive) {
  Space space = make({*Parameter::integer("a", 0, 2), ordinal("t", {1, 2})}, {},
                     {{"t", parse("2 // a == 1")}});
  EXPECT_EQ(space.count(), "4");
  EXPECT_FALSE(space.isActive({0, 0}, 1));
  EXPECT_TRUE(space.isActive({2, 0}, 1));
}

TEST(SpaceConditionsTest, Errors) {
  auto create = [](std::vector<Condition> conditions) {
    return errorOf(Space::create(alternatives(), {}, std::move(conditions)));
  };
  EXPECT_EQ(
      create({{"c", parse("a > 1")}}),
      "the condition 'a > 1' of parameter 'c' is for something that isn't "
      "a parameter");
  EXPECT_EQ(create({{"a", parse("wey == \"left\"")}}),
            "the condition 'wey == \"left\"' of parameter 'a' reads 'wey', "
            "which isn't a parameter; did you mean 'way'?");
  EXPECT_EQ(create({{"a", parse("a > 1")}}),
            "parameter 'a': its condition depends on itself");
  EXPECT_EQ(create({{"a", parse("b > 1")}, {"b", parse("a > 1")}}),
            "parameter 'a': its condition depends on itself");
  EXPECT_EQ(create({{"a", parse("b + 1")}}),
            "the condition 'b + 1' of parameter 'a' isn't a condition: it must "
            "be true or false");
  EXPECT_EQ(errorOf(Space::create({}, {}, {{"a", parse("true")}})),
            "the condition 'true' of parameter 'a' is for something that isn't "
            "a parameter");
}

TEST(SpaceConditionsTest, CheckExplainsInactiveValues) {
  Space space = make(alternatives(), {}, theirConditions());
  auto ok = space.check({std::string("right"), int64_t(1), int64_t(8)});
  ASSERT_FALSE(ok);
  EXPECT_EQ(ok.error().message,
            "the condition 'way == \"left\"' of parameter 'a' is false, so "
            "that the parameter must have its default 4, not 1");
}
