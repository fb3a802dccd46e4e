//===- WriteReport.h - Reports as text, JSON and a page ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_STUDYREPORT_WRITEREPORT_H
#define BACO_STUDYREPORT_WRITEREPORT_H

#include "baco/StudyReport/ReportFacts.h"

namespace baco::studyreport {

/// Tables: the kernels, then each study.
std::string writeReportText(const ReportFacts &facts);

/// The same with exact numbers, and all trials; docs/Report.md describes it.
Json reportJson(const ReportFacts &facts);

/// One file of HTML that shows that JSON, has everything in it that it needs,
/// and asks nobody for more. Unsupported if this build has no library of plots.
///
/// \param isLive  it asks the server that it comes from for events and data
Result<std::string> writeReportPage(const ReportFacts &facts,
                                    bool isLive = false);

enum class ReportFormat { Text, Json, Page };

/// That of a file whose name ends in .html or .json; else text.
ReportFormat formatOfFile(std::string_view path);

/// Unsupported if this build can't write a report in that format.
Result<void> checkFormat(ReportFormat format);

/// The report in that format. Errors: those of checkFormat.
Result<std::string> writeReport(const ReportFacts &facts, ReportFormat format);

} // namespace baco::studyreport

#endif // BACO_STUDYREPORT_WRITEREPORT_H
