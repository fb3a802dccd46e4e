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

static Space example() {
  Parameter tile =
      *Parameter::ordinal("MC", {int64_t(64), int64_t(128)}, /*log=*/true);
  tile.defaultValue = Value(int64_t(128));
  tile.location = "mm.mlir:3:7";
  tile.extent = 512;
  Parameter mode = *Parameter::categorical(
      "mode", {std::string("outer"), std::string("a \"b\" é")});
  mode.weights = {0.25, 0.75};
  Parameter order =
      *Parameter::permutation("order", 2, PermutationMetric::Kendall);
  order.defaultValue = Value(Permutation{1, 0});
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
  EXPECT_EQ(*writeSpace(example()), exampleText);
}

TEST(SpaceFormatTest, RoundTrips) {
  Result<Space> space = readSpace(exampleText);
  ASSERT_TRUE(space) << space.error().message;
  EXPECT_EQ(*writeSpace(*space), exampleText);
  EXPECT_EQ(space->parameters()[2].metric(), PermutationMetric::Kendall);
  EXPECT_EQ(space->constraints()[0].reason, "full tiles");
  EXPECT_TRUE(space->constraints()[0].advisory);
  EXPECT_EQ(space->defaultPoint(), example().defaultPoint());
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
      "odd", {"a"}, [](std::span<const Value> x) { return true; });
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

static std::string errorOf(const std::string &text) {
  Result<Space> space = readSpace(text);
  return space ? "no error" : space.error().message;
}

static std::string errorOfParameter(const std::string &members) {
  return errorOf(R"({"parameters": [{"name": "a", )" + members + "}]}");
}

TEST(SpaceFormatTest, MalformedSpaces) {
  for (const char *text : {"", "{", "nonsense", "{\"parameters\": [1,]}",
                           "\xff\xfe", "{\"a\": 1e999}"}) {
    Result<Space> space = readSpace(text);
    ASSERT_FALSE(space) << text;
    EXPECT_EQ(space.error().code, ErrorCode::Corrupt);
    EXPECT_EQ(space.error().message.substr(0, 10), "not JSON: ") << text;
    EXPECT_EQ(space.error().message.find('\n'), std::string::npos);
  }
  EXPECT_EQ(errorOf(std::string(100'000, '[')).substr(0, 10), "not JSON: ");
  EXPECT_EQ(errorOf("{\"parameters\": " + std::string(200, '[') +
                    std::string(200, ']') + "}"),
            "the JSON is nested too deeply");
  EXPECT_EQ(errorOf("[]"), "a space must be a JSON object");
  EXPECT_EQ(errorOf("{}"), "a space needs a list of 'parameters'");
  EXPECT_EQ(errorOf("{\"parameters\": [], \"constrains\": []}"),
            "a space has an unknown member 'constrains'");
  EXPECT_EQ(errorOf("{\"parameters\": [], \"parameters\": []}"),
            "'parameters' is given twice");
  EXPECT_EQ(errorOf("{\"parameters\": [7]}"),
            "a parameter must be a JSON object");
  EXPECT_EQ(errorOf("{\"parameters\": [], \"constraints\": 1}"),
            "the 'constraints' of a space must be a list");
  EXPECT_EQ(errorOf("{\"parameters\": [], \"constraints\": [{\"expression\": "
                    "\"1 <\"}]}"),
            "in '1 <', column 4: expected a value, but the expression ends");
}

TEST(SpaceFormatTest, MalformedParameters) {
  EXPECT_EQ(errorOfParameter("\"kind\": \"ordnal\""),
            "parameter 'a' has an unknown kind 'ordnal'");
  EXPECT_EQ(errorOfParameter("\"kind\": 3"),
            "'kind' of parameter 'a' must be a string");
  EXPECT_EQ(errorOfParameter("\"kind\": \"ordinal\""),
            "parameter 'a' needs a list of 'values'");
  EXPECT_EQ(errorOfParameter("\"kind\": \"ordinal\", \"values\": [null]"),
            "parameter 'a': null isn't a value");
  EXPECT_EQ(errorOfParameter(
                "\"kind\": \"ordinal\", \"values\": [18446744073709551615]"),
            "parameter 'a': 18446744073709551615 isn't a value");
  EXPECT_EQ(errorOfParameter("\"kind\": \"ordinal\", \"values\": [2, 1]"),
            "parameter 'a': values must increase, but 1 follows 2");
  EXPECT_EQ(errorOfParameter("\"kind\": \"integer\", \"range\": [1]"),
            "parameter 'a' needs a 'range' of two numbers");
  EXPECT_EQ(errorOfParameter("\"kind\": \"integer\", \"range\": [1, 2.5]"),
            "the range of parameter 'a' must hold integers");
  EXPECT_EQ(errorOfParameter("\"kind\": \"real\", \"range\": [1, \"2\"]"),
            "the range of parameter 'a' must hold numbers");
  EXPECT_EQ(errorOfParameter("\"kind\": \"permutation\""),
            "parameter 'a': a permutation has 1 to 20 elements, not 0");
  EXPECT_EQ(errorOfParameter(
                "\"kind\": \"permutation\", \"size\": 3, \"metric\": \"x\""),
            "parameter 'a' has an unknown metric 'x'");
  EXPECT_EQ(errorOfParameter("\"kind\": \"boolean\", \"default\": {}"),
            "the default of parameter 'a' isn't a value");
  EXPECT_EQ(errorOfParameter("\"kind\": \"boolean\", \"weights\": [true]"),
            "the weights of parameter 'a' must be numbers");
  EXPECT_EQ(errorOfParameter("\"kind\": \"boolean\", \"extent\": \"x\""),
            "'extent' of parameter 'a' must be a number");
  EXPECT_EQ(errorOfParameter("\"kind\": \"boolean\", \"active_if\": 1"),
            "'active_if' of parameter 'a' must be an expression");
  EXPECT_EQ(errorOfParameter("\"kind\": \"boolean\", \"log\": 1"),
            "'log' of parameter 'a' must be true or false");
}

TEST(SpaceFormatTest, WritesExtents) {
  EXPECT_EQ(writeExtents(example()), R"({"MC":512})");
  Parameter a = *Parameter::integer("a", 1, 3), b = *Parameter::real("b", 0, 1);
  a.extent = 0.5;
  b.extent = 1e300;
  EXPECT_EQ(writeExtents(*Space::create({b, a})), R"({"b":1e+300,"a":0.5})");
  EXPECT_EQ(writeExtents(*Space::create({*Parameter::boolean("c")})), "");
}
