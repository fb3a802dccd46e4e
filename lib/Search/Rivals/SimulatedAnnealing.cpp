//===- SimulatedAnnealing.cpp - A random walk that cools ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/SimulatedAnnealing.h"

#include "baco/Search/Rivals/Moves.h"

#include <cmath>

using namespace baco;
using namespace baco::search;

double baco::search::acceptance(double cost, double newCost, double best,
                                double temperature) {
  if (newCost <= cost)
    return 1;
  if (std::isinf(newCost))
    return 0;
  double percent = std::abs(best) / 100;
  return percent > 0 ? std::exp((cost - newCost) / percent / temperature) : 0;
}

void SimulatedAnnealing::learn(size_t trial, double cost) {
  arrived.push_back(trial);
}

void SimulatedAnnealing::consider(size_t trial, Random &random) {
  double draw = random.uniform();
  if (!current || draw < acceptance(*costOf(*current), *costOf(trial),
                                    best() ? *costOf(*best()) : 0, temperature))
    current = trial;
}

std::optional<Point> SimulatedAnnealing::step(Random &random) {
  for (size_t trial : arrived)
    consider(trial, random);
  arrived.clear();
  constexpr size_t numStarts = 8;
  if (history().size() < numStarts)
    return std::nullopt;
  constexpr int maxFreeMoves = 100;
  for (int move = 0; current && move < maxFreeMoves; ++move) {
    std::optional<Point> neighbor =
        changeOneValue(space, history()[*current].point, random);
    if (!neighbor)
      break;
    std::optional<size_t> trial = trialOf(*neighbor);
    if (!trial)
      return neighbor;
    if (costOf(*trial))
      consider(*trial, random);
  }
  // It is stuck.
  current.reset();
  return std::nullopt;
}
