//===- ConfigurationFormatTest.cpp - Tests of configurations as JSON ------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Format/SpaceFormat.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace baco;

static Space example() {
  return *Space::create(
      {*Parameter::ordinal("MC", {int64_t(64), int64_t(128)}),
       *Parameter::permutation("order", 2),
       *Parameter::categorical("mode",
                               {std::string("outer"), std::string("é\n")}),
       *Parameter::boolean("pack"), *Parameter::real("alpha", -1e300, 1e300)});
}

TEST(ConfigurationFormatTest, Writes) {
  Configuration c = {int64_t(64), Permutation{1, 0}, std::string("outer"), true,
                     2.0};
  EXPECT_EQ(
      writeConfiguration(example(), c),
      R"({"MC":64,"order":[1,0],"mode":"outer","pack":true,"alpha":2.0})");
  EXPECT_EQ(writeConfiguration(*Space::create({}), {}), "{}");
}

TEST(ConfigurationFormatTest, RoundTripsExactly) {
  Space space = example();
  for (double alpha : {0.1, 1.0 / 3, 5e-324, -1e300, 123456789.123456789, -0.0,
                       9007199254740993.0, 1e22}) {
    Configuration c = {int64_t(128), Permutation{0, 1}, std::string("é\n"),
                       false, alpha};
    auto back = readConfiguration(space, writeConfiguration(space, c));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, c);
    EXPECT_EQ(std::signbit(std::get<double>((*back)[4])), std::signbit(alpha));
  }
}

TEST(ConfigurationFormatTest, AnyOrderAndNumbersOfTheParametersType) {
  auto c = readConfiguration(
      example(),
      R"({"alpha": 3, "pack": false, "mode": "outer", "order": [0, 1],
          "MC": 64.0})");
  ASSERT_TRUE(c) << c.error().message;
  EXPECT_EQ(*c, (Configuration{int64_t(64), Permutation{0, 1},
                               std::string("outer"), false, 3.0}));
}

static std::string configurationError(const std::string &text) {
  auto c = readConfiguration(example(), text);
  return c ? "no error" : c.error().message;
}

TEST(ConfigurationFormatTest, Errors) {
  EXPECT_EQ(configurationError("").substr(0, 10), "not JSON: ");
  EXPECT_EQ(configurationError("[1]"), "a configuration must be a JSON object");
  EXPECT_EQ(configurationError("{\"NC\": 1}"),
            "the space has no parameter 'NC'");
  EXPECT_EQ(configurationError("{\"MC\": 64, \"MC\": 64}"),
            "'MC' is given twice");
  EXPECT_EQ(configurationError("{\"MC\": 64}"),
            "parameter 'order' has no value");
  EXPECT_EQ(configurationError("{\"MC\": null}"),
            "parameter 'MC': null isn't a value");
  EXPECT_EQ(configurationError("{\"order\": [1, 1]}"),
            "parameter 'order': [1,1] isn't a value");
  EXPECT_EQ(configurationError(R"({"MC": 65, "order": [1, 0], "mode": "outer",
                        "pack": true, "alpha": 0})"),
            "parameter 'MC': 65 isn't one of its values");
}

TEST(ConfigurationFormatTest, AssignmentsKeepTheirOrder) {
  auto assignment = readAssignment(R"({"z": 1, "a": [0], "m": 0.5, "s": "x"})");
  ASSERT_TRUE(assignment) << assignment.error().message;
  std::vector<std::pair<std::string, ParameterValue>> expected = {
      {"z", int64_t(1)},
      {"a", Permutation{0}},
      {"m", 0.5},
      {"s", std::string("x")}};
  EXPECT_EQ(*assignment, expected);
  EXPECT_TRUE(readAssignment("{}")->empty());
  EXPECT_FALSE(readAssignment("{\"a\": {}}"));
  EXPECT_FALSE(readAssignment("3"));
}
