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

std::pair<std::vector<uint64_t>, std::vector<Costs>>
MultiObjectiveSearch::feasible() const {
  std::pair<std::vector<uint64_t>, std::vector<Costs>> found;
  for (uint64_t k = 0; k < history.size(); ++k) {
    if (!history[k].told || !history[k].told->feasible)
      continue;
    found.first.push_back(k);
    found.second.push_back(history[k].told->costs);
  }
  return found;
}

Result<std::vector<PastTrial>> MultiObjectiveSearch::scalarized() const {
  std::vector<PastTrial> past;
  for (const Trial &trial : history) {
    past.push_back({trial.suggestion, std::nullopt, trial.isPending});
    if (trial.told)
      past.back().observation = Observation();
  }
  auto [trials, costs] = feasible();
  Random random(seed, history.size());
  Result<std::vector<double>> scalars = order->scalarize(costs, random);
  if (!scalars)
    return scalars.error();
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
    history.push_back({**suggestion});
  }
  return suggestion;
}

Result<void> MultiObjectiveSearch::checkPending(uint64_t trial) const {
  if (trial < history.size() && history[trial].isPending)
    return {};
  return invalid(trial, " isn't pending");
}

Result<void> MultiObjectiveSearch::checkCosts(uint64_t trial,
                                              const Told &told) const {
  if (!told.feasible)
    return {};
  if (told.costs.empty())
    return invalid(trial, " has no costs");
  for (double cost : told.costs)
    if (!std::isfinite(cost))
      return invalid(trial, ": the costs of a feasible trial must be finite, "
                            "but one is " +
                                toString(cost));
  for (const Trial &other : history)
    if (other.told && other.told->feasible &&
        other.told->costs.size() != told.costs.size())
      return invalid(trial, " has " + std::to_string(told.costs.size()) +
                                " costs, but earlier ones have " +
                                std::to_string(other.told->costs.size()));
  return {};
}

Result<void> MultiObjectiveSearch::tell(uint64_t trial, const Told &told) {
  if (Result<void> pending = checkPending(trial); !pending)
    return pending;
  if (Result<void> valid = checkCosts(trial, told); !valid)
    return valid;
  history[trial].told = told;
  history[trial].isPending = false;
  return {};
}

Result<void> MultiObjectiveSearch::cancel(uint64_t trial) {
  if (Result<void> pending = checkPending(trial); !pending)
    return pending;
  history[trial].isPending = false;
  return {};
}

Result<void> MultiObjectiveSearch::restore(std::vector<Trial> trials) {
  if (!history.empty())
    return {ErrorCode::InvalidArgument,
            "a search can only be restored before the first ask"};
  for (Trial &trial : trials) {
    uint64_t number = trial.suggestion.trial;
    Result<void> valid;
    if (number != history.size())
      valid = invalid(number, " isn't the next");
    else if (trial.told)
      valid = checkCosts(number, *trial.told);
    if (!valid) {
      history.clear();
      return valid;
    }
    trial.isPending &= !trial.told;
    history.push_back(std::move(trial));
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
