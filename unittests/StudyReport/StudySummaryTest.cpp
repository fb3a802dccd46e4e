//===- StudySummaryTest.cpp - Tests of what follows from trials -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/StudyReport/StudySummary.h"

#include "HandMadeStudy.h"

using namespace baco;
using namespace baco::studyreport;
using namespace baco::test;

TEST(StudySummaryTest, CountsAndBestTrials) {
  StudySummary study(handMadeInfo("k", "abcdef0123"), handMadeTrials(), {});
  EXPECT_EQ(study.numEvaluations(), 15u);
  EXPECT_EQ(study.numPending(), 1u);
  EXPECT_EQ(study.numFailed(), 4u);
  EXPECT_EQ(study.defaultTrial, 0u);
  EXPECT_EQ(study.best, 14u);
  EXPECT_EQ(describeCounts(study), "15 evaluated, 1 pending, 11 ok, 4 crashed");
  EXPECT_EQ(nameOf(study), "k (abcdef01)");
}

TEST(StudySummaryTest, KeptTrialIsBestUntilOthersCome) {
  StudySummary study(handMadeInfo("k", "abcd"), handMadeTrials(),
                     {handMadeFinal()});
  EXPECT_EQ(study.best, 12u);
  EXPECT_EQ(study.fastest, 14u);
  std::vector<database::Trial> more = handMadeTrials();
  more.back() = makeTrial(15, 2, "y", 250);
  StudySummary longer(handMadeInfo("k", "abcd"), more, {handMadeFinal()});
  EXPECT_EQ(longer.best, 14u);
  EXPECT_EQ(longer.currentFinal(), nullptr);
  EXPECT_NE(longer.lastComparison(), nullptr);
}

TEST(StudySummaryTest, IncumbentsSkipFailuresAndCancelledTrials) {
  std::vector<database::Trial> trials = {
      makeTrial(0, 1, "x", 0, Status::Crashed), makeTrial(1, 2, "x", 20),
      makeTrial(2, 3, "x", 0, Status::Cancelled), makeTrial(3, 4, "x", 30),
      makeTrial(4, 5, "x", 10)};
  StudySummary study(handMadeInfo("k", "abcd"), trials, {});
  EXPECT_EQ(incumbentsOf(study),
            (std::vector<std::optional<size_t>>{std::nullopt, 1, 1, 4}));
}
