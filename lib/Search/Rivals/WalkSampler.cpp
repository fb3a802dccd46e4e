//===- WalkSampler.cpp - Random search down the trees ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/WalkSampler.h"

using namespace baco;
using namespace baco::search;

Result<std::optional<HistoryOptimizer::Proposal>> WalkSampler::propose() {
  constexpr int maxDraws = 64;
  Random random(seed, history().size());
  for (int draw = 0; draw < maxDraws; ++draw) {
    Point point = space.sampleByWalk(random);
    if (!wasAsked(point))
      return std::optional(Proposal{std::move(point), ""});
  }
  return proposeNew(random);
}
