//===- ReplayTable.h - Recorded outcomes as CSV -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the tables that other tuners record: a column per parameter, and a
// time.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_STUDY_REPLAYTABLE_H
#define BACO_LIB_STUDY_REPLAYTABLE_H

#include "baco/Study/ReplayEvaluator.h"

#include <optional>

namespace baco::study {

/// Collects recorded outcomes that are in a space.
class Recording {
public:
  explicit Recording(const Space &space) : space(space) {}

  /// Ignores a configuration that isn't in the space (remembering why, and
  /// `where` it was, if it is the first), and one that is there already, unless
  /// it was cancelled.
  void add(const Result<Configuration> &configuration, Outcome outcome,
           const std::string &where);

  /// All outcomes; NotFound with the reason of the first that was ignored if
  /// there are none.
  Result<RecordedOutcomes> take();

private:
  const Space &space;
  RecordedOutcomes outcomes;
  std::optional<std::string> firstIgnored;
};

/// The outcomes of a table (see ReplayEvaluator::open). Errors don't name the
/// file. InvalidArgument if a row names another kernel; empty: any.
Result<RecordedOutcomes> readReplayTable(std::string_view text,
                                         const Space &space,
                                         std::string_view kernel = {},
                                         const ResultColumns *wanted = nullptr);

} // namespace baco::study

#endif // BACO_LIB_STUDY_REPLAYTABLE_H
