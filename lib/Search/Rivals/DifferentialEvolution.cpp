//===- DifferentialEvolution.cpp - A population of points -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/DifferentialEvolution.h"

#include "baco/Search/Rivals/WeightedSum.h"

using namespace baco;
using namespace baco::search;

std::vector<Point> DifferentialEvolution::next(const Evaluations &known,
                                               Random &random) {
  if (population.empty()) {
    while (population.size() < options.populationSize)
      population.push_back(space.sample(random));
    return population;
  }
  if (trial) {
    if (known.costOrWorst(*trial) <= known.costOrWorst(population[member]))
      population[member] = std::move(*trial);
    member = (member + 1) % population.size();
  }
  trial = challenger(known, random);
  return {*trial};
}

Point DifferentialEvolution::challenger(const Evaluations &known,
                                        Random &random) const {
  std::vector<const Point *> pool;
  for (size_t i = 0; i < population.size(); ++i)
    if (i != member)
      pool.push_back(&population[i]);
  if (known.best)
    pool.push_back(known.best);
  random.shuffle(pool);
  double f = random.uniform(0.5, 1);
  const Term terms[] = {{1, pool[0]}, {f, pool[1]}, {-f, pool[2]}};

  Point point = population[member];
  if (point.empty())
    return point;
  size_t chosen = random.below(point.size());
  for (size_t k = 0; k < point.size(); ++k)
    if (random.uniform() < options.crossoverRate || k == chosen)
      point[k] = combine(space.parameters()[k], k, terms, random);
  return space.nearest(point);
}
