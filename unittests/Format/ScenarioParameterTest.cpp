//===- ScenarioParameterTest.cpp - Parameters of scenarios ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScenarioText.h"
#include "baco/Format/Scenario.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace baco;

/// The space's only parameter.
static Parameter readOne(const std::string &json) {
  Result<Scenario> read = readScenario(scenario("\"a\": " + json));
  if (!read) {
    ADD_FAILURE() << read.error().message;
    return *Parameter::boolean("failed");
  }
  return read->space.parameters()[0];
}

TEST(ScenarioParameterTest, ReadsTheKindsOfParameters) {
  Parameter real = readOne(R"({"parameter_type": "real", "values": [0.5, 8],
                  "transform": "log", "parameter_default": 2})");
  EXPECT_EQ(real.kind(), ParameterKind::Real);
  EXPECT_EQ(real.lower(), 0.5);
  EXPECT_EQ(real.upper(), 8);
  EXPECT_TRUE(real.isLog());

  // The bounds of integers may come in either order.
  Parameter integer =
      readOne(R"({"parameter_type": "integer", "values": [9, 2.0],
                  "transform": "none", "parameter_default": 4.0})");
  EXPECT_EQ(integer.kind(), ParameterKind::Integer);
  EXPECT_EQ(integer.lower(), 2);
  EXPECT_EQ(integer.size(), 8u);
  EXPECT_EQ(integer.defaultValue, ParameterValue(int64_t(4)));

  Parameter whole =
      readOne(R"({"parameter_type": "ordinal", "values": [4.0, 1, 2]})");
  EXPECT_EQ(whole.kind(), ParameterKind::Ordinal);
  EXPECT_EQ(whole.value(0), ParameterValue(int64_t(1)));
  EXPECT_EQ(whole.value(2), ParameterValue(int64_t(4)));

  Parameter fraction =
      readOne(R"({"parameter_type": "ordinal", "values": [1, 0.5]})");
  EXPECT_EQ(fraction.value(0), ParameterValue(0.5));
  EXPECT_EQ(fraction.value(1), ParameterValue(1.0));

  Parameter categorical =
      readOne(R"({"parameter_type": "categorical", "values": ["b", "a"],
                  "parameter_default": "a"})");
  EXPECT_EQ(categorical.kind(), ParameterKind::Categorical);
  EXPECT_EQ(categorical.value(0), ParameterValue(std::string("b")));

  Parameter order = readOne(R"({"parameter_type": "permutation", "values": [3],
                  "parametrization": "Kendall",
                  "parameter_default": [2, 0, 1]})");
  EXPECT_EQ(order.permutationSize(), 3);
  EXPECT_EQ(order.metric(), PermutationMetric::Kendall);
  EXPECT_EQ(order.defaultValue, ParameterValue(Permutation{2, 0, 1}));
}

TEST(ScenarioParameterTest, ReadsPriors) {
  Parameter ordinal =
      readOne(R"({"parameter_type": "ordinal", "values": [1, 2, 4],
                  "prior": [0.5, 0.25, 0.25]})");
  EXPECT_EQ(ordinal.weights, (std::vector<double>{0.5, 0.25, 0.25}));
  // Five values from weights at 1, 3 and 5.
  Parameter integer = readOne(R"({"parameter_type": "integer", "values": [1, 5],
                  "prior": [0, 4, 1], "prior_parameters": []})");
  EXPECT_EQ(integer.weights, (std::vector<double>{0, 2, 4, 2.5, 1}));
  Parameter single = readOne(R"({"parameter_type": "integer", "values": [3, 3],
                  "prior": [7, 1]})");
  EXPECT_EQ(single.weights, std::vector<double>{7});
  Parameter uniform = readOne(R"({"parameter_type": "real", "values": [0, 1],
                  "prior": "uniform"})");
  EXPECT_TRUE(uniform.weights.empty());
}

TEST(ScenarioParameterTest, ReadsExtents) {
  EXPECT_EQ(readOne(R"({"parameter_type": "integer", "values": [1, 5],
                  "extent": 64})")
                .extent,
            64);
}

TEST(ScenarioParameterTest, ReadsPriorsOfReals) {
  Parameter list = readOne(R"({"parameter_type": "real", "values": [0, 1],
                  "prior": [1, 3, 2]})");
  EXPECT_EQ(list.weights, (std::vector<double>{1, 3, 2}));
  Parameter gaussian = readOne(R"({"parameter_type": "real", "values": [0, 16],
                  "prior": "gaussian", "prior_parameters": [4, 2]})");
  ASSERT_EQ(gaussian.weights.size(), 129u); // eight to a unit
  EXPECT_DOUBLE_EQ(gaussian.weights[32], 1);
  EXPECT_DOUBLE_EQ(gaussian.weights[48], std::exp(-0.5));
  EXPECT_DOUBLE_EQ(gaussian.weights[0], std::exp(-2.0));
  EXPECT_EQ(errorOf(scenario(R"("a": {"parameter_type": "real",
                  "values": [0, 1], "prior": "gaussian",
                  "prior_parameters": [1, 0]})")),
            "the gaussian prior of parameter 'a' needs 'prior_parameters': a "
            "mean, and a deviation above 0");
  EXPECT_EQ(errorOf(scenario(R"("a": {"parameter_type": "real",
                  "values": [0, 1], "prior": [1]})")),
            "parameter 'a': a real needs 2 weights or more, at equal distances "
            "over its range");
}

TEST(ScenarioParameterTest, NotesOtherPriors) {
  Result<Scenario> read = readScenario(scenario(
      R"("a": {"parameter_type": "real", "values": [0, 15],
               "prior": "decay", "prior_parameters": [5, 5]},
         "b": {"parameter_type": "permutation", "values": [3],
               "prior": [1, 2]},
         "c": {"parameter_type": "ordinal", "values": [1, 2],
               "prior": "decay"})"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->ignored,
            (std::vector<std::string>{"input_parameters.a.prior",
                                      "input_parameters.b.prior",
                                      "input_parameters.c.prior"}));
}

/// A constraint of BaCO's published scenarios: loops 0 and 1 are outside of 2
/// and 4.
TEST(ScenarioParameterTest, ReadsPositionsInOrders) {
  Result<Scenario> read = readScenario(scenario(
      R"json("p": {"parameter_type": "permutation", "values": [5],
          "parametrization": "spearman", "parameter_default": [0, 1, 2, 3, 4],
          "constraints": [
            "((p_i2 < p_i4) & (p_i0 < p_i2) & (p_i1 < p_i2)) | ((p_i4 < p_i2) & (p_i0 < p_i4) & (p_i1 < p_i4))"]},
        "uf": {"parameter_type": "ordinal", "transform": "log",
          "values": [2, 4, 8, 16], "constraints": ["uf < cs", "uf % 2 == 0"],
          "dependencies": ["cs"]},
        "cs": {"parameter_type": "ordinal", "values": [2, 4, 8, 16]})json"));
  ASSERT_TRUE(read) << read.error().message;
  // One in six of 120 orders; 3 + 2 + 1 pairs.
  EXPECT_EQ(read->space.count(), "120");
}
