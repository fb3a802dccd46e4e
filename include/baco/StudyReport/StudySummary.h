//===- StudySummary.h - A study with its results ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A study as the database has it, with what follows from its trials.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_STUDYREPORT_STUDYSUMMARY_H
#define BACO_STUDYREPORT_STUDYSUMMARY_H

#include "baco/Database/Journal.h"
#include "baco/Study/Objectives.h"
#include "baco/Support/CostUnit.h"

#include <map>

namespace baco::studyreport {

/// The cost of a trial that works, which the search minimizes; of several
/// results, the first one.
double costOf(const database::Trial &trial);

/// A study with its trials and results.
struct StudySummary {
  database::StudyInfo info;
  std::vector<database::Trial> trials;
  /// The results of its runs, oldest first.
  std::vector<database::Final> finals;
  /// The file that it was read from.
  std::string path = {};
  /// The objectives of candidates with several results.
  study::Objectives objectives;
  /// The fastest trial that works, by the times of trials, or the best one by
  /// the objectives.
  std::optional<size_t> fastest;
  /// The same, and the trial of the default configuration, if it works. If no
  /// trial came since the last run, the best is the one that was shipped.
  std::optional<size_t> best, defaultTrial;

  StudySummary(database::StudyInfo info, std::vector<database::Trial> trials,
               std::vector<database::Final> finals);

  /// The result of the last run if no trial was added since; else null.
  const database::Final *currentFinal() const;
  /// The last result that a final comparison decided, also if trials were added
  /// since; null if there is none, or its winner has failed since.
  const database::Final *lastComparison() const;

  /// The number of trials with an outcome that isn't `cancelled`.
  size_t numEvaluations() const;
  size_t numPending() const;
  /// How many evaluations failed, in the search or in a final comparison.
  size_t numFailed() const;
  /// The unit of its results.
  CostUnit unit() const;
};

/// Reads a study of the database at `path`. Errors: those of the journal;
/// Corrupt if a trial that works lacks a result.
Result<StudySummary> readStudy(const database::Journal &journal,
                               const std::string &path,
                               const database::StudyInfo &info);

/// The trial that was best after 1, 2, ... evaluations, by cost; nullopt before
/// the first one that works.
std::vector<std::optional<size_t>> incumbentsOf(const StudySummary &study);

/// The beginning of a key that people write.
std::string shortKey(const database::StudyInfo &info);

/// `tiny (1a2b3c4d)`.
std::string nameOf(const StudySummary &study);

/// How many trials have which status, in the order of Status.
std::map<Status, size_t> countStatuses(const StudySummary &study);

/// `40 evaluated, 2 pending, 38 ok, 2 crashed`.
std::string describeCounts(const StudySummary &study);

} // namespace baco::studyreport

#endif // BACO_STUDYREPORT_STUDYSUMMARY_H
