//===- ReportJsonTest.cpp - Tests of reports as JSON ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HandMadeReport.h"

using namespace baco;
using namespace baco::studyreport;
using namespace baco::test;

TEST(ReportJsonTest, TrialsAreColumns) {
  HandMadeDatabase database;
  database.add(handMadeInfo("k", "aaaa"), handMadeTrials(), {handMadeFinal()});
  Json study = reportJson(database.gather())["studies"][0];
  const Json &trials = study["trials"];
  EXPECT_EQ(trials["status"].size(), 16u);
  EXPECT_EQ(trials["status"][3], "crashed");
  EXPECT_EQ(trials["status"][15], "pending");
  EXPECT_EQ(trials["time_ns"][0], 900.0);
  EXPECT_TRUE(trials["time_ns"][3].is_null());
  EXPECT_TRUE(trials["run_ns"][15].is_null());
  EXPECT_EQ(trials["messages"][0], "because of tile 8");
  EXPECT_EQ(trials["message"][3], 0);
  EXPECT_EQ(study["parameters"][0]["values"][2], 8);
  EXPECT_EQ(study["parameters"][1]["values"][1], "y");
  EXPECT_EQ(study["finalists"][2]["trial"], nullptr);
  EXPECT_EQ(study["finalists"][1]["rounds_ns"], Json::array({309.0, 311.0}));
  EXPECT_EQ(study["best"]["time_ns"], 310.0);
  EXPECT_EQ(study["seed"], 7);
  EXPECT_EQ(study["schedules"][0]["name"], HandMadeDatabase::entryName);
}

TEST(ReportJsonTest, LongMessagesAreCutBetweenCharacters) {
  std::vector<database::Trial> trials = {
      makeTrial(0, 1, "x", 0, Status::CompileFailed)};
  // A character of two bytes lies on the limit of 200.
  trials[0].outcome->message = std::string(199, 'a') + "\xC3\xA9" + "zzz";
  HandMadeDatabase database;
  database.add(handMadeInfo("k", "aaaa"), trials);
  Json study = reportJson(database.gather())["studies"][0];
  EXPECT_EQ(study["trials"]["messages"][0], std::string(199, 'a') + "...");
}
