//===- Sample.cpp - Random points of a space ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Leaves of diagrams are drawn uniformly, and drawn again if loose conjuncts
// forbid them. If these forbid nearly all leaves, a random walk is used
// instead.
//
//===----------------------------------------------------------------------===//

#include "SpaceData.h"
#include "baco/Support/Random.h"

using namespace baco;
using namespace baco::detail;

Point SpaceData::draw(Random &random, Bias bias) const {
  Point point(numParameters());
  std::vector<uint32_t> choice;
  for (const Part &part : parts) {
    if (part.group < 0) {
      Count k = drawBelow(random, part.count);
      point[part.parameter] =
          parameters[part.parameter].coordinate(static_cast<uint64_t>(k));
      continue;
    }
    const Diagram &group = groups[part.group];
    choice.resize(group.levels.size());
    if (bias == Bias::Walk)
      walk(group, random, choice);
    else
      group.at(drawBelow(random, part.count), choice);
    setChoice(group, choice, point);
  }
  for (size_t k : realParameters)
    point[k] = parameters[k].unscaled(random.uniform());
  if (!realParameters.empty())
    settle(point);
  return point;
}

std::optional<Point> SpaceData::drawFeasible(Random &random, int attempts,
                                             Bias bias) const {
  for (int attempt = 0; attempt < attempts; ++attempt) {
    Point point = draw(random, bias);
    if (holdsLoose(point))
      return point;
  }
  return std::nullopt;
}

size_t SpaceData::numViolated(const Point &point) const {
  size_t number = 0;
  std::vector<expression::Scalar> slots;
  for (const Conjunct &conjunct : looseConjuncts) {
    fillSlots(*conjunct.rule, point, slots);
    number += !conjunct.holds(slots.data());
  }
  return number;
}

/// A step is never to a point that violates more. Among feasible points this is
/// Metropolis's method: what is proposed is as likely as the way back, so that
/// the walk tends to the uniform distribution over the points that it can
/// reach. Changes of several parameters at a time get through constraints that
/// tie them to each other.
bool SpaceData::wander(Point &point, Random &random) const {
  constexpr size_t stepsPerParameter = 50, maxChanges = 3;
  size_t maxSteps = stepsPerParameter * numParameters();
  size_t violated = numViolated(point);
  for (size_t left = maxSteps; left > 0; --left) {
    Point next = point;
    for (size_t changes = 1 + random.below(maxChanges); changes > 0;
         --changes) {
      size_t k = random.below(numParameters());
      const Parameter &parameter = parameters[k];
      next[k] = parameter.kind() == ParameterKind::Real
                    ? parameter.unscaled(random.uniform())
                    : parameter.coordinate(random.below(parameter.size()));
    }
    if (!realParameters.empty())
      settle(next);
    if (!isInTrees(next))
      continue;
    size_t nextViolated = numViolated(next);
    if (nextViolated > violated)
      continue;
    point = std::move(next);
    if (violated > 0 && nextViolated == 0)
      left = maxSteps; // the walk among feasible points begins
    violated = nextViolated;
  }
  return violated == 0;
}

Point SpaceData::sampleByWandering(Random &random) const {
  Point point = draw(random);
  if (!wander(point, random)) {
    point = witness;
    wander(point, random);
  }
  return point;
}

Point SpaceData::sample(Random &random, Bias bias) const {
  if (!isSparse)
    if (std::optional<Point> point = drawFeasible(random, maxDraws, bias))
      return std::move(*point);
  return sampleByWandering(random);
}

Point Space::sample(Random &random) const { return data->sample(random); }
