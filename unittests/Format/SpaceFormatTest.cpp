//===- SpaceFormatTest.cpp - Tests of spaces as JSON ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Format/SpaceFormat.h"

#include <gtest/gtest.h>

using namespace baco;

static Space spaceOfFormat() {
  Parameter tile =
      *Parameter::ordinal("MC", {int64_t(64), int64_t(128)}, /*log=*/true);
  tile.defaultValue = ParameterValue(int64_t(128));
  tile.location = "mm.mlir:3:7";
  tile.extent = 512;
  Parameter mode = *Parameter::categorical(
      "mode", {std::string("outer"), std::string("a \"b\" é")});
  mode.weights = {0.25, 0.75};
  Parameter order =
      *Parameter::permutation("order", 2, PermutationMetric::Kendall);
  order.defaultValue = ParameterValue(Permutation{1, 0});
  std::vector<Parameter> parameters = {tile,
                                       mode,
                                       order,
                                       *Parameter::boolean("pack"),
                                       *Parameter::integer("u", 2, 10, 2),
                                       *Parameter::real("alpha", 0.1, 2)};
  std::vector<Constraint> constraints = {
      {*Expression::parse("MC % u == 0"), "full tiles", "mm.mlir:9:1", true},
      {*Expression::parse("u < 9"), "", "", false}};
  std::vector<Condition> conditions = {{"u", *Expression::parse("pack")}};
  return *Space::create(parameters, constraints, conditions);
}

// By hand: pack off with u = 2, or on with u in {2, 4, 8} (6 and 10 divide
// neither 64 nor 128); two tiles, two modes, two orders.
static const char *const exampleText = R"({
  "parameters": [
    {
      "name": "MC",
      "kind": "ordinal",
      "values": [
        64,
        128
      ],
      "log": true,
      "default": 128,
      "extent": 512,
      "location": "mm.mlir:3:7"
    },
    {
      "name": "mode",
      "kind": "categorical",
      "values": [
        "outer",
        "a \"b\" é"
      ],
      "weights": [
        0.25,
        0.75
      ]
    },
    {
      "name": "order",
      "kind": "permutation",
      "size": 2,
      "metric": "kendall",
      "default": [
        1,
        0
      ]
    },
    {
      "name": "pack",
      "kind": "boolean"
    },
    {
      "name": "u",
      "kind": "integer",
      "range": [
        2,
        10
      ],
      "step": 2,
      "active_if": "pack"
    },
    {
      "name": "alpha",
      "kind": "real",
      "range": [
        0.1,
        2.0
      ]
    }
  ],
  "constraints": [
    {
      "expression": "MC % u == 0",
      "reason": "full tiles",
      "location": "mm.mlir:9:1",
      "advisory": true
    },
    {
      "expression": "u < 9"
    }
  ],
  "count": "32"
}
)";

TEST(SpaceFormatTest, Writes) {
  EXPECT_EQ(*writeSpace(spaceOfFormat()), exampleText);
}

TEST(SpaceFormatTest, RoundTrips) {
  Result<Space> space = readSpace(exampleText);
  ASSERT_TRUE(space) << space.error().message;
  EXPECT_EQ(*writeSpace(*space), exampleText);
  EXPECT_EQ(space->parameters()[2].metric(), PermutationMetric::Kendall);
  EXPECT_EQ(space->constraints()[0].reason, "full tiles");
  EXPECT_TRUE(space->constraints()[0].advisory);
  EXPECT_EQ(space->defaultPoint(), spaceOfFormat().defaultPoint());
}

TEST(SpaceFormatTest, EmptySpaceOfParameters) {
  Space space = *Space::create({});
  Result<Space> back = readSpace(*writeSpace(space));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->count(), "1");
}

TEST(SpaceFormatTest, LooseConstraintsAreMarked) {
  Space space = *Space::create(
      {*Parameter::integer("a", 1, 3), *Parameter::real("x", 0, 1)},
      {{*Expression::parse("a > 1"), "", "", false},
       {*Expression::parse("a * x < 2"), "", "", false}});
  std::string text = *writeSpace(space);
  EXPECT_NE(text.find(R"("constraints": [
    {
      "expression": "a > 1"
    },
    {
      "expression": "a * x < 2",
      "loose": true
    }
  ],
  "count": "2",
  "count_is_bound": true)"),
            std::string::npos)
      << text;
  Result<Space> back = readSpace(text);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*writeSpace(*back), text);
}

TEST(SpaceFormatTest, CodeIsRefused) {
  Expression odd = Expression::call(
      "odd", {"a"}, [](std::span<const ParameterValue> x) { return true; });
  std::vector<Parameter> parameters = {*Parameter::integer("a", 1, 3),
                                       *Parameter::boolean("b")};
  for (const Result<Space> &space :
       {Space::create(parameters, {{odd, "", "", false}}),
        Space::create(parameters, {}, {{"b", odd}})}) {
    ASSERT_TRUE(space);
    Result<std::string> text = writeSpace(*space);
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(text.error().message,
              "'odd(a)' is C++ code, which can't be written to a file; write "
              "it as an expression, or build the space in C++");
  }
}

TEST(SpaceFormatTest, SeveralConditions) {
  const char *text = R"({"parameters": [
    {"name": "a", "kind": "boolean"}, {"name": "b", "kind": "boolean"},
    {"name": "t", "kind": "integer", "range": [1, 3],
     "active_if": ["a", "b"]}]})";
  Result<Space> space = readSpace(text);
  ASSERT_TRUE(space) << space.error().message;
  EXPECT_EQ(space->count(), "6");
  EXPECT_EQ(readSpace(*writeSpace(*space))->count(), "6");
}

TEST(SpaceFormatTest, WritesExtents) {
  EXPECT_EQ(writeExtents(spaceOfFormat()), R"({"MC":512})");
  Parameter a = *Parameter::integer("a", 1, 3), b = *Parameter::real("b", 0, 1);
  a.extent = 0.5;
  b.extent = 1e300;
  EXPECT_EQ(writeExtents(*Space::create({b, a})), R"({"b":1e+300,"a":0.5})");
  EXPECT_EQ(writeExtents(*Space::create({*Parameter::boolean("c")})), "");
}
