//===- GeneticAlgorithm.cpp - A population that breeds --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/GeneticAlgorithm.h"

#include "baco/Search/Rivals/Moves.h"

#include <algorithm>
#include <cmath>

using namespace baco;
using namespace baco::search;

GeneticAlgorithm::GeneticAlgorithm(Space space, uint64_t seed)
    : StepwiseOptimizer(std::move(space), seed) {
  constexpr uint64_t usualSize = 20, smallestSize = 2;
  uint64_t half = this->space.countIfSmall().value_or(2 * usualSize) / 2;
  populationSize = std::clamp(half, smallestSize, usualSize);
}

void GeneticAlgorithm::learn(size_t trial, double cost) {
  // A generation includes the random points that replace children where
  // breeding finds nothing new.
  generation.insert(trial);
}

/// Whether there are enough, and all their costs are known.
bool GeneticAlgorithm::isComplete() const {
  return generation.size() >= populationSize &&
         std::all_of(generation.begin(), generation.end(),
                     [&](size_t trial) { return costOf(trial).has_value(); });
}

void GeneticAlgorithm::startGeneration() {
  generation.insert(parents.begin(), parents.end());
  std::vector<std::pair<double, size_t>> order;
  for (size_t trial : generation)
    order.emplace_back(*costOf(trial), trial);
  std::sort(order.begin(), order.end());
  order.resize(populationSize);
  parents.clear();
  for (const auto &[cost, trial] : order)
    parents.push_back(trial);
  generation.clear();
}

/// Ranks are drawn from a beta distribution, shapes 1 and 2.5.
size_t GeneticAlgorithm::selectParent(Random &random) const {
  double share = 1 - std::pow(1 - random.uniform(), 1 / 2.5);
  auto rank = static_cast<size_t>(share * static_cast<double>(parents.size()));
  return std::min(rank, parents.size() - 1);
}

Point GeneticAlgorithm::cross(Random &random) const {
  size_t first = selectParent(random), second = first;
  while (second == first)
    second = selectParent(random);
  Point child = history()[parents[first]].point;
  const Point &other = history()[parents[second]].point;
  std::vector<size_t> differences;
  for (size_t p = 0; p < child.size(); ++p)
    if (child[p] != other[p])
      differences.push_back(p);
  random.shuffle(differences);
  differences.resize((differences.size() + 1) / 2);
  for (size_t p : differences)
    child[p] = other[p];
  settleInactive(space, child);
  return child;
}

Point GeneticAlgorithm::breed(Random &random) const {
  constexpr int maxTries = 10;
  constexpr double mutationRate = 0.1;
  Point child = cross(random);
  for (int attempt = 1; attempt < maxTries && !space.isFeasible(child);
       ++attempt)
    child = cross(random);
  if (!space.isFeasible(child))
    child = space.nearest(child);
  if (random.uniform() < mutationRate)
    if (std::optional<Point> mutant = changeOneValue(space, child, random))
      return std::move(*mutant);
  return child;
}

std::optional<Point> GeneticAlgorithm::step(Random &random) {
  constexpr int maxKnown = 100;
  for (int known = 0; known < maxKnown; ++known) {
    if (isComplete())
      startGeneration();
    bool isFirst = parents.size() < 2;
    std::optional<Point> point = isFirst ? sampleNew(random) : breed(random);
    if (!point)
      break;
    std::optional<size_t> trial = trialOf(*point);
    generation.insert(trial.value_or(history().size()));
    if (!trial)
      return point;
  }
  return std::nullopt;
}
