//===- WriteReport.cpp - A report in a format -----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/StudyReport/WriteReport.h"

#include "PageText.h"
#include "baco/StudyReport/StudyJson.h"

using namespace baco;
using namespace baco::studyreport;

ReportFormat studyreport::formatOfFile(std::string_view path) {
  return path.ends_with(".html")   ? ReportFormat::Page
         : path.ends_with(".json") ? ReportFormat::Json
                                   : ReportFormat::Text;
}

Result<void> studyreport::checkFormat(ReportFormat format) {
  if (format == ReportFormat::Page && pageBeforeData.empty())
    return {ErrorCode::Unsupported,
            "this build has no library of plots: run scripts/setup.sh --all "
            "and build again, or choose text or JSON"};
  return {};
}

Result<std::string> studyreport::writeReport(const ReportFacts &facts,
                                             ReportFormat format) {
  switch (format) {
  case ReportFormat::Text:
    return writeReportText(facts);
  case ReportFormat::Json:
    return toText(reportJson(facts));
  case ReportFormat::Page:
    return writeReportPage(facts);
  }
  return std::string();
}
