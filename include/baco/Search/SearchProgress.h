//===- SearchProgress.h - How far a search has come -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The data that stop conditions read. The loop that asks and tells maintains
// it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_SEARCHPROGRESS_H
#define BACO_SEARCH_SEARCHPROGRESS_H

#include "baco/Space/Space.h"

#include <limits>

namespace baco::search {

struct SearchProgress {
  explicit SearchProgress(const Space &space);

  /// After one evaluation.
  struct Step {
    /// When it was told, since the search began.
    double seconds;
    /// The least objective so far; infinity if nothing works yet.
    double best;
  };

  /// The number of configurations, rounded where it is large; infinity if there
  /// are real parameters.
  double spaceSize;
  /// One per evaluation, failures included.
  std::vector<Step> steps;
  /// The time now, since the search began.
  double seconds = 0;
  /// The last suggestion's (`Suggestion::expectedImprovement`).
  std::optional<double> expectedImprovement;

  /// Adds an evaluation, told at `when` >= `seconds`; without an objective if
  /// it failed.
  void add(double when, std::optional<double> objective);

  uint64_t evaluations() const { return steps.size(); }
  /// The least objective; infinity if nothing works yet.
  double best() const;
  /// The same, but before the last `number` evaluations.
  double bestBefore(uint64_t number) const;
  /// The same, at a time.
  double bestAt(double when) const;
};

} // namespace baco::search

#endif // BACO_SEARCH_SEARCHPROGRESS_H
