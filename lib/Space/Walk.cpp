//===- Walk.cpp - Biased samples ------------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The walk of other tools, for comparison. They build trees whose levels are in
// the order in which parameters are declared; ours are ordered so that diagrams
// stay small. So the walk asks the diagram, parameter by parameter, which
// values go with those that it has chosen.
//
//===----------------------------------------------------------------------===//

#include "SpaceData.h"
#include "baco/Support/Random.h"

#include <algorithm>
#include <numeric>

using namespace baco;
using namespace baco::detail;

void SpaceData::walk(const Diagram &group, Random &random,
                     std::vector<uint32_t> &choice) const {
  std::vector<size_t> declared(group.levels.size());
  std::iota(declared.begin(), declared.end(), size_t(0));
  std::sort(declared.begin(), declared.end(), [&](size_t a, size_t b) {
    return group.levels[a] < group.levels[b];
  });
  std::vector<std::optional<uint32_t>> fixed(group.levels.size());
  for (size_t level : declared) {
    std::vector<uint32_t> children = group.valuesAt(level, fixed);
    choice[level] = children[random.below(children.size())];
    fixed[level] = choice[level];
  }
}

Point Space::sampleByWalk(Random &random) const {
  return data->sample(random, SpaceData::Bias::Walk);
}
