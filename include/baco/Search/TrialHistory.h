//===- TrialHistory.h - Trials and their outcomes ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bookkeeping that all search techniques share: the trials, their outcomes,
// and the points that must not be asked for again.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_TRIALHISTORY_H
#define BACO_SEARCH_TRIALHISTORY_H

#include "baco/Search/Optimizer.h"

#include <map>

namespace baco::search {

/// A trial as the techniques see it.
struct Trial {
  enum class State { Pending, Told, Cancelled };
  Point point;
  State state = State::Pending;
  /// Valid if told.
  Observation observation;

  bool isFeasible() const {
    return state == State::Told && observation.feasible;
  }
};

/// A technique that keeps a history; derived classes only propose points.
class HistoryOptimizer : public Optimizer {
public:
  explicit HistoryOptimizer(Space space) : space(std::move(space)) {}

  Result<std::optional<Suggestion>> ask() final;
  Result<void> tell(uint64_t trial, const Observation &observation) final;
  Result<void> cancel(uint64_t trial) final;
  Result<void> restore(const std::vector<PastTrial> &trials) final;

protected:
  /// A point that isn't in the history, and the state to carry over.
  struct Proposal {
    Point point;
    std::string state;
    /// As Suggestion::expectedImprovement.
    std::optional<double> expectedImprovement = std::nullopt;
  };

  /// The next point, for trial history().size(); nullopt if the space is
  /// exhausted.
  virtual Result<std::optional<Proposal>> propose() = 0;

  /// Takes up `state` of an earlier search's suggestion, in order of the
  /// suggestions. InvalidArgument if it isn't one.
  virtual Result<void> takeUp(const std::string &state);

  /// Called by `restore`, after all states were taken up, before it adds trial
  /// history().size(), whose suggestion had this state. Does nothing.
  virtual void replay(const std::string &state);

  /// All trials so far, in the order of asking.
  const std::vector<Trial> &history() const { return trials; }
  bool wasAsked(const Point &point) const { return asked.contains(point); }
  /// The trial that asked for `point`, if there is one.
  std::optional<size_t> trialOf(const Point &point) const;

  /// Uniform over the feasible points that weren't asked for; nullopt if there
  /// are none.
  std::optional<Point> sampleNew(Random &random) const;
  /// The same as a proposal that carries nothing over.
  std::optional<Proposal> proposeNew(Random &random) const;

  const Space space;

private:
  /// Checks that `trial` is pending.
  Result<void> checkPending(uint64_t trial) const;
  void add(Point point);

  std::vector<Trial> trials;
  /// The trials by their points.
  std::map<Point, size_t> asked;
};

} // namespace baco::search

#endif // BACO_SEARCH_TRIALHISTORY_H
