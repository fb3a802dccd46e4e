//===- WriteReportTest.cpp - Tests of formats of reports ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/StudyReport/WriteReport.h"
#include "HandMadeReport.h"

using namespace baco;
using namespace baco::studyreport;
using namespace baco::test;

TEST(WriteReportTest, TheNameSaysTheFormat) {
  EXPECT_EQ(formatOfFile("out/report.html"), ReportFormat::Page);
  EXPECT_EQ(formatOfFile("report.json"), ReportFormat::Json);
  for (const char *path : {"", "html", "report.html.txt", "json"})
    EXPECT_EQ(formatOfFile(path), ReportFormat::Text) << path;
}

TEST(WriteReportTest, EachFormatHasTheStudy) {
  HandMadeDatabase database;
  database.add(handMadeInfo("k", "aaaa"), {makeTrial(0, 1, "x", 70)});
  ReportFacts facts = database.gather();
  EXPECT_EQ(*writeReport(facts, ReportFormat::Text), writeReportText(facts));
  Json json = Json::parse(*writeReport(facts, ReportFormat::Json));
  EXPECT_EQ(json["studies"][0]["name"], "k");
  Result<std::string> page = writeReport(facts, ReportFormat::Page);
  ASSERT_EQ(static_cast<bool>(page),
            static_cast<bool>(checkFormat(ReportFormat::Page)));
  if (page)
    EXPECT_TRUE(page->starts_with("<!DOCTYPE html>"));
  else
    EXPECT_EQ(page.error().code, ErrorCode::Unsupported);
}
