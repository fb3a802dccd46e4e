//===- ReportFacts.h - The facts of a report --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts of a report, which its text, its JSON and its page show.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_STUDYREPORT_REPORTFACTS_H
#define BACO_STUDYREPORT_REPORTFACTS_H

#include "baco/Database/KernelDetails.h"
#include "baco/Search/Slices.h"
#include "baco/StudyReport/ParameterShares.h"
#include "baco/StudyReport/Recommendation.h"

namespace baco::studyreport {

/// A trial that was better than all before it.
struct IncumbentStep {
  /// How many trials had an outcome then, itself included.
  size_t evaluation = 0;
  /// The sum of compiling and running of these trials.
  double seconds = 0;
  size_t trial = 0;
};

/// The trials with one value of a parameter, or with values of a range.
struct ValueFailures {
  std::string value;
  size_t trials = 0, failed = 0;
};

/// The failures by a parameter's value: all values that were tried, in their
/// order; of more than 16 values, as many ranges.
struct ParameterFailures {
  std::string parameter;
  std::vector<ValueFailures> values = {};
  /// How much of the variance between failing (1) and other trials (0) the
  /// values explain, less what chance would (search::decomposeVariance), from 0
  /// to 1.
  double share = 0;
};

/// The sums of what trials took, in seconds of a worker: they overlap where
/// several work at a time.
struct TrialSeconds {
  double compile = 0, run = 0, pack = 0;
};

struct StudyFacts {
  StudySummary study;
  /// Null if nothing works.
  std::unique_ptr<Recommendation> chosen = nullptr;
  std::vector<IncumbentStep> incumbents = {};
  std::optional<Space> space = std::nullopt;
  std::optional<ParameterShares> shares = std::nullopt;
  /// search::findSlices through the configuration to use, or the best one;
  /// empty if unknown.
  std::vector<std::vector<search::SlicePoint>> slices = {};
  /// The largest share first; empty if no trial fails.
  std::vector<ParameterFailures> failures = {};
  TrialSeconds seconds = {};
  /// As trials have it, also if it wasn't measured; empty if unknown.
  std::string defaultConfiguration = {};
  /// Its calls, work, bound and code, if the tuner has recorded them.
  std::optional<database::KernelDetails> details = std::nullopt;
  /// The study's entries in tuned libraries, with its schedules.
  std::vector<EntryText> entries = {};
  /// The facts of this study that the database doesn't have, and why: a
  /// sentence each.
  std::vector<std::string> lacks = {};
};

/// A kernel of a module, whose study is the one that was used last among those
/// of its name.
struct KernelFacts {
  /// Index into ReportFacts::studies.
  size_t study = 0;
  /// The part of the time that all take under their defaults (under plain
  /// lowering where the default is unknown), called as the module does, or once
  /// where that is unknown; nullopt if unknown.
  std::optional<double> share;
};

struct ReportFacts {
  std::string path;
  /// In the order of the database.
  std::vector<StudyFacts> studies;
  /// The largest share first.
  std::vector<KernelFacts> kernels;
  /// Times of all calls of the kernels whose three are known, in nanoseconds; 0
  /// if there are none.
  double defaultNs = 0, tunedNs = 0;
  /// The facts that no database has. See also StudyFacts::lacks.
  std::vector<std::string> lacks;
};

/// How often the module calls the study's kernel; 1 where that is unknown.
double callsOf(const StudyFacts &facts);

/// The least time of the kernel as a share of the time of the configuration to
/// use; nullopt if it isn't known.
std::optional<double> shareOfBound(const StudyFacts &facts);

/// Parts of the time of the code to use; null if they are unknown.
const TimeShares *sharesOfTime(const StudyFacts &facts);

/// Why the code to use isn't faster: `the bound` if it takes at most 1 / 0.85
/// of the bound's time; else what it spends its time on, as `moving data 41 %`.
/// Empty if unknown.
std::string limitOf(const StudyFacts &facts);

/// The value of a parameter at a coordinate, printable.
std::string valueText(const Parameter &parameter, double coordinate);

/// Gathers the facts of these studies of a database at `path`. Errors: those of
/// readStudy.
///
/// \param hasModels  whether models of the trials are fitted, which takes
///                   seconds where trials are many
Result<ReportFacts> gatherReport(const database::Journal &journal,
                                 const std::string &path,
                                 const std::vector<database::StudyInfo> &infos,
                                 bool hasModels = true);

} // namespace baco::studyreport

#endif // BACO_STUDYREPORT_REPORTFACTS_H
