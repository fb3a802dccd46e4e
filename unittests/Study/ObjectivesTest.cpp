//===- ObjectivesTest.cpp - Tests of several results ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Study/Objectives.h"

#include "baco/Study/AskTell.h"
#include "baco/Support/CostUnit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

using namespace baco;
using namespace baco::study;
using database::Trial;

static Objectives parse(const std::string &text,
                        const std::string &order = "") {
  Result<Objectives> parsed = Objectives::parse(text, order);
  EXPECT_TRUE(parsed) << parsed.error().message;
  return parsed ? *parsed : Objectives();
}

static std::string errorOf(const std::string &text,
                           const std::string &order = "") {
  Result<Objectives> parsed = Objectives::parse(text, order);
  return parsed ? "no error" : parsed.error().message;
}

static Trial trialOf(const Objectives &objectives, uint64_t number,
                     const std::vector<double> &values) {
  Trial trial;
  trial.number = number;
  trial.configuration = "{}";
  trial.outcome = objectives.judge(values);
  return trial;
}

TEST(ObjectivesTest, GoalsAndBounds) {
  Objectives objectives =
      parse(" time ,max accuracy>= 0.99, size <= 1e6,min power < 5.0");
  EXPECT_EQ(objectives.text(), "min time, max accuracy >= 0.99, size <= 1e+06, "
                               "min power < 5.0");
  EXPECT_EQ(parse(objectives.text()).text(), objectives.text());
  EXPECT_EQ(objectives.orderText(), "pareto");
  EXPECT_TRUE(objectives.areSeveral());
  EXPECT_TRUE(objectives.minimizesFirst());
  // A bound alone leaves one number to minimize.
  EXPECT_FALSE(parse("time, accuracy >= 0.99").areSeveral());
  EXPECT_FALSE(parse("max accuracy").minimizesFirst());
  EXPECT_FALSE(parse("a, b", "a * b").areSeveral());
}

TEST(ObjectivesTest, MistakesAreNamed) {
  EXPECT_NE(errorOf("time,").find("has no name"), std::string::npos);
  EXPECT_EQ(errorOf("a >= x"),
            "the bound of 'a' must be <=, <, >= or > and a number, but is "
            "'>= x'");
  EXPECT_NE(errorOf("a == 1").find("the bound of 'a'"), std::string::npos);
  EXPECT_NE(errorOf("a < nan").find("the bound of 'a'"), std::string::npos);
  EXPECT_EQ(errorOf("a, b, a"), "two results have the name 'a'");
  EXPECT_NE(errorOf("a >= 1").find("no result is minimized"),
            std::string::npos);
  EXPECT_EQ(errorOf("a, b", "weighted:1"),
            "'weighted:1' needs as many weights as there are results to "
            "minimize, 2");
  EXPECT_NE(errorOf("a, b", "weighted:0,0").find("must be positive"),
            std::string::npos);
  EXPECT_EQ(parse("a, b", "weighted: 2,1.0").orderText(), "weighted:2.0,1.0");
  for (const char *name : {"maximize g", "max", "max max g", "min\tmax g"})
    EXPECT_NE(errorOf(name).find(name == std::string("max") ? "has no name"
                                                            : "like a goal"),
              std::string::npos)
        << name << ": " << errorOf(name);
  EXPECT_EQ(parse("max\tf").text(), "max f");
  for (const char *name : {"a\xff", "a\nb", "a\x1b"})
    EXPECT_NE(errorOf(name).find("control characters"), std::string::npos);
  EXPECT_NE(errorOf("time_ns").find("is a column"), std::string::npos);
  EXPECT_NE(errorOf("a, b", "a < b").find("is true or false"),
            std::string::npos);
  EXPECT_FALSE(Objectives::minimizing({"a,b", "c"}));
  Space space = *Space::create({*Parameter::integer("a", 0, 3)});
  EXPECT_FALSE(parse("a, b").checkSpace(space));
  EXPECT_NE(errorOf("a, b", "weighted:1,-1").find("at least 0"),
            std::string::npos);
  EXPECT_NE(errorOf("a, max b", "weighted:1,1").find("'b' is maximized"),
            std::string::npos);
  EXPECT_EQ(errorOf("a, b", "a * c"),
            "the order reads 'c', which is no result of candidates; others "
            "are pareto, lexicographic and weighted:NUMBERS");
  EXPECT_EQ(errorOf("a, b", "1 + 1"), "the order '1 + 1' reads no result");
  EXPECT_NE(errorOf("a, b", "a *").find("nor an expression"),
            std::string::npos);
}

TEST(ObjectivesTest, OutcomesSayWhatIsNotKept) {
  Objectives objectives = parse("max accuracy >= 0.5, time <= 3");
  Outcome outcome = objectives.judge({0.75, 3});
  EXPECT_EQ(outcome.status, Status::Ok);
  EXPECT_EQ(outcome.timeNs, -0.75);
  EXPECT_EQ(costUnitOf(outcome), CostUnit::Number);
  EXPECT_EQ(outcome.metrics,
            (std::vector<Metric>{{"accuracy", 0.75}, {"time", 3}}));
  outcome = objectives.judge({0.75, 3.5});
  EXPECT_EQ(outcome.status, Status::WrongResult);
  EXPECT_TRUE(std::isnan(outcome.timeNs));
  EXPECT_EQ(outcome.message, "time is 3.5, but must be <= 3.0");
  EXPECT_EQ(outcome.metrics.size(), 2u);
  // The first result has a unit.
  outcome = parse("time, size <= 10").judge({2, 10}, 1e6);
  EXPECT_EQ(outcome.timeNs, 2e6);
  EXPECT_EQ(costUnitOf(outcome), CostUnit::Nanoseconds);
}

TEST(ObjectivesTest, WhatHasNoOrderFails) {
  Outcome outcome = parse("a, b", "weighted:1,1").judge({0, 1});
  EXPECT_EQ(outcome.status, Status::WrongResult);
  EXPECT_EQ(outcome.message, "weights need results above 0, but one is 0.0");
  outcome = parse("a, b").judge({0, 1}, /*unitNs=*/1e9);
  EXPECT_EQ(outcome.status, Status::WrongResult);
  // Without a unit it isn't a time.
  EXPECT_EQ(parse("a, b").judge({0, 1}).status, Status::Ok);
}

TEST(ObjectivesTest, TrialsWithoutResultsAreFound) {
  Objectives objectives = parse("a, max b");
  Trial trial = trialOf(objectives, 3, {1, 2});
  EXPECT_TRUE(objectives.checkTrial(trial));
  EXPECT_EQ(objectives.shown(trial.outcome->timeNs), 1);
  EXPECT_EQ(parse("max b").shown(-2), 2);
  trial.outcome->metrics.pop_back();
  EXPECT_EQ(objectives.checkTrial(trial).error().message,
            "trial 3 has no result 'b'");
  // They do no harm until then.
  EXPECT_EQ(objectives.front({trial}), std::vector<size_t>{0});
}

TEST(ObjectivesTest, RecordedOutcomesAreJudgedAgain) {
  Outcome recorded = parse("a, b").judge({4, 2}, 1e6);
  recorded.runNs = 7;
  Objectives other = parse("b, a <= 3");
  Result<Outcome> outcome = other.judgeAgain(recorded, 0);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, Status::WrongResult);
  EXPECT_EQ(outcome->runNs, 7);
  EXPECT_EQ(parse("b, a").judgeAgain(recorded, 0)->timeNs, 2);
  EXPECT_EQ(parse("c, a").judgeAgain(recorded, 0).error().message,
            "a recorded candidate has no result 'c'");
}

TEST(ObjectivesTest, ExpressionsAreMinimized) {
  Objectives objectives = parse("time, power", "time * power");
  EXPECT_EQ(objectives.judge({2, 3}).timeNs, 6);
  EXPECT_EQ(parse("a, b", "a / b").judge({1, 0}).message,
            "'a / b' has no finite value");
}

TEST(ObjectivesTest, OrdersHaveTheirBest) {
  const std::vector<std::vector<double>> values = {
      {4, 1}, {1, 4}, {2, 2}, {1, 5}, {4, 4}};
  auto trialsOf = [&](const Objectives &objectives) {
    std::vector<Trial> trials;
    for (size_t i = 0; i < values.size(); ++i)
      trials.push_back(trialOf(
          objectives, i,
          {values[i].begin(), values[i].begin() + objectives.list().size()}));
    return trials;
  };
  struct Case {
    const char *text, *order;
    size_t best;
    std::vector<size_t> front;
  };
  for (const Case &test :
       {Case{"a, b", "pareto", 1, {1, 2, 0}},
        Case{"a, b", "lexicographic", 1, {1, 2, 0}},
        Case{"a, b", "weighted:1,1", 2, {1, 2, 0}},
        Case{"a, b", "a * a + b", 1, {1, 2, 0}}, Case{"a, max b", "", 3, {3}},
        Case{"a, b >= 0", "", 1, {1}}, Case{"max a", "", 0, {0}}}) {
    SCOPED_TRACE(std::string(test.text) + " " + test.order);
    Objectives objectives = parse(test.text, test.order);
    EXPECT_EQ(objectives.best(trialsOf(objectives)), test.best);
    EXPECT_EQ(objectives.front(trialsOf(objectives)), test.front);
  }
  EXPECT_EQ(parse("a, b").best({}), std::nullopt);
}

/// Schaffer's problem in a journal, and after a restart.
TEST(ObjectivesTest, StudiesFindAndKeepTheFront) {
  std::string path = testing::TempDir() + "/objectives.db";
  std::remove(path.c_str());
  Space space = *Space::create({*Parameter::integer("x", 0, 30)});
  AskTellOptions options;
  options.database = path;
  options.objectives = parse("f, g, size <= 25");
  auto run = [&](int numTrials) {
    Result<AskTell> study = AskTell::open(space, options);
    EXPECT_TRUE(study) << study.error().message;
    for (int i = 0; i < numTrials; ++i) {
      auto asked = study->ask();
      EXPECT_TRUE(asked && *asked);
      auto x = double(std::get<int64_t>((*asked)->configuration[0]));
      EXPECT_TRUE(study->tell((*asked)->trial,
                              {(x - 5) * (x - 5), (x - 15) * (x - 15), x}));
    }
    return study;
  };
  (void)run(10);
  Result<AskTell> study = run(21);
  ASSERT_EQ(study->trials().size(), 31u);
  std::set<std::string> front;
  for (size_t index : study->objectives().front(study->trials()))
    front.insert(study->trials()[index].configuration);
  // All of 5 to 15, and no other.
  EXPECT_EQ(front.size(), 11u);
  EXPECT_EQ(study->trials()[*study->best()].configuration, R"({"x":5})");
  int failed = 0;
  for (const Trial &trial : study->trials())
    failed += trial.outcome->status == Status::WrongResult;
  EXPECT_EQ(failed, 5);
  auto told = study->tell(0, std::vector<double>{1});
  EXPECT_FALSE(told);
  std::remove(path.c_str());
}
