//===- StepwiseOptimizer.cpp - Techniques with a state --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/StepwiseOptimizer.h"

#include <charconv>
#include <limits>

using namespace baco;
using namespace baco::search;

/// Numbers separated by single spaces; nullopt if `text` isn't such a list.
static std::optional<std::vector<size_t>> parseList(const std::string &text) {
  std::vector<size_t> numbers;
  const char *end = text.data() + text.size();
  for (const char *at = text.data(); at != end;) {
    if (!numbers.empty() && *at++ != ' ')
      return std::nullopt;
    auto [rest, error] = std::from_chars(at, end, numbers.emplace_back());
    if (error != std::errc())
      return std::nullopt;
    at = rest;
  }
  return numbers;
}

static std::string printList(const std::vector<size_t> &numbers) {
  std::string text;
  for (size_t number : numbers)
    text += (text.empty() ? "" : " ") + std::to_string(number);
  return text;
}

void StepwiseOptimizer::learnOutcome(size_t trial) {
  const Trial &outcome = history()[trial];
  double cost = outcome.isFeasible() ? outcome.observation.objective
                                     : std::numeric_limits<double>::infinity();
  costs[trial] = cost;
  if (outcome.isFeasible() && (!bestTrial || cost < *costs[*bestTrial]))
    bestTrial = trial;
  learn(trial, cost);
}

std::vector<size_t>
StepwiseOptimizer::learnOutcomes(const std::vector<size_t> &trials) {
  costs.resize(history().size());
  std::vector<size_t> learned;
  for (size_t trial : trials) {
    // A trial that isn't in the history belongs to another search.
    if (trial >= costs.size() || costs[trial] ||
        history()[trial].state == Trial::State::Pending)
      continue;
    learnOutcome(trial);
    learned.push_back(trial);
  }
  return learned;
}

Evaluations StepwiseOptimizer::evaluations() const {
  Evaluations known;
  known.wasAsked = [this](const Point &point) { return wasAsked(point); };
  known.cost = [this](const Point &point) -> std::optional<double> {
    std::optional<size_t> trial = trialOf(point);
    return trial ? costOf(*trial) : std::nullopt;
  };
  if (bestTrial)
    known.best = &history()[*bestTrial].point;
  return known;
}

Result<std::optional<HistoryOptimizer::Proposal>> StepwiseOptimizer::propose() {
  std::vector<size_t> open;
  costs.resize(history().size());
  for (size_t trial = 0; trial < costs.size(); ++trial)
    if (!costs[trial])
      open.push_back(trial);
  std::string state = printList(learnOutcomes(open));

  Random random(seed, history().size());
  std::optional<Point> point = step(random);
  assert((!point || !wasAsked(*point)) && "a step to a point asked for before");
  if (!point)
    point = sampleNew(random);
  if (!point)
    return std::optional<Proposal>();
  return std::optional(Proposal{std::move(*point), std::move(state)});
}

Result<void> StepwiseOptimizer::takeUp(const std::string &state) {
  if (!parseList(state))
    return {ErrorCode::InvalidArgument,
            "the state of this technique must be a list of trials, but is '" +
                state + "'"};
  return {};
}

void StepwiseOptimizer::replay(const std::string &state) {
  if (std::optional<std::vector<size_t>> trials = parseList(state))
    learnOutcomes(*trials);
  Random random(seed, history().size());
  step(random);
}
