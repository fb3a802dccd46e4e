//===- GreedyMutation.cpp - Changing the best point -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/GreedyMutation.h"

#include "baco/Search/Rivals/Moves.h"

using namespace baco;
using namespace baco::search;

std::vector<Point> GreedyMutation::next(const Evaluations &known,
                                        Random &random) {
  last = known.best ? mutated(*known.best, random) : space.sample(random);
  return {*last};
}

bool GreedyMutation::isDecided(const Evaluations &known) const {
  return last && known.wasAsked(*last);
}

Point GreedyMutation::mutated(Point point, Random &random) const {
  const std::vector<Parameter> &parameters = space.parameters();
  if (parameters.empty())
    return point;
  // This one is changed in any case.
  size_t chosen = random.below(parameters.size());
  for (size_t k = 0; k < parameters.size(); ++k) {
    if (random.uniform() >= rate && k != chosen)
      continue;
    point[k] =
        deviation ? normallyMutated(parameters[k], point[k], *deviation, random)
                  : uniformlyMutated(parameters[k], point[k], random);
  }
  return space.nearest(point);
}
