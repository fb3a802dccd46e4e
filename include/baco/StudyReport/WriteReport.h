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

} // namespace baco::studyreport

#endif // BACO_STUDYREPORT_WRITEREPORT_H
