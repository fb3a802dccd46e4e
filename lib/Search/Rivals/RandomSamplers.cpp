//===- RandomSamplers.cpp - Random search as others do it -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/RandomSamplers.h"

#include "baco/Search/Rivals/Moves.h"

#include <cstdio>
#include <cstdlib>

using namespace baco;
using namespace baco::search;

static Point drawRaw(const Space &space, Random &random) {
  Point point;
  for (const Parameter &parameter : space.parameters())
    point.push_back(randomCoordinate(parameter, random));
  settleInactive(space, point);
  return point;
}

/// "only a share of 1e-18"; less exactly with reals, whose share isn't known.
static std::string share(const Space &space) {
  double raw = 1;
  for (const Parameter &parameter : space.parameters())
    raw *= static_cast<double>(parameter.size());
  if (raw == 0)
    return "only a small share";
  char text[32];
  std::snprintf(text, sizeof text, "%.2g",
                std::strtod(space.count().c_str(), nullptr) / raw);
  return std::string("only a share of ") +
         (space.isCountExact() ? "" : "at most ") + text;
}

Result<std::optional<HistoryOptimizer::Proposal>> RawSampler::propose() {
  constexpr int maxDraws = 100000;
  Random random(seed, history().size());
  bool wasFeasible = false;
  for (int draw = 0; draw < maxDraws; ++draw) {
    Point point = drawRaw(space, random);
    if (!space.isFeasible(point))
      continue;
    if (!wasAsked(point))
      return std::optional(Proposal{std::move(point), ""});
    wasFeasible = true;
    // Most of the space was asked for. Either way of drawing the rest has the
    // same distribution.
    if (std::optional<uint64_t> count = space.countIfSmall();
        count && *count < 2 * history().size())
      break;
  }
  if (!wasFeasible)
    return {ErrorCode::Unsupported,
            std::to_string(maxDraws) +
                " draws of raw values were all infeasible, because " +
                share(space) +
                " of the raw values is feasible: use 'random', which draws "
                "only feasible configurations"};
  return proposeNew(random);
}

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
