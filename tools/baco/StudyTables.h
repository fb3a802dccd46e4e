//===- StudyTables.h - Studies for people and programs ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The output of `baco study list` and `show`.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_BACO_STUDYTABLES_H
#define BACO_TOOLS_BACO_STUDYTABLES_H

#include "baco/StudyReport/StudySummary.h"

namespace baco::tool {

using studyreport::StudySummary;

/// One line for each study, under a header.
std::string writeListText(const std::vector<StudySummary> &studies);
/// The same with exact numbers; times are nanoseconds.
std::string writeListJson(const std::vector<StudySummary> &studies);
std::string writeListCsv(const std::vector<StudySummary> &studies);

/// The properties of a study without its trials.
std::string writeStudyText(const StudySummary &study);
std::string writeStudyJson(const StudySummary &study);

} // namespace baco::tool

#endif // BACO_TOOLS_BACO_STUDYTABLES_H
