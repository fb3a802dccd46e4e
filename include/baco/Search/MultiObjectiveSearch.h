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

#include "baco/Search/ObjectiveOrder.h"
#include "baco/Search/Optimizer.h"

namespace baco::search {

/// A technique that is told Observation::costs. For each suggestion a fresh
/// technique restores all trials with the scalars that they have now, and is
/// asked once: so the same trials give the same suggestion. Techniques with a
/// model suit this better than techniques that follow their own steps. Not
/// thread safe.
class MultiObjectiveSearch : public Optimizer {
public:
  /// Makes a technique that has neither been asked nor told, always the same.
  using Maker = std::function<Result<std::unique_ptr<Optimizer>>()>;

  /// `seed` is for the order's random numbers.
  MultiObjectiveSearch(Maker make, ObjectiveOrderPtr order, uint64_t seed)
      : make(std::move(make)), order(std::move(order)), seed(seed) {}

  /// InvalidArgument if the order can't deal with the costs.
  Result<std::optional<Suggestion>> ask() override;

  /// InvalidArgument if the trial isn't pending, a feasible trial's cost isn't
  /// finite, or their number differs from that of earlier trials.
  Result<void> tell(uint64_t trial, const Observation &observation) override;

  Result<void> cancel(uint64_t trial) override;

  /// InvalidArgument if trials aren't in order or their costs are wrong; what
  /// doesn't fit the space is an error of the next ask.
  Result<void> restore(const std::vector<PastTrial> &trials) override;

  /// In the order of asking.
  const std::vector<PastTrial> &trials() const { return history; }

  /// The trials whose costs nothing is better than, in the order of asking.
  std::vector<uint64_t> best() const;

private:
  Result<void> checkPending(uint64_t trial) const;
  Result<void> checkCosts(uint64_t trial, const Observation &observation);
  /// The feasible trials and their costs.
  std::pair<std::vector<uint64_t>, std::vector<Costs>> feasible() const;
  /// All trials as the technique sees them.
  Result<std::vector<PastTrial>> scalarized() const;

  Maker make;
  ObjectiveOrderPtr order;
  uint64_t seed;
  std::vector<PastTrial> history;
  /// How many costs trials have; 0: none is feasible yet.
  size_t numCosts = 0;
};

} // namespace baco::search

#endif // BACO_SEARCH_MULTIOBJECTIVESEARCH_H
