//===- RecommendationTest.cpp - Tests of which code to use ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/StudyReport/Recommendation.h"

#include "HandMadeStudy.h"

using namespace baco;
using namespace baco::studyreport;
using namespace baco::test;

TEST(RecommendationTest, TheFinalComparisonDecides) {
  StudySummary study(handMadeInfo("k", "abcd"), handMadeTrials(),
                     {handMadeFinal()});
  std::unique_ptr<Recommendation> chosen = recommend(study);
  ASSERT_TRUE(chosen);
  EXPECT_TRUE(chosen->isConfirmed());
  EXPECT_EQ(chosen->final.winner, 12u);
  EXPECT_EQ(chosen->best->timeNs, 310);
  EXPECT_EQ(chosen->byDefault->timeNs, 930);
  EXPECT_EQ(chosen->plain->timeNs, 1240);
  // 929 / 309 and 931 / 311, of which the mean is 3.
  EXPECT_NEAR(chosen->summary.speedup->ratio, 3, 0.01);
  EXPECT_NEAR(chosen->summary.speedupOverPlain->ratio, 4, 0.01);
  // Trial 14 was faster in the search, but wasn't compared.
  EXPECT_EQ(chosen->newer, 14u);
}

TEST(RecommendationTest, WithoutOneTheFastestTrialDoes) {
  StudySummary study(handMadeInfo("k", "abcd"), handMadeTrials(), {});
  std::unique_ptr<Recommendation> chosen = recommend(study);
  ASSERT_TRUE(chosen);
  EXPECT_FALSE(chosen->isConfirmed());
  EXPECT_EQ(chosen->best->timeNs, 200);
  EXPECT_EQ(chosen->plain, nullptr);
  EXPECT_NEAR(chosen->summary.speedup->ratio, 4.5, 1e-12);
}

TEST(RecommendationTest, NothingWorks) {
  StudySummary study(handMadeInfo("k", "abcd"),
                     {makeTrial(0, 1, "x", 0, Status::TimedOut)}, {});
  EXPECT_EQ(recommend(study), nullptr);
}
