//===- StopConditionTest.cpp - Tests of the conditions to stop ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/StopCondition.h"
#include "Progress.h"

#include "baco/Search/BayesianOptimizer.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace baco;
using namespace baco::search;
using namespace std::chrono_literals;

/// After how many evaluations the condition is first met, where evaluation k
/// (from 0) ends at second k + 1; -1: not within them.
static int firstMet(const StopCondition &condition,
                    const std::vector<std::optional<double>> &objectives) {
  SearchProgress progress = progressOf20();
  if (condition.isMet(progress))
    return 0;
  for (size_t k = 0; k < objectives.size(); ++k) {
    progress.add(double(k + 1), objectives[k]);
    if (condition.isMet(progress))
      return int(k + 1);
  }
  return -1;
}

TEST(StopConditionTest, Never) {
  EXPECT_EQ(firstMet(StopCondition(), costs), -1);
}

TEST(StopConditionTest, Evaluations) {
  EXPECT_EQ(firstMet(stop::evaluations(1), costs), 1);
  EXPECT_EQ(firstMet(stop::evaluations(7), costs), 7);
  EXPECT_EQ(firstMet(stop::evaluations(13), costs), -1);
}

TEST(StopConditionTest, Duration) {
  EXPECT_EQ(firstMet(stop::duration(3500ms), costs), 4);
  EXPECT_EQ(firstMet(stop::duration(4s), costs), 4);
  EXPECT_EQ(firstMet(stop::duration(1h), costs), -1);
}

TEST(StopConditionTest, Fraction) {
  EXPECT_EQ(firstMet(stop::fraction(0.25), costs), 5);
  EXPECT_EQ(firstMet(stop::fraction(0.26), costs), 6);
  EXPECT_EQ(firstMet(stop::fraction(1), costs), -1);
}

TEST(StopConditionTest, Cost) {
  EXPECT_EQ(firstMet(stop::cost(79), costs), 6);
  EXPECT_EQ(firstMet(stop::cost(38), costs), -1);
}

TEST(StopConditionTest, SpeedupOverEvaluations) {
  // 80 / 79 and 79 / 78 are less than 1.05; 100 / 80 before isn't.
  EXPECT_EQ(firstMet(stop::speedup(1.05, 3), costs), 7);
  // The third doesn't halve what the second showed.
  EXPECT_EQ(firstMet(stop::speedup(2, 1), costs), 3);
  EXPECT_EQ(firstMet(stop::speedup(1.01, 2), costs), 11);
  EXPECT_EQ(firstMet(stop::speedup(2, 12), costs), -1);
  // Exactly the factor is enough to go on.
  EXPECT_EQ(firstMet(stop::speedup(2, 2), {4, 3, 2, 1.5, 1, 1, 1}), 6);
  // Values that have no factors.
  EXPECT_EQ(firstMet(stop::speedup(2, 1), {-1, -1, 0, 0}), -1);
}

TEST(StopConditionTest, SpeedupOverTime) {
  // One evaluation takes one second.
  EXPECT_EQ(firstMet(stop::speedup(1.05, 3s), costs), 7);
  EXPECT_EQ(firstMet(stop::speedup(1.01, 2s), costs), 11);
  // Time passes without an evaluation.
  SearchProgress progress = progressOf20();
  progress.add(1, 10);
  EXPECT_FALSE(stop::speedup(2, 5s).isMet(progress));
  progress.seconds = 6;
  EXPECT_TRUE(stop::speedup(2, 5s).isMet(progress));
}

TEST(StopConditionTest, ExpectedImprovement) {
  SearchProgress progress = progressOf20();
  StopCondition condition = stop::expectedImprovement(0.01);
  EXPECT_FALSE(condition.isMet(progress));
  progress.expectedImprovement = 0.02;
  EXPECT_FALSE(condition.isMet(progress));
  progress.expectedImprovement = 0.005;
  EXPECT_TRUE(condition.isMet(progress));
}

TEST(StopConditionTest, UsersOwn) {
  StopCondition condition =
      stop::custom("two in a row", [](const SearchProgress &progress) {
        size_t n = progress.steps.size();
        return n >= 2 && std::isfinite(progress.steps[n - 2].best);
      });
  EXPECT_EQ(firstMet(condition, costs), 3);
  EXPECT_EQ((condition || stop::cost(1)).text(), "two in a row || cost(1)");
}

TEST(StopConditionTest, Combine) {
  auto five = stop::evaluations(5), seven = stop::evaluations(7);
  EXPECT_EQ(firstMet(five || seven, costs), 5);
  EXPECT_EQ(firstMet(five && seven, costs), 7);
  EXPECT_EQ(firstMet(five && stop::cost(78), costs), 8);
  EXPECT_EQ(firstMet(StopCondition() || seven, costs), 7);
  EXPECT_EQ(firstMet(StopCondition() && seven, costs), -1);
}

TEST(StopConditionTest, KnowsHowManyEvaluationsAreTheMost) {
  auto most = [](const StopCondition &condition) {
    return condition.maxEvaluations(20);
  };
  auto five = stop::evaluations(5), seven = stop::evaluations(7);
  EXPECT_EQ(most(five), 5);
  EXPECT_EQ(most(five && seven), 7);
  EXPECT_EQ(most(five || seven), 5);
  EXPECT_EQ(most(five || stop::cost(1)), 5);
  EXPECT_TRUE(std::isinf(most(five && stop::cost(1))));
  EXPECT_EQ(most(stop::fraction(0.26)), 6);
  EXPECT_TRUE(std::isinf(stop::fraction(0.1).maxEvaluations(
      std::numeric_limits<double>::infinity())));
}

TEST(StopConditionTest, TextRoundTrips) {
  for (const char *text :
       {"never", "evaluations(60)", "duration(0.5s)", "fraction(0.1)",
        "cost(0.001)", "cost(-3)", "speedup(1.05, 20)", "speedup(1.05, 30s)",
        "expected_improvement(0.01)",
        "evaluations(60) || duration(10s) && cost(0.001)",
        "(evaluations(60) || duration(10s)) && cost(0.001) || never"}) {
    Result<StopCondition> parsed = StopCondition::parse(text);
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(parsed->text(), text);
  }
}

TEST(StopConditionTest, ReadsUnitsAndPrecedence) {
  auto text = [](const char *text) {
    Result<StopCondition> parsed = StopCondition::parse(text);
    return parsed ? parsed->text() : parsed.error().message;
  };
  EXPECT_EQ(text("duration(250ms)||duration(2min)||duration( 1.5h )"),
            "duration(0.25s) || duration(120s) || duration(5400s)");
  EXPECT_EQ(text("fraction(5%) && (cost(1e2))"), "fraction(0.05) && cost(100)");
  EXPECT_EQ(text("cost(1) && cost(2) || cost(3) && (cost(4))"),
            "cost(1) && cost(2) || cost(3) && cost(4)");
  Result<StopCondition> condition =
      StopCondition::parse("evaluations(3) && cost(78) || evaluations(10)");
  ASSERT_TRUE(condition);
  EXPECT_EQ(firstMet(*condition, costs), 8);
}

TEST(StopConditionTest, NamesWhatIsWrong) {
  struct Case {
    const char *text, *message;
  };
  const char *choices =
      "expected a condition: never, evaluations(60), duration(10min), "
      "fraction(10%), cost(0.5), speedup(1.05, 20), speedup(1.05, 30s) or "
      "expected_improvement(1%)";
  const Case cases[] = {
      {"", choices},
      {"budget(60)", choices},
      {"cost(1) &&", choices},
      {"cost(1) cost(2)", "expected '&&', '||' or the end"},
      {"(cost(1)", "expected ')'"},
      {"evaluations 60", "expected '('"},
      {"evaluations(0)", "expected a whole number of evaluations, at least 1"},
      {"evaluations(2.5)",
       "expected a whole number of evaluations, at least 1"},
      {"evaluations(60s)",
       "expected a whole number of evaluations, at least 1"},
      {"duration(10)",
       "expected a time, more than 0, such as 500ms, 30s, 10min or 2h"},
      {"duration(-1s)",
       "expected a time, more than 0, such as 500ms, 30s, 10min or 2h"},
      {"duration(0s)",
       "expected a time, more than 0, such as 500ms, 30s, 10min or 2h"},
      {"speedup(1.05, 0min)",
       "expected a time, more than 0, such as 500ms, 30s, 10min or 2h"},
      {"fraction(1.5)", "expected a share, more than 0 and up to 1 or 100%"},
      {"fraction(0%)", "expected a share, more than 0 and up to 1 or 100%"},
      {"expected_improvement(0)",
       "expected a share, more than 0 and up to 1 or 100%"},
      {"cost(1s)", "expected a number without a unit"},
      {"cost(inf)", "expected a number"},
      {"speedup(1.1)", "expected ', ' and a number of evaluations or a time"},
      {"speedup(1, 5)", "a speed-up is more than 1"},
  };
  for (const Case &test : cases) {
    Result<StopCondition> parsed = StopCondition::parse(test.text);
    ASSERT_FALSE(parsed) << test.text;
    EXPECT_EQ(parsed.error().code, ErrorCode::InvalidArgument);
    const std::string &message = parsed.error().message;
    EXPECT_EQ(message.substr(message.find(": ") + 2), test.message)
        << test.text;
  }
  EXPECT_EQ(
      StopCondition::parse("cost(1) && fun(2)").error().message.substr(0, 33),
      "in 'cost(1) && fun(2)', column 12");
  EXPECT_FALSE(StopCondition::parse(std::string(100000, '(')));
}

TEST(StopConditionTest, KnowsWhetherItReadsAnExpectation) {
  auto reads = [](const char *text) {
    return StopCondition::parse(text)->readsExpectation();
  };
  EXPECT_TRUE(reads("expected_improvement(1%)"));
  EXPECT_TRUE(reads("cost(1) || evaluations(5) && expected_improvement(1%)"));
  EXPECT_FALSE(reads("cost(1) || evaluations(5) && duration(1s)"));
  EXPECT_FALSE(StopCondition().readsExpectation());
}

/// An ask/tell loop that ends when nothing more is expected.
TEST(StopConditionTest, TheModelSaysWhenNothingMoreIsExpected) {
  Result<Space> space = Space::create(
      {*Parameter::integer("x", 0, 30), *Parameter::integer("y", 0, 30)});
  BayesianOptimizer optimizer(*space, {});
  SearchProgress progress(*space);
  StopCondition enough = stop::expectedImprovement(0.001);
  while (!enough.isMet(progress)) {
    auto asked = optimizer.ask();
    ASSERT_TRUE(asked && *asked) << "the space is exhausted";
    std::optional<double> expected = (*asked)->expectedImprovement;
    EXPECT_EQ(expected.has_value(),
              expected && *expected >= 0 && *expected <= 1);
    if (progress.evaluations() == 0)
      EXPECT_FALSE(expected) << "there is no model yet";
    const Configuration &c = (*asked)->configuration;
    double x = double(std::get<int64_t>(c[0])),
           y = double(std::get<int64_t>(c[1]));
    double cost = 100 + (x - 20) * (x - 20) + (y - 4) * (y - 4);
    ASSERT_TRUE(optimizer.tell((*asked)->trial, {cost, true}));
    progress.expectedImprovement = expected;
    progress.add(0, cost);
  }
  EXPECT_LT(progress.best(), 101);
  EXPECT_LT(progress.evaluations(), 100u);
}

TEST(StopConditionTest, KnowsTheLeastCostThatItAsksFor) {
  auto least = [](const char *text) {
    return StopCondition::parse(text)->minCost();
  };
  EXPECT_EQ(least("cost(5)"), 5);
  EXPECT_EQ(least("cost(5) && evaluations(3) || (duration(1s) && cost(-1))"),
            -1);
  EXPECT_TRUE(std::isinf(least("evaluations(3)")));
}
