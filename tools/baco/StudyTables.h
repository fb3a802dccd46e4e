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

#include "baco/Database/Journal.h"

namespace baco::tool {

/// A study with its trials and results.
struct StudySummary {
  database::StudyInfo info;
  std::vector<database::Trial> trials;
  /// The results of its runs, oldest first.
  std::vector<database::Final> finals;
  /// The fastest trial that works, and the trial of the default configuration,
  /// if it works. If no trial came since the last run, the best is the one that
  /// was shipped.
  std::optional<size_t> best, defaultTrial;

  StudySummary(database::StudyInfo info, std::vector<database::Trial> trials,
               std::vector<database::Final> finals);

  /// The result of the last run if no trial was added since; else null.
  const database::Final *currentFinal() const;

  /// The number of trials with an outcome that isn't `cancelled`.
  size_t numEvaluations() const;
  size_t numPending() const;
};

/// The beginning of a key that people write.
std::string shortKey(const database::StudyInfo &info);

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
