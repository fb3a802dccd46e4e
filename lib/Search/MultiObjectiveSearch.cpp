//===- MultiObjectiveSearch.cpp - Ask and tell, several objectives --------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/MultiObjectiveSearch.h"

#include <cmath>

using namespace baco;
using namespace baco::search;

static Error invalid(uint64_t trial, const std::string &problem) {
  return {ErrorCode::InvalidArgument,
          "trial " + std::to_string(trial) + problem};
}

static bool isFeasible(const PastTrial &trial) {
  return trial.observation && trial.observation->feasible;
}

std::pair<std::vector<uint64_t>, std::vector<Costs>>
MultiObjectiveSearch::feasible() const {
  std::pair<std::vector<uint64_t>, std::vector<Costs>> found;
  for (uint64_t k = 0; k < history.size(); ++k) {
    if (!isFeasible(history[k]))
      continue;
    found.first.push_back(k);
    found.second.push_back(history[k].observation->costs);
  }
  return found;
}

Result<std::vector<PastTrial>> MultiObjectiveSearch::scalarized() const {
  auto [trials, costs] = feasible();
  Random random(seed, history.size());
  Result<std::vector<double>> scalars = order->scalarize(costs, random);
  if (!scalars)
    return scalars.error();
  std::vector<PastTrial> past = history;
  for (size_t k = 0; k < trials.size(); ++k)
    past[trials[k]].observation = Observation{(*scalars)[k], true};
  return past;
}

Result<std::optional<Suggestion>> MultiObjectiveSearch::ask() {
  Result<std::unique_ptr<Optimizer>> technique = make();
  if (!technique)
    return technique.error();
  Result<std::vector<PastTrial>> past = scalarized();
  if (!past)
    return past.error();
  if (Result<void> restored = (*technique)->restore(*past); !restored)
    return restored.error();
  Result<std::optional<Suggestion>> suggestion = (*technique)->ask();
  if (suggestion && *suggestion) {
    // The improvement is that of the scalar, which only this class knows.
    (*suggestion)->expectedImprovement = std::nullopt;
    history.push_back({**suggestion, std::nullopt, /*isPending=*/true});
  }
  return suggestion;
}

Result<void> MultiObjectiveSearch::checkPending(uint64_t trial) const {
  if (trial < history.size() && history[trial].isPending)
    return {};
  return invalid(trial, " isn't pending");
}

Result<void> MultiObjectiveSearch::checkCosts(uint64_t trial,
                                              const Observation &observation) {
  if (!observation.feasible)
    return {};
  const Costs &costs = observation.costs;
  if (costs.empty())
    return invalid(trial, " has no costs");
  for (double cost : costs)
    if (!std::isfinite(cost))
      return invalid(trial, ": the costs of a feasible trial must be finite, "
                            "but one is " +
                                toString(cost));
  if (numCosts > 0 && costs.size() != numCosts)
    return invalid(trial, " has " + std::to_string(costs.size()) +
                              " costs, but earlier ones have " +
                              std::to_string(numCosts));
  numCosts = costs.size();
  return {};
}

Result<void> MultiObjectiveSearch::tell(uint64_t trial,
                                        const Observation &observation) {
  if (Result<void> pending = checkPending(trial); !pending)
    return pending;
  if (Result<void> valid = checkCosts(trial, observation); !valid)
    return valid;
  history[trial].observation = observation;
  history[trial].isPending = false;
  return {};
}

Result<void> MultiObjectiveSearch::cancel(uint64_t trial) {
  if (Result<void> pending = checkPending(trial); !pending)
    return pending;
  history[trial].isPending = false;
  return {};
}

Result<void>
MultiObjectiveSearch::restore(const std::vector<PastTrial> &trials) {
  if (!history.empty())
    return {ErrorCode::InvalidArgument,
            "a search can only be restored before the first ask"};
  for (const PastTrial &trial : trials) {
    uint64_t number = trial.suggestion.trial;
    Result<void> valid;
    if (number != history.size())
      valid = invalid(number, " isn't the next");
    else if (trial.observation && !trial.isPending)
      valid = checkCosts(number, *trial.observation);
    if (!valid) {
      history.clear();
      return valid;
    }
    history.push_back(trial);
    if (trial.isPending)
      history.back().observation = std::nullopt;
  }
  return {};
}

std::vector<uint64_t> MultiObjectiveSearch::best() const {
  auto [trials, costs] = feasible();
  std::vector<uint64_t> numbers;
  for (size_t k : order->best(costs))
    numbers.push_back(trials[k]);
  return numbers;
}
