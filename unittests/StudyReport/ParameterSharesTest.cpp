//===- ParameterSharesTest.cpp - Tests of parameters' shares --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/StudyReport/ParameterShares.h"

#include "HandMadeStudy.h"

using namespace baco;
using namespace baco::studyreport;
using namespace baco::test;

TEST(ParameterSharesTest, LargestFirst) {
  StudySummary study(handMadeInfo("k", "abcd"), handMadeTrials(), {});
  Space space = handMadeSpace();
  Result<WorkingTrials> trials = workingTrials(study, space);
  ASSERT_TRUE(trials);
  // Neither those that crashed, nor the pending one.
  EXPECT_EQ(trials->points.size(), 11u);
  EXPECT_EQ(trials->costs.front(), 900);
  Result<ParameterShares> shares = findShares(study, space, *trials, 0);
  ASSERT_TRUE(shares) << shares.error().message;
  ASSERT_GE(shares->rows.size(), 2u);
  EXPECT_EQ(shares->rows[0].names, std::vector<std::string>{"tile"});
  EXPECT_GT(shares->rows[0].share, 0.8);
  EXPECT_EQ(sharesJson(*shares)["trials"], 11);
}

TEST(ParameterSharesTest, TooFewTrialsAreSaidWithTheStudy) {
  StudySummary study(handMadeInfo("few", "abcd"), {makeTrial(0, 1, "x", 5)},
                     {});
  Result<std::string> text = writeImportance(study, 0, false);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message,
            "study 'few': there are 1 trials that work, and a model needs 10");
}

TEST(ParameterSharesTest, ConfigurationsOutsideTheSpaceAreErrors) {
  StudySummary study(handMadeInfo("k", "abcd"), {makeTrial(0, 99, "x", 5)}, {});
  EXPECT_FALSE(workingTrials(study, handMadeSpace()));
}

TEST(ParameterSharesTest, SharesThatOverlapAreExplained) {
  ParameterShares shares;
  shares.importance.shares.single = {0.7, 0.3};
  EXPECT_EQ(writeSharesText(shares).find("add up"), std::string::npos);
  shares.importance.shares.single = {0.7, 0.5};
  EXPECT_NE(writeSharesText(shares).find("more than 100 %"), std::string::npos);
}
