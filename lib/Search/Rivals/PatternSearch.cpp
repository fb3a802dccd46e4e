//===- PatternSearch.cpp - Steps along each parameter ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/PatternSearch.h"

#include "baco/Search/Rivals/Moves.h"

using namespace baco;
using namespace baco::search;

static constexpr double initialMesh = 0.4, smallestMesh = 0.01;

std::vector<Point> PatternSearch::next(const Evaluations &known,
                                       Random &random) {
  if (center.empty())
    return start(known, random);
  if (!probes.empty()) {
    known.sort(probes);
    if (known.costOrWorst(probes.front()) < known.costOrWorst(center))
      center = probes.front();
    else
      share /= 2;
    if (share < smallestMesh)
      return start(known, random);
  }
  return probe(random);
}

std::vector<Point> PatternSearch::start(const Evaluations &known,
                                        Random &random) {
  share = initialMesh;
  probes.clear();
  bool isElsewhere = known.best && *known.best != center;
  center = isElsewhere ? *known.best : space.sample(random);
  return {center};
}

std::vector<Point> PatternSearch::probe(Random &random) {
  probes.clear();
  for (size_t k = 0; k < center.size(); ++k) {
    const Parameter &parameter = space.parameters()[k];
    std::vector<double> steps;
    if (parameter.isNumeric())
      steps = {moved(parameter, center[k], share),
               moved(parameter, center[k], -share)};
    else
      steps = {normallyMutated(parameter, center[k], share, random)};
    for (double coordinate : steps) {
      Point point = center;
      point[k] = coordinate;
      probes.push_back(space.nearest(point));
    }
  }
  random.shuffle(probes);
  return probes;
}
