//===- CommonSpaceTest.cpp - Tests of matched spaces ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/CommonSpace.h"

#include "TestSpaces.h"

using namespace baco;
using namespace baco::search;

static Parameter tile(std::vector<ParameterValue> values) {
  return get(Parameter::ordinal("tile", std::move(values), /*log=*/true));
}

static Parameter mode(std::vector<ParameterValue> values) {
  return get(Parameter::categorical("mode", std::move(values)));
}

static ParameterValue number(int64_t value) { return value; }
static ParameterValue text(const char *value) { return std::string(value); }

/// What a configuration of `source` becomes in `target`.
static Configuration map(const Space &source, const Configuration &c,
                         const Space &target) {
  CommonSpace common(source, target);
  return target.toConfiguration(common.toTarget(c));
}

TEST(CommonSpaceTest, MatchesNamesAndKinds) {
  Space source = get(Space::create(
      {tile({number(8), number(16)}), mode({text("a"), text("b")}),
       get(Parameter::permutation("order", 3)),
       get(Parameter::integer("count", 1, 4)), get(Parameter::boolean("pad")),
       get(Parameter::integer("old", 0, 1))}));
  Space target = get(Space::create(
      {get(Parameter::boolean("new")), get(Parameter::real("count", 0.5, 8)),
       get(Parameter::categorical("pad", {true, text("auto")})),
       get(Parameter::permutation("order", 4)), mode({text("b"), text("c")}),
       get(Parameter::categorical("tile", {number(8), number(16)}))}));
  CommonSpace common(source, target);
  std::vector<std::string> names;
  for (const Parameter &parameter : common.space().parameters())
    names.push_back(parameter.name());
  // An order of other elements, and a choice instead of a number, differ.
  EXPECT_EQ(names, (std::vector<std::string>{"count", "pad", "mode"}));
  EXPECT_EQ(common.space().parameters()[2].size(), 3u);
  EXPECT_FALSE(common.isScaled());
}

TEST(CommonSpaceTest, HasNothingInCommon) {
  Space source = gridSpace({"x"}, 3), target = gridSpace({"y"}, 3);
  CommonSpace common(source, target);
  EXPECT_TRUE(common.isEmpty());
  EXPECT_EQ(common.toTarget({number(2)}), target.defaultPoint());
}

/// Both sides give the same point for the same value.
TEST(CommonSpaceTest, BothSidesAgree) {
  Space source = get(Space::create(
      {tile({number(8), number(16), number(64)}), mode({text("a"), text("b")}),
       get(Parameter::permutation("order", 3)),
       get(Parameter::integer("wide", 0, 1'000'000)),
       get(Parameter::real("real", 0, 1))}));
  Space target = get(Space::create(
      {mode({text("c"), text("b")}), get(Parameter::permutation("order", 3)),
       get(Parameter::integer("wide", 10, 2'000'000)),
       get(Parameter::real("real", 0.5, 2)),
       tile({number(4), number(16), number(32)})}));
  CommonSpace common(source, target);
  Permutation order = {2, 0, 1};
  Point ofSource =
      common.fromSource({number(16), text("b"), order, number(77), 0.75});
  Point ofTarget = common.fromTarget(
      get(target.toPoint({text("b"), order, number(77), 0.75, number(16)})));
  EXPECT_EQ(ofSource, ofTarget);
  // Other values differ.
  EXPECT_NE(common.fromSource({number(8), text("b"), order, number(77), 0.75}),
            ofTarget);
}

TEST(CommonSpaceTest, TakesTheNearestNumberByItsScale) {
  Space source = get(Space::create({tile({number(8), number(30)})}));
  Space target =
      get(Space::create({tile({number(4), number(20), number(42)})}));
  // 30 is nearer to 42 by its log, and to 20 otherwise.
  EXPECT_EQ(map(source, {number(30)}, target), Configuration{number(42)});
  EXPECT_EQ(map(source, {number(8)}, target), Configuration{number(4)});
  Space linear = get(Space::create(
      {get(Parameter::ordinal("tile", {number(4), number(20), number(42)}))}));
  EXPECT_EQ(map(source, {number(30)}, linear), Configuration{number(20)});
}

TEST(CommonSpaceTest, TakesDefaultsForTheRest) {
  Space source = get(Space::create({mode({text("a"), text("b")})}));
  Parameter choice = mode({text("c"), text("b"), text("d")});
  choice.defaultValue = text("d");
  Parameter other = get(Parameter::integer("x", 0, 9));
  other.defaultValue = number(5);
  Space target = get(Space::create({choice, other}));
  EXPECT_EQ(map(source, {text("b")}, target),
            (Configuration{text("b"), number(5)}));
  EXPECT_EQ(map(source, {text("a")}, target),
            (Configuration{text("d"), number(5)}));
}

TEST(CommonSpaceTest, RepairsWhatTheTargetForbids) {
  Space source = gridSpace({"x", "y"}, 10);
  std::vector<Parameter> parameters = {get(Parameter::integer("x", 0, 9)),
                                       get(Parameter::integer("y", 0, 9))};
  Space target = get(Space::create(parameters, {constraint("x + y <= 12")}));
  Configuration found = map(source, {number(9), number(4)}, target);
  EXPECT_TRUE(target.isFeasible(get(target.toPoint(found))));
  EXPECT_EQ(std::get<int64_t>(found[0]) + std::get<int64_t>(found[1]), 12);
  EXPECT_EQ(map(source, {number(9), number(4)}, target), found);
}

TEST(CommonSpaceTest, ScalesSharesOfExtents) {
  std::vector<ParameterValue> sizes = {number(16), number(32), number(64),
                                       number(128)};
  Space space = get(Space::create({tile(sizes), mode({text("a")})}));
  Space small = withExtent(space, "tile", 128);
  Space large = withExtent(space, "tile", 512);
  using enum CommonSpace::Reading;
  CommonSpace shares(small, large, Shares);
  EXPECT_TRUE(shares.isScaled());
  Configuration c = {number(16), text("a")};
  EXPECT_EQ(space.toConfiguration(shares.toTarget(c))[0], number(64));
  EXPECT_EQ(shares.fromSource(c),
            shares.fromTarget(get(space.toPoint({number(64), text("a")}))));
  CommonSpace asSizes(small, large, Sizes);
  EXPECT_FALSE(asSizes.isScaled());
  EXPECT_EQ(space.toConfiguration(asSizes.toTarget(c)), c);
  // Without both extents, or with equal ones, nothing is scaled.
  EXPECT_FALSE(CommonSpace(space, large, Shares).isScaled());
  EXPECT_FALSE(CommonSpace(small, small, Shares).isScaled());
}
