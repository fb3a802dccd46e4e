//===- SpaceErrorsTest.cpp - Tests of refused spaces ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpaceTesting.h"

using namespace baco;
using namespace baco::testing;

static std::vector<Parameter> tiles() {
  return {ordinal("MC", {64, 128}), ordinal("MR", {6, 8}),
          categorical("mode", {"row", "column"}),
          *Parameter::permutation("order", 3), *Parameter::boolean("pack")};
}

static std::string errorWith(const std::string &text) {
  return errorOf(Space::create(tiles(), constraints({text})));
}

TEST(SpaceErrorsTest, Parameters) {
  Parameter a = *Parameter::integer("a", 1, 3);
  EXPECT_EQ(errorOf(Space::create({a, a})),
            "parameter 'a': the name is taken by another parameter");
  a.location = "f.mlir:3:5";
  a.defaultValue = ParameterValue(int64_t(7));
  EXPECT_EQ(errorOf(Space::create({a})),
            "parameter 'a' (f.mlir:3:5): the default 7 isn't one of its "
            "values");
  a.defaultValue.reset();
  a.weights = {1, 2};
  EXPECT_EQ(errorOf(Space::create({a})),
            "parameter 'a' (f.mlir:3:5): there are 2 weights for 3 values");
  a.weights = {1, -2, 0};
  EXPECT_EQ(errorOf(Space::create({a})),
            "parameter 'a' (f.mlir:3:5): weights must be finite and not "
            "negative, but one is -2.0");
  a.weights = {0, 0, 0};
  EXPECT_EQ(errorOf(Space::create({a})),
            "parameter 'a' (f.mlir:3:5): all weights are 0");
  a.weights = {0, 0, 1};
  EXPECT_TRUE(Space::create({a}));
}

TEST(SpaceErrorsTest, ExtentsArePositiveAndOfNumbers) {
  Parameter a = *Parameter::integer("a", 1, 3);
  a.extent = 0;
  EXPECT_EQ(errorOf(Space::create({a})),
            "parameter 'a': the extent must be finite and above 0, but is 0.0");
  a.extent = 2.5;
  EXPECT_EQ(make({a}).parameters()[0].extent, 2.5);
  Parameter flag = *Parameter::boolean("flag");
  flag.extent = 2;
  EXPECT_EQ(errorOf(Space::create({flag})),
            "parameter 'flag': only numbers are parts of an extent");
}

TEST(SpaceErrorsTest, DefaultsTakeTheTypeOfTheValue) {
  Parameter a = *Parameter::integer("a", 1, 3), r = *Parameter::real("r", 0, 1);
  a.defaultValue = ParameterValue(2.0);
  r.defaultValue = ParameterValue(int64_t(1));
  Space space = make({a, r});
  EXPECT_EQ(space.parameters()[0].defaultValue, ParameterValue(int64_t(2)));
  EXPECT_EQ(space.parameters()[1].defaultValue, ParameterValue(1.0));
  EXPECT_EQ(space.defaultPoint(), (Point{1, 1}));
}

TEST(SpaceErrorsTest, Names) {
  EXPECT_EQ(errorWith("MC % NR == 0"),
            "constraint 'MC % NR == 0' reads 'NR', which isn't a parameter; "
            "did you mean 'MR'?");
  EXPECT_EQ(errorWith("unrelated > 1"),
            "constraint 'unrelated > 1' reads 'unrelated', which isn't a "
            "parameter");
  Constraint constraint{parse("mc > 1"), "some reason", "f.mlir:7:1", false};
  EXPECT_EQ(errorOf(Space::create(tiles(), {constraint})),
            "constraint 'mc > 1' (some reason; f.mlir:7:1) reads 'mc', which "
            "isn't a parameter; did you mean 'MC'?");
}

TEST(SpaceErrorsTest, Types) {
  EXPECT_EQ(errorWith("MC % MR"), "constraint 'MC % MR' isn't a condition: it "
                                  "must be true or false");
  EXPECT_EQ(errorWith("mode + 1 > 2"),
            "in constraint 'mode + 1 > 2', column 1: '+ or -' takes a number, "
            "not a string");
  EXPECT_EQ(errorWith("mode == 3"),
            "in constraint 'mode == 3', column 9: '==' takes a string, not an "
            "integer");
  EXPECT_EQ(errorWith("in(MC, {64, \"row\"})"),
            "in constraint 'in(MC, {64, \"row\"})', column 13: '==' takes an "
            "integer, not a string");
  EXPECT_EQ(errorWith("order < 3"),
            "in constraint 'order < 3', column 1: '<' takes a number, not a "
            "permutation");
  EXPECT_EQ(errorWith("order[pack] == 0"),
            "in constraint 'order[pack] == 0', column 7: '[]' takes an "
            "integer, not a truth value");
  EXPECT_EQ(errorWith("pack == 1"),
            "in constraint 'pack == 1', column 9: '==' takes a truth value, "
            "not an integer");
  EXPECT_EQ(errorWith("MC && pack"),
            "in constraint 'MC && pack', column 1: '&&' takes a truth value, "
            "not an integer");
}

TEST(SpaceErrorsTest, EmptySpaces) {
  std::vector<Constraint> rules =
      constraints({"MC > 64", "pack || mode == \"row\"", "MC % MR == 0",
                   "MR == 6", "MC % MR == 2 || MR == 6"});
  rules[2].reason = "tiles must be full";
  rules[2].location = "f.mlir:2:9";
  Result<Space> space = Space::create(tiles(), rules);
  ASSERT_FALSE(space);
  EXPECT_EQ(space.error().code, ErrorCode::EmptySpace);
  EXPECT_EQ(space.error().message,
            "no configuration is feasible: constraint 'MC % MR == 0' (tiles "
            "must be full; f.mlir:2:9) and constraint 'MR == 6' contradict "
            "each other");
  EXPECT_EQ(errorWith("MC < 64"), "no configuration is feasible: constraint "
                                  "'MC < 64' is never true");
  EXPECT_EQ(errorWith("1 > 2"), "no configuration is feasible: constraint '1 > "
                                "2' is never true");
}

TEST(SpaceErrorsTest, ConditionsClashToo) {
  Result<Space> space = Space::create(
      tiles(), constraints({"MR == 8", "!pack"}), {{"MR", parse("pack")}});
  EXPECT_EQ(errorOf(space),
            "no configuration is feasible: constraint 'MR == 8', constraint "
            "'!pack' and the condition 'pack' of parameter 'MR' contradict "
            "each other");
}

TEST(SpaceErrorsTest, AFailingConstraintIsViolated) {
  Space space = make({*Parameter::integer("a", 0, 4)}, {"8 // a >= 2"});
  EXPECT_EQ(space.count(), "4");
  Configuration zero = {int64_t(0)};
  EXPECT_EQ(space.violated(zero), std::vector<size_t>{0});
  EXPECT_EQ(space.check(zero).error().message,
            "constraint '8 // a >= 2' can't be evaluated for a = 0: column 3: "
            "division by zero");
}

TEST(SpaceErrorsTest, Explanations) {
  Constraint rule{parse("MC % MR == 0"), "tiles must be full", "", false};
  Space space = *Space::create(tiles(), {rule});
  Configuration c = {int64_t(64), int64_t(6), std::string("row"),
                     Permutation{0, 1, 2}, false};
  EXPECT_EQ(space.check(c).error().message,
            "constraint 'MC % MR == 0' (tiles must be full) is violated by MC "
            "= 64, MR = 6");
  c[1] = int64_t(8);
  EXPECT_TRUE(space.check(c));
  EXPECT_TRUE(space.violated(c).empty());
  c[3] = Permutation{0, 1, 1};
  EXPECT_EQ(space.check(c).error().message,
            "parameter 'order': (0, 1, 1) isn't one of its values");
  EXPECT_EQ(space.check({true}).error().message,
            "a configuration with 1 values for a space of 5 parameters");
}

TEST(SpaceErrorsTest, AllReasonsAreGiven) {
  std::vector<Constraint> rules =
      constraints({"MC % MR == 0", "MR == 8", "pos(order, 0) < pos(order, 1)",
                   "MC // (MR - 6) > 0"});
  rules[0].reason = "tiles must be full";
  rules[2].reason = "b follows a";
  rules[2].location = "f.mlir:7:1";
  Space space = *Space::create(tiles(), rules, {{"pack", parse("MC > 64")}});
  Configuration c = {int64_t(64), int64_t(6), std::string("row"),
                     Permutation{1, 0, 2}, true};
  EXPECT_EQ(space.violated(c), (std::vector<size_t>{0, 1, 2, 3}));
  EXPECT_EQ(
      space.explain(c),
      (std::vector<std::string>{
          "constraint 'MC % MR == 0' (tiles must be full) is violated by MC = "
          "64, MR = 6",
          "constraint 'MR == 8' is violated by MR = 6",
          "constraint 'pos(order, 0) < pos(order, 1)' (b follows a; "
          "f.mlir:7:1) is violated by order = (1, 0, 2)",
          "constraint 'MC // (MR - 6) > 0' can't be evaluated for MC = 64, MR "
          "= 6: column 4: division by zero",
          "the condition 'MC > 64' of parameter 'pack' is false, so that the "
          "parameter must have its default false, not true"}));
  EXPECT_EQ(space.explain(c, 1), "constraint 'MR == 8' is violated by MR = 6");
  c[1] = int64_t(7);
  c[2] = std::string("diagonal");
  EXPECT_EQ(space.explain(c),
            (std::vector<std::string>{
                "parameter 'MR': 7 isn't one of its values",
                "parameter 'mode': \"diagonal\" isn't one of its values"}));
  EXPECT_TRUE(space
                  .explain({int64_t(128), int64_t(8), std::string("row"),
                            Permutation{0, 1, 2}, true})
                  .empty());
}
