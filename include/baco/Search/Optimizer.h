//===- Optimizer.h - Ask and tell -------------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface of every search technique. A technique never calls the
// objective: the study asks for configurations and tells their outcomes.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_OPTIMIZER_H
#define BACO_SEARCH_OPTIMIZER_H

#include "baco/Space/Space.h"

#include <limits>
#include <memory>

namespace baco::search {

/// A configuration to evaluate.
struct Suggestion {
  /// 0, 1, 2, ... in the order of asking.
  uint64_t trial = 0;
  Configuration configuration;
  /// The technique's state for later suggestions (hyperparameters), as one line
  /// of text: part of the trial's record, so that a resumed search continues as
  /// if it had never stopped. May be empty.
  std::string state;
  /// The expected improvement of this trial as a share of the best objective so
  /// far, in [0, 1]; unset if the technique doesn't compute one.
  std::optional<double> expectedImprovement = std::nullopt;
};

/// The outcome of a trial as the search sees it.
struct Observation {
  /// The objective (minimized), finite. Unless feasible: NaN, or, if `usage`
  /// says that a limit is exceeded, what it would be without limits.
  double objective = std::numeric_limits<double>::quiet_NaN();
  /// Whether hidden constraints hold: it compiled, ran and was right.
  bool feasible = false;
  /// For a search with several objectives: all of them, minimized and finite.
  /// Other techniques don't look at them.
  std::vector<double> costs = {};
  /// If they are known: the shares of its limits that the candidate needs, in
  /// an order that is the same for all. It isn't feasible if one is above 1,
  /// and may not be for other reasons.
  std::vector<double> usage = {};
};

/// A trial that was asked for earlier, for resuming.
struct PastTrial {
  Suggestion suggestion;
  /// Unset if it was cancelled or lost.
  std::optional<Observation> observation;
  /// Still in flight: neither told nor cancelled, but to be evaluated again.
  /// `observation` doesn't count.
  bool isPending = false;
};

/// A search technique. Deterministic: suggestion k depends only on the space,
/// the options, the seed, and what was asked and told before it. Not thread
/// safe.
class Optimizer {
public:
  virtual ~Optimizer();

  /// The next configuration, never one that was asked for before; nullopt if
  /// the space is exhausted. Several may be pending.
  virtual Result<std::optional<Suggestion>> ask() = 0;

  /// Tells the outcome of a pending trial. InvalidArgument if it isn't pending,
  /// or if a feasible objective is not finite.
  virtual Result<void> tell(uint64_t trial, const Observation &observation) = 0;

  /// Cancels a pending trial: nothing is learned from it, and it isn't asked
  /// for again.
  virtual Result<void> cancel(uint64_t trial) = 0;

  /// The pending trials whose outcomes the technique has no use for any more,
  /// in the order of asking: the caller may cancel them to save evaluations.
  /// None, unless the technique says otherwise.
  virtual std::vector<uint64_t> unwanted() const;

  /// Continues an earlier search of the same space, options and seed. `trials`
  /// are all that were asked for, in order; all of them are told or cancelled
  /// here, or stay pending if they are marked so. Call it before the first ask.
  /// InvalidArgument if a configuration isn't in the space, or a state isn't
  /// one of this technique's.
  virtual Result<void> restore(const std::vector<PastTrial> &trials) = 0;
};

} // namespace baco::search

#endif // BACO_SEARCH_OPTIMIZER_H
