//===- StepwiseOptimizer.h - Techniques with a state ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The base of techniques that move through the space: annealing, populations,
// simplexes. Their state follows from their steps, so that a resumed search
// repeats these instead of storing the state.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_STEPWISEOPTIMIZER_H
#define BACO_SEARCH_RIVALS_STEPWISEOPTIMIZER_H

#include "baco/Search/Rivals/Evaluations.h"
#include "baco/Search/TrialHistory.h"

namespace baco::search {

/// A technique that alternates between learning outcomes and taking a step.
/// Before step k it learns all outcomes that became known since step k - 1, in
/// the order of asking; Suggestion::state lists them ("7 9": trials 7 and 9).
/// That, the points and the seed are all that a resumed search needs to learn
/// and to step again in the same order.
class StepwiseOptimizer : public HistoryOptimizer {
public:
  StepwiseOptimizer(Space space, uint64_t seed)
      : HistoryOptimizer(std::move(space)), seed(seed) {}

protected:
  /// The outcome of a trial: its objective; infinity if it was infeasible or
  /// was cancelled. Its point is history()[trial].point.
  virtual void learn(size_t trial, double cost) = 0;

  /// The point of trial history().size(), which must not have been asked for;
  /// nullopt for a random one. May depend only on what was learned, on earlier
  /// steps, on which points were asked for and on `random`.
  virtual std::optional<Point> step(Random &random) = 0;

  /// The learned cost of a trial of the history; nullopt: none yet.
  std::optional<double> costOf(size_t trial) const { return costs[trial]; }
  /// The trial with the lowest finite cost, the first of several; nullopt if
  /// none was learned.
  std::optional<size_t> best() const { return bestTrial; }
  /// The learned costs by points. Valid until the next trial.
  Evaluations evaluations() const;

  Result<std::optional<Proposal>> propose() final;
  Result<void> takeUp(const std::string &state) final;
  void replay(const std::string &state) final;

private:
  void learnOutcome(size_t trial);
  /// Learns the outcomes of those of `trials` that aren't pending, and returns
  /// these.
  std::vector<size_t> learnOutcomes(const std::vector<size_t> &trials);

  uint64_t seed;
  /// One per trial.
  std::vector<std::optional<double>> costs;
  std::optional<size_t> bestTrial;
};

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_STEPWISEOPTIMIZER_H
