//===- ScenarioTest.cpp - Tests of the scenario files of BaCO -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Format/Scenario.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace baco;

/// A scenario with these parameters and further members.
static std::string scenario(const std::string &parameters,
                            const std::string &more = "") {
  return R"({"optimization_objectives": ["time"], "input_parameters": {)" +
         parameters + "}" + (more.empty() ? "" : ", ") + more + "}";
}

static const char oneParameter[] =
    R"("a": {"parameter_type": "integer", "values": [1, 4]})";

/// The space's only parameter.
static Parameter readOne(const std::string &json) {
  Result<Scenario> read = readScenario(scenario("\"a\": " + json));
  if (!read) {
    ADD_FAILURE() << read.error().message;
    return *Parameter::boolean("failed");
  }
  return read->space.parameters()[0];
}

static std::string errorOf(const std::string &json) {
  Result<Scenario> read = readScenario(json);
  return read ? "no error" : read.error().message;
}

TEST(ScenarioTest, HasTheDefaultsOfTheReference) {
  Result<Scenario> read = readScenario(scenario(oneParameter));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->applicationName, "application");
  EXPECT_EQ(read->objectives, std::vector<std::string>{"time"});
  EXPECT_EQ(read->technique, "baco");
  EXPECT_FALSE(read->usesForest);
  EXPECT_FALSE(read->usesLogObjective);
  EXPECT_EQ(read->initialDesign, 10u);
  EXPECT_EQ(read->budget(), 60u);
  EXPECT_EQ(read->timeLimitSeconds, 0);
  EXPECT_FALSE(read->feasibleOutput.isEnabled);
  EXPECT_EQ(read->feasibleOutput.trueValue, "True");
  EXPECT_EQ(read->feasibleOutput.falseValue, "False");
  EXPECT_TRUE(read->ignored.empty());
}

TEST(ScenarioTest, ReadsTheKindsOfParameters) {
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
  EXPECT_EQ(integer.defaultValue, Value(int64_t(4)));

  Parameter whole =
      readOne(R"({"parameter_type": "ordinal", "values": [4.0, 1, 2]})");
  EXPECT_EQ(whole.kind(), ParameterKind::Ordinal);
  EXPECT_EQ(whole.value(0), Value(int64_t(1)));
  EXPECT_EQ(whole.value(2), Value(int64_t(4)));

  Parameter fraction =
      readOne(R"({"parameter_type": "ordinal", "values": [1, 0.5]})");
  EXPECT_EQ(fraction.value(0), Value(0.5));
  EXPECT_EQ(fraction.value(1), Value(1.0));

  Parameter categorical =
      readOne(R"({"parameter_type": "categorical", "values": ["b", "a"],
                  "parameter_default": "a"})");
  EXPECT_EQ(categorical.kind(), ParameterKind::Categorical);
  EXPECT_EQ(categorical.value(0), Value(std::string("b")));

  Parameter order = readOne(R"({"parameter_type": "permutation", "values": [3],
                  "parametrization": "Kendall",
                  "parameter_default": [2, 0, 1]})");
  EXPECT_EQ(order.permutationSize(), 3);
  EXPECT_EQ(order.metric(), PermutationMetric::Kendall);
  EXPECT_EQ(order.defaultValue, Value(Permutation{2, 0, 1}));
}

TEST(ScenarioTest, ReadsPriors) {
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

TEST(ScenarioTest, ReadsExtents) {
  EXPECT_EQ(readOne(R"({"parameter_type": "integer", "values": [1, 5],
                  "extent": 64})")
                .extent,
            64);
}

TEST(ScenarioTest, ReadsPriorsOfReals) {
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

TEST(ScenarioTest, NotesOtherPriors) {
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
TEST(ScenarioTest, ReadsPositionsInOrders) {
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

TEST(ScenarioTest, ReadsConstraintsOverLaterParameters) {
  Result<Scenario> read = readScenario(scenario(
      R"json("a": {"parameter_type": "ordinal", "values": [1, 2, 3, 4, 6],
               "constraints": ["(b % a == 0) & (a <= b)"],
               "dependencies": ["b"]},
         "b": {"parameter_type": "ordinal", "values": [4, 6]},
         "p": {"parameter_type": "permutation", "values": [3],
               "parametrization": "spearman", "constraints": ["p_i0 < p_i1"],
               "dependencies": []})json"));
  ASSERT_TRUE(read) << read.error().message;
  // Divisors of 4: 1, 2, 4; of 6: 1, 2, 3, 6; half of the orders.
  EXPECT_EQ(read->space.count(), "21");
  EXPECT_EQ(read->space.parameters()[0].name(), "a");
}

TEST(ScenarioTest, ReadsSettings) {
  Result<Scenario> read = readScenario(scenario(oneParameter, R"(
      "application_name": "mm", "optimization_iterations": 53,
      "design_of_experiment": {"doe_type": "random sampling",
                               "number_of_samples": 7,
                               "allow_repetitions": false},
      "models": {"model": "random_forest", "number_of_trees": 200},
      "log_transform_output": true, "time_budget": 1.5,
      "feasible_output": {"enable_feasible_predictor": true, "name": "works",
                          "true_value": true, "false_value": 0},
      "GP_model": "gpy", "lengthscale_prior": {"name": "gamma"},
      "hypermapper_mode": {"mode": "client-server"},
      "x_units": {"time": "ms"})"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->applicationName, "mm");
  EXPECT_EQ(read->initialDesign, 7u);
  EXPECT_EQ(read->budget(), 60u);
  EXPECT_TRUE(read->usesForest);
  EXPECT_TRUE(read->usesLogObjective);
  EXPECT_EQ(read->timeLimitSeconds, 90);
  EXPECT_TRUE(read->feasibleOutput.isEnabled);
  EXPECT_EQ(read->feasibleOutput.name, "works");
  EXPECT_EQ(read->feasibleOutput.trueValue, "True");
  EXPECT_EQ(read->feasibleOutput.falseValue, "0");
  EXPECT_EQ(read->ignored, (std::vector<std::string>{
                               "GP_model", "lengthscale_prior",
                               "hypermapper_mode", "models.number_of_trees",
                               "design_of_experiment.allow_repetitions"}));
}

TEST(ScenarioTest, FeasibleOutputDefaultsToLowerCaseWhereItIsGiven) {
  Result<Scenario> read =
      readScenario(scenario(oneParameter, R"("feasible_output": {})"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->feasibleOutput.trueValue, "true");
  EXPECT_EQ(read->feasibleOutput.falseValue, "false");
}

TEST(ScenarioTest, NamesTheTechnique) {
  auto technique = [](const std::string &more) {
    Result<Scenario> read = readScenario(scenario(oneParameter, more));
    return read ? read->technique : read.error().message;
  };
  EXPECT_EQ(technique(R"("optimization_method": "opentuner")"), "opentuner");
  EXPECT_EQ(technique(R"("optimization_method": "ytopt_ccs")"), "forest");
  EXPECT_EQ(technique(R"("optimization_iterations": 0)"), "random");
  EXPECT_EQ(technique(R"("optimization_iterations": 0, "design_of_experiment":
                {"doe_type": "embedding random sampling"})"),
            "random-walk");
  EXPECT_EQ(technique(R"("optimization_method": "magic")").substr(0, 36),
            "unknown optimization_method 'magic':");
}

TEST(ScenarioTest, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(errorOf(scenario(oneParameter, R"("optimization": 1)")),
            "a scenario has no key 'optimization'; keys of your own start with "
            "'x_'");
  EXPECT_EQ(errorOf(scenario(oneParameter, R"("models": {"modle": "x"})")),
            "a scenario has no key 'models.modle'; keys of your own start with "
            "'x_'");
  EXPECT_EQ(
      errorOf(scenario(
          R"("a": {"parameter_type": "integer", "values": [1, 2], "x_why": 0,
                   "value": 1})")),
      "a scenario has no key 'input_parameters.a.value'; keys of your own "
      "start with 'x_'");
}

TEST(ScenarioTest, NamesWhatIsWrong) {
  auto parameterError = [](const std::string &json) {
    return errorOf(scenario("\"a\": " + json));
  };
  EXPECT_EQ(errorOf("[]"), "a scenario must be a JSON object");
  EXPECT_EQ(errorOf(R"({"optimization_objectives": ["time"]})"),
            "a scenario needs 'input_parameters', an object with at least one "
            "parameter");
  EXPECT_EQ(
      errorOf("{\"input_parameters\": {" + std::string(oneParameter) + "}}"),
      "a scenario needs 'optimization_objectives', a list of at least "
      "one name");
  EXPECT_EQ(parameterError(R"({"parameter_type": "real", "values": [1]})"),
            "the values of parameter 'a' must be two numbers, the least and "
            "the largest");
  EXPECT_EQ(parameterError(R"({"parameter_type": "complex", "values": [1]})"),
            "parameter 'a' has an unknown type 'complex': the known ones are "
            "real, integer, ordinal, categorical, permutation");
  EXPECT_EQ(parameterError(R"({"parameter_type": "ordinal", "values": ["1"]})"),
            "the values of parameter 'a' must be numbers");
  EXPECT_EQ(
      parameterError(R"({"parameter_type": "permutation", "values": [3, 2]})"),
      "the values of parameter 'a' must hold one number, the number of "
      "elements");
  EXPECT_EQ(parameterError(R"({"parameter_type": "real", "values": [0, 1],
                               "prior": 3})"),
            "the prior of parameter 'a' must be a name or a list of numbers");
  EXPECT_EQ(parameterError(R"({"parameter_type": "ordinal", "values": [2, 1],
                               "prior": [0.5, 0.5]})"),
            "parameter 'a' has a prior, but its values aren't in increasing "
            "order: sort both");
  EXPECT_EQ(parameterError(R"({"parameter_type": "integer", "values": [1, 2],
                               "constraints": ["a > 0 & a < 2"]})"),
            "parameter 'a': in 'a > 0 & a < 2', column 7: '&' takes "
            "conditions, not numbers; it binds tighter than comparisons: write "
            "each of them between parentheses");
  EXPECT_EQ(parameterError(R"({"parameter_type": "integer", "values": [1, 2],
                               "dependencies": ["b"]})"),
            "parameter 'a' depends on 'b', which isn't a parameter");
  EXPECT_EQ(errorOf(scenario(oneParameter, R"("time_budget": 0)")),
            "'time_budget' is 0 minutes; -1 stands for no limit");
  EXPECT_EQ(errorOf(scenario(oneParameter, R"("optimization_iterations": -1)")),
            "'optimization_iterations' can't be negative, but it is -1");
}
