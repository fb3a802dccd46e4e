//===- MultiObjectiveSearch.h - Ask and tell, several objectives *- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lets every search technique for one objective search for several.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_MULTIOBJECTIVESEARCH_H
#define BACO_SEARCH_MULTIOBJECTIVESEARCH_H

#include "baco/Search/Objectives.h"
#include "baco/Search/Optimizer.h"

namespace baco::search {

/// Ask and tell as Optimizer has them, with costs in the place of the
/// objective. For each suggestion a fresh technique restores all trials with
/// the scalars that they have now, and is asked once: so the same trials give
/// the same suggestion. Techniques with a model suit this better than
/// techniques that follow their own steps. Not thread safe.
class MultiObjectiveSearch {
public:
  /// Makes a technique that has neither been asked nor told, always the same.
  using Maker = std::function<Result<std::unique_ptr<Optimizer>>()>;

  /// `seed` is for the order's random numbers.
  MultiObjectiveSearch(Maker make, ObjectiveOrderPtr order, uint64_t seed)
      : make(std::move(make)), order(std::move(order)), seed(seed) {}

  /// The outcome of a trial.
  struct Told {
    /// Meaningless unless feasible.
    Costs costs;
    bool feasible = false;
  };

  struct Trial {
    Suggestion suggestion;
    /// Unset if it is pending or was cancelled.
    std::optional<Told> told = std::nullopt;
    bool isPending = true;
  };

  /// As Optimizer::ask. InvalidArgument if the order can't deal with the costs.
  Result<std::optional<Suggestion>> ask();

  /// InvalidArgument if the trial isn't pending, a feasible trial's cost isn't
  /// finite, or their number differs from that of earlier trials.
  Result<void> tell(uint64_t trial, const Told &told);

  /// Nothing is learned from a pending trial.
  Result<void> cancel(uint64_t trial);

  /// Continues an earlier search. Call it before the first ask.
  /// InvalidArgument if trials aren't in order or their costs are wrong; what
  /// doesn't fit the space is an error of the next ask.
  Result<void> restore(std::vector<Trial> trials);

  /// In the order of asking.
  const std::vector<Trial> &trials() const { return history; }

  /// The trials whose costs nothing is better than, in the order of asking.
  std::vector<uint64_t> best() const;

private:
  Result<void> checkPending(uint64_t trial) const;
  Result<void> checkCosts(uint64_t trial, const Told &told) const;
  /// The feasible trials and their costs.
  std::pair<std::vector<uint64_t>, std::vector<Costs>> feasible() const;
  /// All trials as the technique sees them.
  Result<std::vector<PastTrial>> scalarized() const;

  Maker make;
  ObjectiveOrderPtr order;
  uint64_t seed;
  std::vector<Trial> history;
};

} // namespace baco::search

#endif // BACO_SEARCH_MULTIOBJECTIVESEARCH_H
