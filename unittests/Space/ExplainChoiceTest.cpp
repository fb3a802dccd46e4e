//===- ExplainChoiceTest.cpp - Tests of explaining choices ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Space/ExplainChoice.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace baco;

static Space makeSpace(std::vector<Parameter> parameters,
                       const std::vector<std::string> &constraints,
                       std::vector<Condition> conditions = {}) {
  std::vector<Constraint> all;
  for (const std::string &text : constraints)
    all.push_back({*Expression::parse(text), "", "", false});
  Result<Space> space =
      Space::create(std::move(parameters), std::move(all), conditions);
  EXPECT_TRUE(space) << space.error().message;
  return *space;
}

/// Every choice of one and of two values, against a search of all
/// configurations.
TEST(ExplainChoiceTest, AgreesWithEnumeration) {
  Space space = makeSpace({*Parameter::integer("a", 1, 6),
                           *Parameter::permutation("p", 3),
                           *Parameter::integer("b", 1, 6)},
                          {"a * b <= 12", "pos(p, 0) < a", "b != 3 || a == 4",
                           "divides(a, b) || p[2] == 1"});
  uint64_t count = *space.countIfSmall();
  auto isPossible = [&](const ChosenValues &choice) {
    uint64_t found = 0;
    for (uint64_t k = 0; k < count; ++k) {
      Configuration c = space.toConfiguration(space.at(k));
      found += std::all_of(choice.begin(), choice.end(), [&](const auto &one) {
        return sameValue(c[one.first], one.second);
      });
    }
    return found;
  };
  uint64_t numForbidden = 0;
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = i; j < 3; ++j)
      for (uint64_t x = 0; x < space.parameters()[i].size(); ++x)
        for (uint64_t y = 0; y < space.parameters()[j].size(); ++y) {
          ChosenValues choice = {{i, space.parameters()[i].value(x)}};
          if (i != j)
            choice.emplace_back(j, space.parameters()[j].value(y));
          Result<ChoiceExplanation> told = explainChoice(space, choice);
          ASSERT_TRUE(told) << told.error().message;
          uint64_t expected = isPossible(choice);
          EXPECT_EQ(told->isAllowed, expected > 0);
          EXPECT_EQ(told->reasons.empty(), expected > 0);
          numForbidden += expected == 0;
          if (expected == 0)
            continue;
          EXPECT_EQ(told->count, std::to_string(expected));
          EXPECT_TRUE(space.check(told->nearest));
        }
  EXPECT_GT(numForbidden, 10u);
}

TEST(ExplainChoiceTest, InactiveParametersStayAtTheirDefaults) {
  Space space =
      makeSpace({*Parameter::boolean("on"), *Parameter::integer("n", 1, 4)}, {},
                {{"n", *Expression::parse("on")}});
  Result<ChoiceExplanation> told =
      explainChoice(space, {{0, false}, {1, int64_t(2)}});
  ASSERT_TRUE(told);
  EXPECT_FALSE(told->isAllowed);
  ASSERT_EQ(told->reasons.size(), 1u);
  EXPECT_NE(told->reasons[0].find("the condition 'on' of parameter 'n'"),
            std::string::npos)
      << told->reasons[0];
}

TEST(ExplainChoiceTest, RealsCanBeChosen) {
  Space space =
      makeSpace({*Parameter::real("x", 0, 1), *Parameter::integer("n", 1, 4)},
                {"x * n <= 1"});
  auto isAllowed = [&](const ChosenValues &choice) {
    Result<ChoiceExplanation> told = explainChoice(space, choice);
    EXPECT_TRUE(told) << told.error().message;
    return told->isAllowed;
  };
  EXPECT_TRUE(isAllowed({{0, 0.25}, {1, int64_t(4)}}));
  EXPECT_FALSE(isAllowed({{0, 0.26}, {1, int64_t(4)}}));
  EXPECT_TRUE(isAllowed({{0, 0.26}}));
  EXPECT_TRUE(isAllowed({{0, 1.0}}));
}
