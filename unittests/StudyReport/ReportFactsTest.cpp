//===- ReportFactsTest.cpp - Tests of what is gathered --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Database/RunSql.h"
#include "HandMadeReport.h"

#include <algorithm>

using namespace baco;
using namespace baco::studyreport;
using namespace baco::test;

/// Whether a sentence begins like that.
static bool lacks(const StudyFacts &facts, const std::string &beginning) {
  return std::ranges::any_of(facts.lacks, [&](const std::string &lack) {
    return lack.starts_with(beginning);
  });
}

TEST(ReportFactsTest, StepsSecondsAndFailures) {
  HandMadeDatabase database;
  database.add(detailedInfo("k", "aaaa", /*calls=*/2), handMadeTrials(),
               {handMadeFinal()});
  ReportFacts facts = database.gather();
  ASSERT_EQ(facts.studies.size(), 1u);
  const StudyFacts &study = facts.studies[0];
  // 900, 800, 700 (mode x of tile 8 and 7), 600, 500, ...
  ASSERT_EQ(study.incumbents.size(), 8u);
  EXPECT_EQ(study.incumbents[0].trial, 0u);
  EXPECT_EQ(study.incumbents[1].trial, 2u);
  EXPECT_EQ(study.incumbents[1].evaluation, 3u);
  EXPECT_DOUBLE_EQ(study.incumbents[1].seconds, 9);
  EXPECT_DOUBLE_EQ(study.seconds.compile, 30);
  EXPECT_DOUBLE_EQ(study.seconds.run, 15);
  // 4 of 7 of mode y. Of the squares, 4 - 4^2 / 15 in all, the modes explain
  // 4^2 / 7 - 4^2 / 15, but chance would (4 - 4^2 / 7) / 13.
  ASSERT_EQ(study.failures.size(), 2u);
  EXPECT_EQ(study.failures[0].parameter, "mode");
  EXPECT_EQ(study.failures[0].values[1].failed, 4u);
  EXPECT_EQ(study.failures[0].values[1].trials, 7u);
  EXPECT_NEAR(study.failures[0].share,
              (16 / 7.0 - 16 / 15.0 - (4 - 16 / 7.0) / 13) / (4 - 16 / 15.0),
              1e-12);
  EXPECT_EQ(study.failures[1].values[6].value, "7");
  EXPECT_EQ(study.failures[1].values[6].failed, 1u);
  EXPECT_EQ(study.failures[1].share, 0);
  ASSERT_EQ(study.slices.size(), 2u);
  // The slices go through what was kept.
  EXPECT_EQ(study.slices[0].size(), 8u);
  ASSERT_EQ(study.entries.size(), 1u);
  EXPECT_EQ(study.entries[0].name, HandMadeDatabase::entryName);
  EXPECT_TRUE(study.lacks.empty()) << study.lacks.front();
  EXPECT_EQ(facts.defaultNs, 2 * 930);
  EXPECT_EQ(facts.tunedNs, 2 * 310);
  EXPECT_DOUBLE_EQ(*shareOfBound(study), 0.5);
}

TEST(ReportFactsTest, LimitsFollowFromBoundAndShares) {
  HandMadeDatabase database;
  database.add(detailedInfo("f", "aaaa", /*calls=*/1), handMadeTrials(),
               {handMadeFinal()});
  ReportFacts facts = database.gather();
  StudyFacts &study = facts.studies.front();
  TimeShares &shares = *study.details->listings.front().shares;
  EXPECT_EQ(limitOf(study), "moving data 38 %");
  shares = {0.4, 0.1, 0.5};
  EXPECT_EQ(limitOf(study), "elsewhere 50 %");
  shares = {0.9, 0.05, 0.05};
  EXPECT_EQ(limitOf(study), "computing 90 %");
  // The shares are another trial's.
  study.details->listings.front().trial = 3;
  EXPECT_EQ(limitOf(study), "");
  // 155 of 310 ns; at 5.5 GB/s 282 ns.
  study.details->bytesPerS = 5.5e9;
  EXPECT_EQ(limitOf(study), "the bound");
}

TEST(ReportFactsTest, ModulesHaveTheLastStudyOfEachKernel) {
  HandMadeDatabase database;
  database.add(handMadeInfo("slow", "aaaa"), {makeTrial(0, 1, "x", 300)});
  database.add(handMadeInfo("fast", "bbbb"), {makeTrial(0, 1, "x", 900)});
  database.add(handMadeInfo("fast", "cccc"), {makeTrial(0, 1, "x", 100)});
  ReportFacts facts = database.gather();
  ASSERT_EQ(facts.kernels.size(), 2u);
  EXPECT_EQ(facts.kernels[0].study, 0u);
  EXPECT_DOUBLE_EQ(*facts.kernels[0].share, 0.75);
  EXPECT_EQ(facts.kernels[1].study, 2u);
  EXPECT_DOUBLE_EQ(*facts.kernels[1].share, 0.25);
}

TEST(ReportFactsTest, SharesCountCalls) {
  HandMadeDatabase database;
  database.add(detailedInfo("often", "aaaa", /*calls=*/9),
               {makeTrial(0, 1, "x", 100)});
  database.add(handMadeInfo("once", "bbbb"), {makeTrial(0, 1, "x", 100)});
  ReportFacts facts = database.gather();
  EXPECT_DOUBLE_EQ(*facts.kernels[0].share, 0.9);
  EXPECT_DOUBLE_EQ(*facts.kernels[1].share, 0.1);
  EXPECT_FALSE(lacks(facts.studies[0], "the kernel's calls and work"));
  EXPECT_TRUE(lacks(facts.studies[1], "the kernel's calls and work"));
}

TEST(ReportFactsTest, ManyValuesBecomeRanges) {
  Result<Parameter> wide = Parameter::integer("wide", 1, 64);
  Result<Space> space = Space::create({*wide});
  database::StudyInfo info = handMadeInfo("k", "aaaa");
  info.space = *writeSpace(*space);
  std::vector<database::Trial> trials;
  for (int i = 0; i < 64; ++i) {
    trials.push_back(
        makeTrial(i, 1, "x", 100, i >= 32 ? Status::TimedOut : Status::Ok));
    trials.back().configuration = "{\"wide\":" + std::to_string(i + 1) + "}";
  }
  HandMadeDatabase database;
  database.add(info, trials);
  ReportFacts facts = database.gather();
  ASSERT_EQ(facts.studies[0].failures.size(), 1u);
  const auto &values = facts.studies[0].failures[0].values;
  ASSERT_EQ(values.size(), 16u);
  EXPECT_EQ(values[0].value, "1 to 4");
  EXPECT_EQ(values[0].trials, 4u);
  EXPECT_EQ(values[15].value, "61 to 64");
  EXPECT_EQ(values[15].failed, 4u);
}

TEST(ReportFactsTest, WhatIsMissingIsNamed) {
  HandMadeDatabase database;
  database.add(handMadeInfo("empty", "aaaa"), {});
  database.add(handMadeInfo("broken", "bbbb"),
               {makeTrial(0, 1, "x", 0, Status::Crashed)});
  database::StudyInfo damaged = handMadeInfo("damaged", "cccc");
  damaged.space = "{}";
  database.add(damaged, {makeTrial(0, 2, "x", 10)});
  database::StudyInfo other = handMadeInfo("other", "dddd");
  other.metadata = "[]";
  database.add(other, {makeTrial(0, 99, "x", 10)});
  ReportFacts facts = database.gather();
  const auto &studies = facts.studies;
  EXPECT_TRUE(lacks(studies[0], "no trial has an outcome yet"));
  EXPECT_TRUE(lacks(studies[0], "no model of the trials: study 'empty': there "
                                "are 0 trials that work"));
  EXPECT_TRUE(lacks(studies[1], "no candidate works"));
  EXPECT_TRUE(lacks(studies[2], "the space can't be read"));
  EXPECT_TRUE(lacks(studies[2], "the default configuration was not measured"));
  EXPECT_TRUE(lacks(studies[3], "no model of the trials"));
  for (const StudyFacts &study : studies) {
    EXPECT_TRUE(lacks(study, "no final comparison is stored"))
        << study.study.info.name;
    EXPECT_TRUE(lacks(study, "no schedule is stored"));
    EXPECT_TRUE(study.slices.empty());
  }
}

TEST(ReportFactsTest, DamagedSchedulesAreNamed) {
  HandMadeDatabase database;
  database.add(handMadeInfo("k", "aaaa"), handMadeTrials(), {handMadeFinal()});
  runSql(database.file(), "UPDATE entries SET text = 'half an ent'");
  ReportFacts facts = database.gather();
  EXPECT_TRUE(lacks(facts.studies[0], "the schedules can't be read"));
  EXPECT_TRUE(facts.studies[0].entries.empty());
  EXPECT_FALSE(facts.studies[0].slices.empty());
}
