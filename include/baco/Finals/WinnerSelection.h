//===- WinnerSelection.h - The code that is shipped -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses the finalists and the winner of a final comparison, as pure functions
// of measurements.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FINALS_WINNERSELECTION_H
#define BACO_FINALS_WINNERSELECTION_H

#include "baco/Database/Final.h"
#include "baco/Measure/Statistics.h"

#include <optional>
#include <span>
#include <vector>

namespace baco::finals {

/// The finalists to be compared.
struct FinalistSet {
  /// Numbers of trials: the default first, if it works, then the best ones.
  std::vector<size_t> trials;
  bool hasDefault = false;
  /// Whether the plain lowering takes part, behind all trials.
  bool hasPlain = false;

  /// Whether all finalists of `other` are among these.
  bool covers(const FinalistSet &other) const;
};

/// Whether the plain lowering could turn out to be faster than a schedule that
/// takes `bestNs`, and be measured beside it in less than `longestMs`. `plain`
/// is how it was timed before the search; may be null.
bool couldPlainWin(const Outcome *plain, double bestNs, double longestMs);

/// The finalists among the trials that work (Trial::works): the default and the
/// best few that are near the best. The plain lowering takes part whenever it
/// could win (couldPlainWin).
///
/// \param defaultTrial  the trial of the default, if there is one
/// \param longestMs     how long a finalist may run in all rounds, > 0
/// \returns no trials if none works.
FinalistSet chooseFinalists(std::span<const database::Trial> trials,
                            std::optional<size_t> defaultTrial,
                            const Outcome *plain, double longestMs);

/// Whether a failure in a comparison is the candidate's own. A lost worker, or
/// too little memory for all finalists at once, isn't a failure of a candidate
/// that was correct before.
bool isOwnFault(Status status);

/// How much longer `slow` takes than `fast`, by rounds.
measure::Ratio ratioOf(const database::Finalist &slow,
                       const database::Finalist &fast, double confidence);

/// Whether the rounds show that a schedule `fast` is faster than another.
bool isCertainlyFaster(const database::Finalist &fast,
                       const database::Finalist &slow, double confidence);

/// The result of a comparison, as indices in its list of finalists.
struct Decision {
  /// Unset if no candidate was correct.
  std::optional<Kept> kept;
  /// The best schedule, which is kept unless the original code is.
  std::optional<size_t> schedule;
  /// The fastest schedule besides the default.
  std::optional<size_t> other;
};

/// Decides which code is kept: the fastest schedule if it is certainly faster
/// than the default, else the default; but the original code if the plain
/// lowering is certainly faster than that.
///
/// \param finalists  as Final::finalists
/// \param defaultTrial  the number of the default's trial, if there is one
/// \param confidence    of the intervals that decide, in (0, 1)
Decision decide(std::span<const database::Finalist> finalists,
                std::optional<uint64_t> defaultTrial, double confidence);

/// Decides which code a program keeps, whose kernels have won their own
/// comparisons: the first of `finalists` that is right, unless one behind it is
/// certainly faster, however little. Nullopt if none is right.
std::optional<size_t>
decideProgram(std::span<const database::Finalist> finalists, double confidence);

/// Whether the plain lowering is certainly faster than `trial`, both by their
/// separate times: by a large margin, because they were timed at other moments
/// with other placements.
bool isCertainlyFasterAlone(const Outcome &plain, const Outcome &trial);

} // namespace baco::finals

#endif // BACO_FINALS_WINNERSELECTION_H
