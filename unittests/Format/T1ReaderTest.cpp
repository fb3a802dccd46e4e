//===- T1ReaderTest.cpp - Tests of T1 files -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "T1Text.h"
#include "baco/Format/TuningSchema.h"

#include "baco/Format/Scenario.h"
#include "baco/Format/SpaceFormat.h"

#include <gtest/gtest.h>

using namespace baco;

/// A T1 file with these parameters and conditions.
static std::string t1(const std::string &parameters,
                      const std::string &conditions = "") {
  return R"({"ConfigurationSpace": {"TuningParameters": [)" + parameters +
         R"(], "Conditions": [)" + conditions + R"(]}, "Search": {}})";
}

static std::string t1Error(const std::string &text) {
  Result<Space> space = readT1(text, "f.json");
  return space ? "no error" : space.error().message;
}

TEST(T1ReaderTest, ReadsTheKindsOfParameters) {
  auto one = [](const std::string &json) {
    Result<Space> space = readT1(t1(json));
    if (!space)
      ADD_FAILURE() << json << ": " << space.error().message;
    return space ? space->parameters()[0] : *Parameter::boolean("failed");
  };
  Parameter range = one(parameter("int", "range(3, 9, 2)"));
  EXPECT_EQ(range.kind(), ParameterKind::Integer);
  EXPECT_EQ(range.size(), 3u);
  Parameter list = one(parameter("uint", "[8, 2, 4]"));
  EXPECT_EQ(list.kind(), ParameterKind::Ordinal);
  EXPECT_EQ(list.value(0), ParameterValue(int64_t(2)));
  // The first of the list, as other tools have it.
  EXPECT_EQ(list.initialValue(), ParameterValue(int64_t(8)));
  EXPECT_EQ(
      one(parameter("float", "[0.5, 1]", R"(, "Default": 1)")).initialValue(),
      ParameterValue(int64_t(1)));
  EXPECT_EQ(one(parameter("bool", "[True, False]")).kind(),
            ParameterKind::Boolean);
  EXPECT_EQ(one(parameter("bool", "[0, 1]")).kind(), ParameterKind::Boolean);
  EXPECT_EQ(one(parameter("string", "['x', 'y']")).kind(),
            ParameterKind::Categorical);
  Parameter order = one(parameter("string", "['01', '10']",
                                  R"(, "BacoKind": "permutation",)"
                                  R"( "Metric": "kendall", "Default": "10")"));
  EXPECT_EQ(order.permutationSize(), 2);
  EXPECT_EQ(order.initialValue(), ParameterValue(Permutation{1, 0}));
  EXPECT_EQ(order.metric(), PermutationMetric::Kendall);
}

// Those of benchmark_hub's hyperparametertuning/algorithms.
TEST(T1ReaderTest, ReadsWhatOtherTunersRead) {
  std::vector<std::string> ignored;
  Result<Space> reals =
      readT1(t1(parameter("int", "[0.5, 1.0, 1.5]")), "", &ignored);
  ASSERT_TRUE(reals) << reals.error().message;
  EXPECT_EQ(reals->parameters()[0].value(0), ParameterValue(0.5));
  EXPECT_EQ(ignored.front(),
            "the type int of parameter 'a', whose values are real");
  const std::string one = parameter("int", "[10, 20]");
  Result<Space> twice = readT1(t1(one + ", " + one));
  ASSERT_TRUE(twice) << twice.error().message;
  EXPECT_EQ(twice->parameters().size(), 1u);
}

TEST(T1ReaderTest, ErrorsHaveTheirPlace) {
  std::string a = parameter("int", "[1, 2]");
  EXPECT_EQ(t1Error("{}"), "f.json:1:1: a T1 file needs a list of "
                           "'TuningParameters' in its 'ConfigurationSpace'");
  EXPECT_EQ(t1Error(t1(parameter("int", "[1, 2"))),
            "f.json:1:46: the values of parameter 'a': in '[1, 2', column 6: "
            "expected ',' or ']', but the text ends");
  EXPECT_NE(
      t1Error(t1(parameter("int", "['x']"))).find("isn't of the type int"),
      std::string::npos);
  EXPECT_NE(t1Error(t1(parameter("uint", "[-1]"))).find("-1 of parameter 'a'"),
            std::string::npos);
  EXPECT_NE(t1Error(t1(parameter("uint", "range(-1, 2)"))).find("type uint"),
            std::string::npos);
  EXPECT_NE(t1Error(t1(parameter("int", "[]"))).find("has no values"),
            std::string::npos);
  EXPECT_NE(t1Error(t1(parameter("int", "[1, 1]"))).find("must increase"),
            std::string::npos);
  EXPECT_NE(t1Error(t1(parameter("ints", "[1]"))).find("unknown type 'ints'"),
            std::string::npos);
  EXPECT_NE(t1Error(t1(parameter("string", "['01']",
                                 R"(, "BacoKind": "permutation")")))
                .find("a permutation has all orders"),
            std::string::npos);
  EXPECT_NE(t1Error(t1(parameter("string", "['01', 'x']",
                                 R"(, "BacoKind": "permutation")")))
                .find("'x' isn't an order"),
            std::string::npos);
  EXPECT_NE(t1Error(t1(a + ", " + parameter("int", "[1]"))).find("'a'"),
            std::string::npos);
  EXPECT_NE(t1Error(t1(a, R"({"Expression": "a >"})")).find("column 4"),
            std::string::npos);
  EXPECT_NE(t1Error(t1(a, R"({"Parameters": ["b"], "Expression": "a > 1"})"))
                .find("reads \"b\", which isn't a parameter"),
            std::string::npos);
  EXPECT_NE(t1Error(t1(a, "[]")).find("needs an 'Expression'"),
            std::string::npos);
  EXPECT_NE(t1Error(t1("3")).find("must be a JSON object"), std::string::npos);
}

TEST(T1ReaderTest, ListsWhatHasNoEffect) {
  std::vector<std::string> ignored;
  ASSERT_TRUE(
      readT1(t1(parameter("int", "[1]", R"(, "Default": [0])")), "", &ignored));
  EXPECT_EQ(ignored,
            (std::vector<std::string>{
                "the default of parameter 'a', which isn't one of its values",
                "Search"}));
}

/// Whatever is cut off or changed: an error, or another space.
TEST(T1ReaderTest, SurvivesDamage) {
  Result<Space> ours = readSpace(std::string(mixed) + "\"}");
  ASSERT_TRUE(ours);
  std::string text = *writeT1(*ours, "kernel");
  for (size_t size = 0; size + 2 < text.size(); size += 7) {
    Result<Space> cut = readT1(text.substr(0, size), "f");
    ASSERT_FALSE(cut);
    EXPECT_TRUE(cut.error().message.starts_with("f:")) << cut.error().message;
    EXPECT_EQ(cut.error().message.find('\n'), std::string::npos);
  }
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = text;
    damaged[random.below(text.size())] = char(32 + random.below(96));
    Result<Space> read = readT1(damaged, "f");
    if (!read)
      EXPECT_EQ(read.error().message.find('\n'), std::string::npos);
  }
}
