//===- ParallelRankOrder.cpp - PRO and PRO-C ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/ParallelRankOrder.h"

#include <algorithm>

using namespace baco;
using namespace baco::search;

ParallelRankOrder::ParallelRankOrder(Space space, uint64_t seed, size_t size,
                                     RankOrderSimplex::Expansion expansion)
    : StepwiseOptimizer(space, seed),
      queue(std::make_unique<RankOrderSimplex>(space, size, expansion)) {}

std::optional<Point> ParallelRankOrder::step(Random &random) {
  return queue.next(evaluations(), random);
}

std::vector<uint64_t> ParallelRankOrder::unwanted() const {
  // Uses outcomes as soon as they are told, although the simplex learns them
  // with the next ask.
  Evaluations known = evaluations();
  known.cost = [this](const Point &point) -> std::optional<double> {
    std::optional<size_t> number = trialOf(point);
    if (!number || history()[*number].state == Trial::State::Pending)
      return std::nullopt;
    const Trial &trial = history()[*number];
    return trial.isFeasible() ? trial.observation.objective
                              : std::numeric_limits<double>::infinity();
  };
  std::vector<uint64_t> trials;
  for (const Point &point : queue.unwanted(known))
    trials.push_back(*trialOf(point));
  std::sort(trials.begin(), trials.end());
  trials.erase(std::unique(trials.begin(), trials.end()), trials.end());
  return trials;
}
