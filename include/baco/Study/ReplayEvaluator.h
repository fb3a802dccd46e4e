//===- ReplayEvaluator.h - Outcomes from a table ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks outcomes up in a file instead of measuring: for tests of searches, and
// for repeating a search without its hardware.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_STUDY_REPLAYEVALUATOR_H
#define BACO_STUDY_REPLAYEVALUATOR_H

#include "baco/Database/Final.h"
#include "baco/Study/Evaluator.h"
#include "baco/Study/ResultColumns.h"

#include <map>
#include <memory>

namespace baco::study {

/// The outcomes that a file records, by point of the space.
using RecordedOutcomes = std::map<Point, Outcome>;

/// The final comparisons in a file.
struct RecordedFinals {
  /// The trials that it has, with configurations as writeConfiguration has
  /// them, and what failed in a comparison.
  std::vector<database::Trial> trials;
  /// The comparisons, by the numbers of these trials.
  std::vector<database::Final> finals;
};

/// Deterministic: always gives the outcome in the file.
class ReplayEvaluator : public Evaluator {
public:
  /// Reads one of these kinds of files, which are told apart by their contents:
  ///
  /// * the export of a study (baco/Database/Export.h);
  /// * a journal database; of several studies of the kernel, the first that
  ///   has trials of this space, or `FILE#STUDY`: the one whose key begins with
  ///   STUDY (4 digits or more), whatever its kernel is called;
  /// * a table: CSV with a header; a column for each parameter (others are
  ///   ignored), one named `time_ns` (or `time`, the same; `time_us`,
  ///   `time_ms`, `time_s`), and optionally `status` (a status's name) or
  ///   `valid` (0 or 1). Orders are written "(0, 2, 1)". A row without a time
  ///   or that isn't valid is an outcome `crashed`, unless a status says more.
  ///   With `columns`, results are in those columns, and become metrics; a
  ///   single one may be a time, too;
  /// * T4 results, or a cache file of Kernel Tuner (baco/Format/OpenResults.h).
  ///
  /// `kernel` is the name of the kernel; if it isn't empty, recordings of
  /// another one are refused. So are studies and exports with a trial outside
  /// of the space. Rows of a table and results of other tools outside of the
  /// space are ignored; of several for one configuration the first one is used.
  /// Errors name the file, and the line where there is one: IOError, Corrupt,
  /// InvalidArgument for another kernel or space, NotFound if nothing is
  /// recorded.
  static Result<std::unique_ptr<ReplayEvaluator>>
  open(const std::string &name, const Space &space,
       std::string_view kernel = {}, const ResultColumns *columns = nullptr);

  /// NotFound, naming configuration and file, if it isn't recorded.
  Result<void> submit(uint64_t trial,
                      const Configuration &configuration) override;
  Result<Outcome> wait(uint64_t trial) override;
  void cancel(uint64_t trial) override;
  /// A hash of the outcomes that were read: the same for a study and its JSON
  /// export.
  std::string fingerprint() const override;

  /// If several studies of the database fit: which one is replayed, and which
  /// others there are. Else empty.
  const std::string &choiceNote() const { return note; }

  /// The final comparisons of a study or of its export; empty for tables.
  const RecordedFinals &finals() const { return recordedFinals; }

  /// All outcomes as JSON lines that `open` reads.
  std::string exportOutcomes() const;

  /// The number of configurations with an outcome.
  size_t size() const { return outcomes.size(); }

private:
  ReplayEvaluator(std::string path, Space space, RecordedOutcomes outcomes,
                  std::string contentHash);

  std::string path;
  Space space;
  RecordedOutcomes outcomes;
  RecordedFinals recordedFinals;
  std::string hash;
  std::string note;
  std::map<uint64_t, Outcome> submitted;
};

} // namespace baco::study

#endif // BACO_STUDY_REPLAYEVALUATOR_H
