//===- TrialHistory.cpp - History of trials -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/TrialHistory.h"

#include <cmath>

using namespace baco;
using namespace baco::search;

Optimizer::~Optimizer() = default;

std::vector<uint64_t> Optimizer::unwanted() const { return {}; }

static std::string name(uint64_t trial) {
  return "trial " + std::to_string(trial);
}

static Result<void> checkObservation(uint64_t trial,
                                     const Observation &observation) {
  if (observation.feasible && !std::isfinite(observation.objective))
    return {ErrorCode::InvalidArgument,
            name(trial) +
                ": the objective of a feasible trial must be finite, "
                "but it is " +
                toString(observation.objective)};
  return {};
}

void HistoryOptimizer::add(Point point) {
  asked.try_emplace(point, trials.size());
  trials.push_back({std::move(point), Trial::State::Pending, {}});
}

Result<std::optional<Suggestion>> HistoryOptimizer::ask() {
  Result<std::optional<Proposal>> proposal = propose();
  if (!proposal)
    return proposal.error();
  if (!*proposal)
    return std::optional<Suggestion>();
  Suggestion suggestion{
      trials.size(), space.toConfiguration((*proposal)->point),
      std::move((*proposal)->state), (*proposal)->expectedImprovement};
  add(std::move((*proposal)->point));
  return std::optional<Suggestion>(std::move(suggestion));
}

Result<void> HistoryOptimizer::checkPending(uint64_t trial) const {
  if (trial >= trials.size())
    return {ErrorCode::InvalidArgument,
            name(trial) + " wasn't asked for: there are " +
                std::to_string(trials.size()) + " trials"};
  if (trials[trial].state == Trial::State::Told)
    return {ErrorCode::InvalidArgument, name(trial) + " was told before"};
  if (trials[trial].state == Trial::State::Cancelled)
    return {ErrorCode::InvalidArgument, name(trial) + " was cancelled"};
  return {};
}

Result<void> HistoryOptimizer::tell(uint64_t trial,
                                    const Observation &observation) {
  if (Result<void> pending = checkPending(trial); !pending)
    return pending;
  if (Result<void> valid = checkObservation(trial, observation); !valid)
    return valid;
  trials[trial].state = Trial::State::Told;
  trials[trial].observation = observation;
  return {};
}

Result<void> HistoryOptimizer::cancel(uint64_t trial) {
  if (Result<void> pending = checkPending(trial); !pending)
    return pending;
  trials[trial].state = Trial::State::Cancelled;
  return {};
}

Result<void> HistoryOptimizer::takeUp(const std::string &state) { return {}; }

void HistoryOptimizer::replay(const std::string &state) {}

std::optional<size_t> HistoryOptimizer::trialOf(const Point &point) const {
  auto found = asked.find(point);
  return found == asked.end() ? std::nullopt : std::optional(found->second);
}

Result<void> HistoryOptimizer::restore(const std::vector<PastTrial> &past) {
  if (!trials.empty())
    return {ErrorCode::InvalidArgument,
            "a search can only be restored before the first ask, but there are "
            "already " +
                std::to_string(trials.size()) + " trials"};
  // Everything is checked before anything changes.
  std::vector<Point> points;
  for (const PastTrial &trial : past) {
    uint64_t number = trial.suggestion.trial;
    if (number != points.size())
      return {ErrorCode::InvalidArgument, "expected " + name(points.size()) +
                                              " next, but got " + name(number)};
    Result<Point> point = space.toPoint(trial.suggestion.configuration);
    if (!point)
      return {ErrorCode::InvalidArgument,
              name(number) + ": " + point.error().message};
    if (Result<void> feasible = space.check(trial.suggestion.configuration);
        !feasible)
      return {ErrorCode::InvalidArgument,
              name(number) + ": " + feasible.error().message};
    if (trial.observation)
      if (Result<void> valid = checkObservation(number, *trial.observation);
          !valid)
        return valid;
    points.push_back(std::move(*point));
  }
  for (const PastTrial &trial : past)
    if (Result<void> taken = takeUp(trial.suggestion.state); !taken)
      return {ErrorCode::InvalidArgument,
              name(trial.suggestion.trial) + ": " + taken.error().message};
  for (size_t i = 0; i < past.size(); ++i) {
    replay(past[i].suggestion.state);
    add(std::move(points[i]));
    if (past[i].isPending)
      continue;
    trials[i].state =
        past[i].observation ? Trial::State::Told : Trial::State::Cancelled;
    if (past[i].observation)
      trials[i].observation = *past[i].observation;
  }
  return {};
}

std::optional<Point> HistoryOptimizer::sampleNew(Random &random) const {
  // So many repeated draws in a row mean that most of the space has been asked
  // for. Listing the space is then no more work than the search so far.
  constexpr int maxDraws = 64;
  for (int draw = 0; draw < maxDraws; ++draw) {
    Point point = space.sample(random);
    if (!wasAsked(point))
      return point;
  }
  std::optional<uint64_t> count = space.countIfSmall();
  // With reals no draw repeats, unless all of them are fixed.
  if (!count || *count <= asked.size())
    return std::nullopt;
  std::vector<uint64_t> left;
  for (uint64_t k = 0; k < *count; ++k)
    if (!wasAsked(space.at(k)))
      left.push_back(k);
  if (left.empty())
    return std::nullopt;
  return space.at(left[random.below(left.size())]);
}

std::optional<HistoryOptimizer::Proposal>
HistoryOptimizer::proposeNew(Random &random) const {
  std::optional<Point> point = sampleNew(random);
  if (!point)
    return std::nullopt;
  return Proposal{std::move(*point), ""};
}
