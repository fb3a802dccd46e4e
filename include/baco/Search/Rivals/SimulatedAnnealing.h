//===- SimulatedAnnealing.h - A random walk that cools ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Simulated annealing over the feasible configurations.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_SIMULATEDANNEALING_H
#define BACO_SEARCH_RIVALS_SIMULATEDANNEALING_H

#include "baco/Search/Rivals/StepwiseOptimizer.h"

namespace baco::search {

/// Starts with 8 random configurations. Then it proposes a random neighbor of
/// the present configuration (another value of one parameter), and moves there
/// with probability 1 if it isn't worse, else exp(-(t' - t) / T), where T is
/// `temperature` (Rasch et al., "ATF: A Generic Auto-Tuning Framework", HPCC
/// 2017, section IV.B). Costs are in percent of the best one that is known, so
/// that T means the same for every kernel; an infeasible one is the worst. A
/// configuration that was evaluated before is a free move; after 100 of these
/// it starts again at a random configuration.
class SimulatedAnnealing : public StepwiseOptimizer {
public:
  /// That of CLTune (Nugteren and Codreanu, MCSoC 2015) and ATF, where costs
  /// are in milliseconds.
  static constexpr double temperature = 4;

  using StepwiseOptimizer::StepwiseOptimizer;

protected:
  void learn(size_t trial, double cost) override;
  std::optional<Point> step(Random &random) override;

private:
  /// Moves to `trial` or stays.
  void consider(size_t trial, Random &random);

  /// The trial of the present configuration.
  std::optional<size_t> current;
  /// Outcomes that were not considered yet.
  std::vector<size_t> arrived;
};

/// The probability of moving from `cost` to `newCost`, both may be infinite,
/// where `best` is the lowest one so far.
double acceptance(double cost, double newCost, double best, double temperature);

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_SIMULATEDANNEALING_H
