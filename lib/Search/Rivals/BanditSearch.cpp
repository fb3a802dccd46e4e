//===- BanditSearch.cpp - Techniques in competition -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/BanditSearch.h"

#include "baco/Search/Rivals/DifferentialEvolution.h"
#include "baco/Search/Rivals/GreedyMutation.h"
#include "baco/Search/Rivals/NelderMead.h"
#include "baco/Search/Rivals/PatternSearch.h"
#include "baco/Search/Rivals/RankOrderSimplex.h"

using namespace baco;
using namespace baco::search;

BanditSearch::BanditSearch(Space space, uint64_t seed,
                           std::vector<std::unique_ptr<BatchSearch>> techniques)
    : StepwiseOptimizer(std::move(space), seed), bandit(techniques.size()) {
  for (std::unique_ptr<BatchSearch> &technique : techniques)
    queues.emplace_back(std::move(technique));
}

void BanditSearch::learn(size_t trial, double cost) {
  if (arms[trial])
    bandit.record(*arms[trial], best() == trial);
}

std::optional<Point> BanditSearch::step(Random &random) {
  arms.resize(history().size() + 1);
  for (size_t arm : bandit.ordered(random))
    if (auto point = queues[arm].next(evaluations(), random)) {
      arms.back() = arm;
      return point;
    }
  return std::nullopt;
}

std::vector<std::unique_ptr<BatchSearch>>
search::openTunerTechniques(const Space &space) {
  std::vector<std::unique_ptr<BatchSearch>> techniques;
  techniques.push_back(std::make_unique<GreedyMutation>(space, 0.1));
  techniques.push_back(std::make_unique<GreedyMutation>(space, 0.3, 0.1));
  techniques.push_back(std::make_unique<DifferentialEvolution>(space));
  techniques.push_back(std::make_unique<NelderMead>(space));
  techniques.push_back(std::make_unique<RankOrderSimplex>(
      space, RankOrderSimplex::smallestSize(space),
      RankOrderSimplex::Expansion::All));
  techniques.push_back(std::make_unique<PatternSearch>(space));
  return techniques;
}
