//===- StudyTables.h - The output of baco study -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables and JSON of studies, and of searches of one space side by side: how
// good their results are, and how fast they came.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_BACO_STUDYTABLES_H
#define BACO_TOOLS_BACO_STUDYTABLES_H

#include "Arguments.h"
#include "baco/Database/Trial.h"
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

/// A row for each study, in their order, and the parameters in which their best
/// configurations differ; as text or JSON. All figures are of single trials, as
/// the searches saw them; trials that failed in a final comparison count as
/// failed. InvalidArgument, naming two studies, if their spaces or the units of
/// their results differ.
std::string compareStudies(const std::vector<StudySummary> &studies,
                           bool isJson);

/// `baco study merge`, `baco study prune`; return the exit code.
int mergeStudies(const Arguments &arguments);
int pruneStudies(const Arguments &arguments);

/// A table for people: results and configuration of each trial, the first ones
/// of many.
///
/// \param front  trials that work, all with the same metrics; not empty
std::string writeFront(const std::vector<database::Trial> &front);

/// The same as JSON, a list of all of them.
std::string writeFrontJson(const std::vector<database::Trial> &front);

} // namespace baco::tool

#endif // BACO_TOOLS_BACO_STUDYTABLES_H
