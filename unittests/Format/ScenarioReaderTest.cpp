//===- ScenarioReaderTest.cpp - Tests of the scenario files of BaCO -------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScenarioText.h"
#include "baco/Format/Scenario.h"

#include <gtest/gtest.h>

using namespace baco;

static const char oneParameter[] =
    R"("a": {"parameter_type": "integer", "values": [1, 4]})";

TEST(ScenarioReaderTest, HasTheDefaultsOfTheReference) {
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

TEST(ScenarioReaderTest, ReadsConstraintsOverLaterParameters) {
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

TEST(ScenarioReaderTest, ReadsSettings) {
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
  EXPECT_TRUE(read->isClientServer);
  EXPECT_TRUE(read->feasibleOutput.isEnabled);
  EXPECT_EQ(read->feasibleOutput.name, "works");
  EXPECT_EQ(read->feasibleOutput.trueValue, "True");
  EXPECT_EQ(read->feasibleOutput.falseValue, "0");
  EXPECT_EQ(read->ignored,
            (std::vector<std::string>{
                "GP_model", "lengthscale_prior", "models.number_of_trees",
                "design_of_experiment.allow_repetitions"}));
}

TEST(ScenarioReaderTest, ModesThatNobodyServesAreErrors) {
  Result<Scenario> read = readScenario(
      scenario(oneParameter, R"("baco_mode": {"mode": "exhaustive"})"));
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("unknown mode 'exhaustive'"),
            std::string::npos)
      << read.error().message;
  read = readScenario(scenario(oneParameter, R"("baco_mode": {})"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_FALSE(read->isClientServer);
}

TEST(ScenarioReaderTest, FeasibleOutputDefaultsToLowerCaseWhereItIsGiven) {
  Result<Scenario> read =
      readScenario(scenario(oneParameter, R"("feasible_output": {})"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->feasibleOutput.trueValue, "true");
  EXPECT_EQ(read->feasibleOutput.falseValue, "false");
}

TEST(ScenarioReaderTest, NamesTheTechnique) {
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

TEST(ScenarioReaderTest, RefusesWhatItDoesNotKnow) {
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

TEST(ScenarioReaderTest, NamesWhatIsWrong) {
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
