//===- GeneticAlgorithm.h - A population that breeds ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A genetic algorithm over the feasible configurations.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_GENETICALGORITHM_H
#define BACO_SEARCH_RIVALS_GENETICALGORITHM_H

#include "baco/Search/Rivals/StepwiseOptimizer.h"

#include <set>

namespace baco::search {

/// Generations of 20 (half of the space if that is less), the first one random.
/// For each of the following, the best 20 so far breed: two different parents,
/// the better the likelier; a child that takes half of the values in which they
/// differ from either; with probability 0.1, another value of one parameter. As
/// in Kernel Tuner with its disruptive uniform crossover (van Werkhoven,
/// "Kernel Tuner: A search-optimizing GPU code auto-tuner", FGCS 90 (2019)),
/// where the parents die. A child that violates a constraint is bred again, and
/// after 10 times goes to the nearest feasible point. Children whose costs are
/// known are free.
class GeneticAlgorithm : public StepwiseOptimizer {
public:
  GeneticAlgorithm(Space space, uint64_t seed);

protected:
  void learn(size_t trial, double cost) override;
  std::optional<Point> step(Random &random) override;

private:
  bool isComplete() const;
  void startGeneration();
  Point breed(Random &random) const;
  Point cross(Random &random) const;
  size_t selectParent(Random &random) const;

  size_t populationSize;
  /// Trials: the best ones, the best first; empty before there is one.
  std::vector<size_t> parents;
  /// The trials asked for since.
  std::set<size_t> generation;
};

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_GENETICALGORITHM_H
