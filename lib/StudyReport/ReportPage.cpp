//===- ReportPage.cpp - Reports as a page ---------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PageText.h"

#include "baco/StudyReport/WriteReport.h"

using namespace baco;
using namespace baco::studyreport;

/// JSON that ends no element of a page, whatever its texts are.
static std::string writeInert(const Json &json) {
  std::string inert;
  for (char c : printJson(json))
    if (c == '<')
      // Only texts have it.
      inert += "\\u003c";
    else
      inert += c;
  return inert;
}

Result<std::string> studyreport::writeReportPage(const ReportFacts &facts,
                                                 bool isLive) {
  if (Result<void> possible = checkFormat(ReportFormat::Page); !possible)
    return possible.error();
  Json json = reportJson(facts);
  std::string before(pageBeforeData);
  if (isLive) {
    json["live"] = true;
    constexpr std::string_view policy = "default-src 'none';";
    before.insert(before.find(policy) + policy.size(), " connect-src 'self';");
  }
  return before + writeInert(json) + std::string(pageAfterData);
}
