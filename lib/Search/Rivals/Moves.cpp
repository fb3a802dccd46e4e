//===- Moves.cpp - Random changes of a point ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/Moves.h"

#include <algorithm>
#include <numeric>

using namespace baco;
using namespace baco::search;

double baco::search::randomCoordinate(const Parameter &parameter,
                                      Random &random) {
  if (parameter.kind() == ParameterKind::Real)
    return random.uniform(parameter.lower(), parameter.upper());
  return parameter.coordinate(random.below(parameter.size()));
}

static double defaultCoordinate(const Parameter &parameter) {
  ParameterValue value = parameter.initialValue();
  if (parameter.kind() == ParameterKind::Real)
    return std::get<double>(value);
  return parameter.coordinate(*parameter.indexOf(value));
}

void baco::search::settleInactive(const Space &space, Point &point) {
  if (space.conditions().empty())
    return;
  const std::vector<Parameter> &parameters = space.parameters();
  // A default may switch others off in turn, but chains are no longer than the
  // list of parameters.
  bool changed = true;
  for (size_t pass = 0; changed && pass < parameters.size(); ++pass) {
    changed = false;
    for (size_t p = 0; p < parameters.size(); ++p) {
      double coordinate = defaultCoordinate(parameters[p]);
      if (point[p] == coordinate || space.isActive(point, p))
        continue;
      point[p] = coordinate;
      changed = true;
    }
  }
}

/// The parameters in random order.
static std::vector<size_t> shuffledParameters(const Space &space,
                                              Random &random) {
  std::vector<size_t> order(space.parameters().size());
  std::iota(order.begin(), order.end(), size_t(0));
  random.shuffle(order);
  return order;
}

/// One of the neighbors that differ from `point` in `parameter`.
static std::optional<Point> neighborIn(const Space &space, const Point &point,
                                       size_t parameter, Random &random) {
  std::vector<Point> neighbors;
  space.neighbors(point, random, neighbors);
  std::erase_if(neighbors, [&](const Point &neighbor) {
    return neighbor[parameter] == point[parameter];
  });
  if (neighbors.empty())
    return std::nullopt;
  return std::move(neighbors[random.below(neighbors.size())]);
}

/// More values aren't worth the time.
static constexpr uint64_t maxTried = 1000;

/// All values of a parameter in random order, or many random ones.
static std::vector<uint64_t> randomValues(const Parameter &parameter,
                                          Random &random) {
  std::vector<uint64_t> values(std::min(parameter.size(), maxTried));
  if (parameter.size() <= maxTried) {
    std::iota(values.begin(), values.end(), uint64_t(0));
    random.shuffle(values);
  } else {
    for (uint64_t &value : values)
      value = random.below(parameter.size());
  }
  return values;
}

/// `point` with another value of the parameter.
static std::optional<Point> otherValue(const Space &space, const Point &point,
                                       size_t p, Random &random) {
  const Parameter &parameter = space.parameters()[p];
  for (uint64_t value : randomValues(parameter, random)) {
    Point changed = point;
    changed[p] = parameter.coordinate(value);
    if (changed[p] == point[p])
      continue;
    settleInactive(space, changed);
    if (space.isFeasible(changed) && changed != point)
      return changed;
  }
  return std::nullopt;
}

std::optional<Point> baco::search::changeOneValue(const Space &space,
                                                  const Point &point,
                                                  Random &random) {
  for (size_t p : shuffledParameters(space, random)) {
    const Parameter &parameter = space.parameters()[p];
    bool isLocal = parameter.kind() == ParameterKind::Real ||
                   (parameter.kind() == ParameterKind::Permutation &&
                    parameter.size() > maxTried);
    std::optional<Point> changed;
    if (!isLocal)
      changed = otherValue(space, point, p, random);
    if (!changed && (isLocal || parameter.size() > maxTried))
      changed = neighborIn(space, point, p, random);
    if (changed)
      return changed;
  }
  return std::nullopt;
}
