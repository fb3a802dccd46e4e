//===- OrderSearch.cpp - Search for an order of levels --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrderSearch.h"
#include "baco/Support/Random.h"

#include <algorithm>
#include <cmath>

using namespace baco;

/// Takes a parameter to another place.
static void moveOne(std::vector<size_t> &order, Random &random) {
  size_t from = random.below(order.size()), to = random.below(order.size());
  size_t parameter = order[from];
  order.erase(order.begin() + from);
  order.insert(order.begin() + to, parameter);
}

/// Simulated annealing: `move` changes a plan, `score` (in bits) is to become
/// small; the temperature falls from `hottest` bits to nothing.
template <typename Move, typename Score>
static LevelPlan anneal(LevelPlan plan, int numMoves, double hottest, Move move,
                        Score score) {
  Random random(0);
  double current = score(plan), least = current;
  LevelPlan best = plan;
  for (int i = 0; i < numMoves; ++i) {
    LevelPlan moved = plan;
    move(moved, random);
    double temperature = hottest * (1 - static_cast<double>(i) / numMoves);
    double next = score(moved);
    if (next > current - temperature * std::log(1 - random.uniform()))
      continue;
    plan = std::move(moved);
    current = next;
    if (current >= least)
      continue;
    best = plan;
    least = current;
  }
  return best;
}

LevelPlan baco::searchOrder(const GroupSpec &group, OrderCost &cost,
                            std::vector<size_t> start) {
  LevelPlan plan{std::move(start), std::vector<char>(group.conjuncts.size()),
                 0};
  return anneal(
      std::move(plan), /*numMoves=*/4000, /*hottest=*/1,
      [](LevelPlan &plan, Random &random) { moveOne(plan.order, random); },
      [&](LevelPlan &plan) {
        return plan.workBits = cost.workBits(plan.order, plan.isLoose);
      });
}

LevelPlan baco::searchRelaxation(const GroupSpec &group, OrderCost &cost,
                                 std::vector<size_t> start,
                                 double maxWorkBits) {
  // The weight of a bit of work beyond the limit.
  constexpr double penalty = 5;
  LevelPlan plan{std::move(start), std::vector<char>(group.conjuncts.size()),
                 0};
  return anneal(
      std::move(plan), /*numMoves=*/100'000, /*hottest=*/2,
      [&](LevelPlan &plan, Random &random) {
        size_t conjunct = random.below(group.conjuncts.size());
        if (random.below(3) > 0)
          moveOne(plan.order, random);
        else if (!group.conjuncts[conjunct].rule->isCondition)
          plan.isLoose[conjunct] ^= 1;
      },
      [&](LevelPlan &plan) {
        plan.workBits = cost.workBits(plan.order, plan.isLoose);
        double score = penalty * std::max(0.0, plan.workBits - maxWorkBits);
        for (size_t i = 0; i < plan.isLoose.size(); ++i)
          if (plan.isLoose[i])
            score -= cost.shareBits(i);
        return score;
      });
}
