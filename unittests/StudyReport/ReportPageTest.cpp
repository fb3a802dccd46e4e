//===- ReportPageTest.cpp - Tests of the page of a report -----------------===//
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

TEST(ReportPageTest, HasTheJsonAndNothingEndsIt) {
  HandMadeDatabase database;
  database.add(handMadeInfo("</script><script>alert(1)</script><!--", "aaaa"),
               handMadeTrials(), {handMadeFinal()});
  ReportFacts facts = database.gather();
  Result<std::string> page = writeReportPage(facts);
  if (!page) {
    // A build without the library of plots.
    EXPECT_EQ(page.error().code, ErrorCode::Unsupported);
    EXPECT_NE(page.error().message.find("scripts/setup.sh"), std::string::npos);
    return;
  }
  std::string start = R"(<script type="application/json" id="data">)";
  size_t from = page->find(start);
  ASSERT_NE(from, std::string::npos);
  from += start.size();
  std::string data = page->substr(from, page->find("</script>", from) - from);
  EXPECT_EQ(data.find('<'), std::string::npos);
  EXPECT_EQ(Json::parse(data), reportJson(facts));
}
