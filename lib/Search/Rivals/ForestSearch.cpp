//===- ForestSearch.cpp - Random-forest optimization ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/ForestSearch.h"

#include "baco/Search/Standardize.h"

#include <algorithm>
#include <limits>

using namespace baco;
using namespace baco::search;
using Eigen::Index;
using Eigen::VectorXd;

// The defaults of scikit-optimize, and ytopt's kappa.
static constexpr size_t numInitial = 10;
static constexpr uint64_t numCandidates = 10000;
static constexpr double kappa = 1.96;

ForestSearch::ForestSearch(Space space, uint64_t seed)
    : HistoryOptimizer(std::move(space)), seed(seed), encoding(this->space) {}

std::vector<Point> ForestSearch::drawCandidates(Random &random) const {
  std::vector<Point> candidates;
  auto add = [&](Point point) {
    if (!wasAsked(point))
      candidates.push_back(std::move(point));
  };
  std::optional<uint64_t> count = space.countIfSmall();
  if (count && *count <= numCandidates)
    for (uint64_t k = 0; k < *count; ++k)
      add(space.at(k));
  else
    for (uint64_t k = 0; k < numCandidates; ++k)
      add(space.sample(random));
  return candidates;
}

RandomForest ForestSearch::fit(Random &random) const {
  double high = -std::numeric_limits<double>::infinity();
  for (const Trial &trial : history())
    if (trial.isFeasible())
      high = std::max(high, trial.observation.objective);
  std::vector<Point> points, pending;
  std::vector<double> values;
  for (const Trial &trial : history()) {
    if (trial.state == Trial::State::Pending)
      pending.push_back(trial.point);
    if (trial.state != Trial::State::Told)
      continue;
    points.push_back(trial.point);
    values.push_back(trial.isFeasible() ? trial.observation.objective : high);
  }
  // Standardized values have the mean 0.
  VectorXd y = VectorXd::Zero(Index(values.size() + pending.size()));
  y.head(Index(values.size())) =
      standardize(Eigen::Map<VectorXd>(values.data(), Index(values.size())));
  points.insert(points.end(), pending.begin(), pending.end());
  ForestOptions options;
  options.numTrees = 100;
  options.maxFeatures = 1;
  return RandomForest(encoding.layout(), encoding.encode(points), y,
                      VectorXd::Ones(y.size()), options, random);
}

Result<std::optional<HistoryOptimizer::Proposal>> ForestSearch::propose() {
  Random random(seed, history().size());
  bool anyFeasible =
      std::any_of(history().begin(), history().end(),
                  [](const Trial &trial) { return trial.isFeasible(); });
  std::optional<Point> point;
  if (history().size() >= numInitial && anyFeasible) {
    std::vector<Point> candidates = drawCandidates(random);
    Prediction prediction = fit(random).predict(encoding.encode(candidates));
    VectorXd bound = prediction.mean - kappa * prediction.variance.cwiseSqrt();
    Index best = 0;
    if (!candidates.empty()) {
      bound.minCoeff(&best);
      point = std::move(candidates[size_t(best)]);
    }
  }
  // None of the candidates may be left in a large space too.
  if (!point)
    point = sampleNew(random);
  if (!point)
    return std::optional<Proposal>();
  return std::optional(Proposal{std::move(*point), ""});
}
