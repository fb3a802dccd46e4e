//===- SpaceReaderTest.cpp - Reading spaces -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Format/SpaceFormat.h"

#include <gtest/gtest.h>

using namespace baco;

static std::string spaceError(const std::string &text) {
  Result<Space> space = readSpace(text);
  return space ? "no error" : space.error().message;
}

static std::string errorOfParameter(const std::string &members) {
  return spaceError(R"({"parameters": [{"name": "a", )" + members + "}]}");
}

TEST(SpaceReaderTest, MalformedSpaces) {
  for (const char *text : {"", "{", "nonsense", "{\"parameters\": [1,]}",
                           "\xff\xfe", "{\"a\": 1e999}"}) {
    Result<Space> space = readSpace(text);
    ASSERT_FALSE(space) << text;
    EXPECT_EQ(space.error().code, ErrorCode::Corrupt);
    EXPECT_EQ(space.error().message.substr(0, 10), "not JSON: ") << text;
    EXPECT_EQ(space.error().message.find('\n'), std::string::npos);
  }
  EXPECT_EQ(spaceError(std::string(100'000, '[')).substr(0, 10), "not JSON: ");
  EXPECT_EQ(spaceError("{\"parameters\": " + std::string(200, '[') +
                       std::string(200, ']') + "}"),
            "the JSON is nested too deeply");
  EXPECT_EQ(spaceError("[]"), "a space must be a JSON object");
  EXPECT_EQ(spaceError("{}"), "a space needs a list of 'parameters'");
  EXPECT_EQ(spaceError("{\"parameters\": [], \"constrains\": []}"),
            "a space has an unknown member 'constrains'");
  EXPECT_EQ(spaceError("{\"parameters\": [], \"parameters\": []}"),
            "'parameters' is given twice");
  EXPECT_EQ(spaceError("{\"parameters\": [7]}"),
            "a parameter must be a JSON object");
  EXPECT_EQ(spaceError("{\"parameters\": [], \"constraints\": 1}"),
            "the 'constraints' of a space must be a list");
  EXPECT_EQ(
      spaceError("{\"parameters\": [], \"constraints\": [{\"expression\": "
                 "\"1 <\"}]}"),
      "in '1 <', column 4: expected a value, but the expression ends");
}

TEST(SpaceReaderTest, MalformedParameters) {
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
