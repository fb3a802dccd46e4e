//===- SpaceData.cpp - Points of a space ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpaceData.h"
#include "baco/Support/Random.h"

#include <algorithm>
#include <cmath>

using namespace baco;
using namespace baco::detail;
using namespace baco::expression;

double SpaceData::defaultCoordinate(size_t k) const {
  const Parameter &parameter = parameters[k];
  if (parameter.kind() == ParameterKind::Real)
    return viewOf(defaults[k]).asReal();
  return parameter.coordinate(*parameter.indexOf(defaults[k]));
}

void SpaceData::fillSlots(const Rule &rule, const Point &point,
                          std::vector<Scalar> &slots) const {
  slots.resize(numParameters(), Scalar::failed(Failure::NoValue, 0));
  for (size_t k : rule.reads)
    slots[k] = domains[k]->at(point[k]);
}

bool SpaceData::isActive(const Point &point, size_t parameter) const {
  std::vector<Scalar> slots;
  for (const Rule *rule : conditionsOf[parameter]) {
    fillSlots(*rule, point, slots);
    if (!rule->isActive(slots.data()))
      return false;
  }
  return true;
}

void SpaceData::settle(Point &point) const {
  for (size_t parameter : conditional)
    if (!isActive(point, parameter))
      point[parameter] = defaultCoordinate(parameter);
}

bool SpaceData::choiceOf(const Diagram &group, const Point &point,
                         std::vector<uint32_t> &choice) const {
  choice.clear();
  for (size_t k : group.levels) {
    std::optional<uint64_t> index = parameters[k].index(point[k]);
    if (!index)
      return false;
    choice.push_back(static_cast<uint32_t>(*index));
  }
  return true;
}

void SpaceData::setChoice(const Diagram &group,
                          std::span<const uint32_t> choice,
                          Point &point) const {
  for (size_t level = 0; level < group.levels.size(); ++level) {
    size_t k = group.levels[level];
    point[k] = parameters[k].coordinate(choice[level]);
  }
}

bool SpaceData::isInDomain(const Point &point, size_t k) const {
  const Parameter &parameter = parameters[k];
  if (parameter.kind() == ParameterKind::Real)
    return point[k] >= parameter.lower() && point[k] <= parameter.upper();
  return parameter.index(point[k]).has_value();
}

bool SpaceData::isFeasible(const Point &point) const {
  return isInTrees(point) && holdsLoose(point);
}

bool SpaceData::isInTrees(const Point &point) const {
  if (point.size() != numParameters())
    return false;
  for (size_t k = 0; k < numParameters(); ++k)
    if (groupOf[k] < 0 && !isInDomain(point, k))
      return false;
  std::vector<uint32_t> choice;
  for (const Diagram &group : groups)
    if (!choiceOf(group, point, choice) || !group.contains(choice))
      return false;
  return true;
}

bool SpaceData::holdsLoose(const Point &point) const {
  std::vector<Scalar> slots;
  for (const Conjunct &conjunct : looseConjuncts) {
    fillSlots(*conjunct.rule, point, slots);
    if (!conjunct.holds(slots.data()))
      return false;
  }
  return true;
}

double SpaceData::cost(size_t k, double coordinate, uint64_t value) const {
  const Parameter &parameter = parameters[k];
  if (parameter.kind() == ParameterKind::Permutation)
    return parameter.distance(coordinate, parameter.coordinate(value));
  double other = parameter.coordinate(value);
  if (!parameter.isNumeric())
    return coordinate == other ? 0 : 1;
  if (parameter.size() == 1)
    return 0;
  return std::fabs(coordinate - other) /
         (static_cast<double>(parameter.size()) - 1);
}

double SpaceData::totalCost(const Point &goal, const Point &point) const {
  double total = 0;
  for (size_t k = 0; k < numParameters(); ++k)
    total += parameters[k].kind() == ParameterKind::Real
                 ? parameters[k].distance(goal[k], point[k])
                 : cost(k, goal[k], *parameters[k].index(point[k]));
  return total;
}

bool SpaceData::nearestDiscrete(Point &point, size_t pinned) const {
  std::vector<uint32_t> choice;
  for (const Diagram &group : groups) {
    if (choiceOf(group, point, choice) && group.contains(choice))
      continue;
    choice.resize(group.levels.size());
    auto costOf = [&](size_t level, uint32_t value) {
      size_t k = group.levels[level];
      double cost = this->cost(k, point[k], value);
      return k == pinned && cost > 0 ? HUGE_VAL : cost;
    };
    if (!group.cheapest(costOf, choice))
      return false;
    setChoice(group, choice, point);
  }
  return true;
}

/// Brings a coordinate into the parameter's range: what isn't a number becomes
/// the default. The nearest value stays the same, since all distances of a
/// coordinate beyond the range shrink by the same amount.
static double clampCoordinate(const Parameter &parameter, double coordinate,
                              double initial) {
  if (std::isnan(coordinate))
    return initial;
  if (parameter.kind() == ParameterKind::Real)
    return std::clamp(coordinate, parameter.lower(), parameter.upper());
  if (parameter.index(coordinate))
    return coordinate;
  double last = parameter.coordinate(parameter.size() - 1);
  double clamped = std::clamp(coordinate, 0.0, last);
  if (parameter.isNumeric())
    return clamped;
  double rounded = std::floor(clamped + 0.5);
  return parameter.index(rounded) ? rounded : initial;
}

Point SpaceData::nearest(const Point &target) const {
  Point goal = target;
  for (size_t k = 0; k < numParameters(); ++k)
    goal[k] = clampCoordinate(parameters[k], goal[k], defaultCoordinate(k));
  Point point = goal;
  nearestDiscrete(point);
  for (const Part &part : parts)
    if (part.group < 0)
      point[part.parameter] = std::floor(point[part.parameter] + 0.5);
  settle(point);
  if (holdsLoose(point))
    return point;
  // Rejection sampling, deterministic for a point.
  constexpr int numDraws = 1000;
  Random random(0);
  Point best = witness;
  double least = totalCost(goal, best);
  for (int i = 0; i < numDraws && !isSparse; ++i) {
    Point candidate = draw(random);
    if (!holdsLoose(candidate))
      continue;
    double total = totalCost(goal, candidate);
    if (total >= least)
      continue;
    least = total;
    best = std::move(candidate);
  }
  approach(goal, best);
  return best;
}

void SpaceData::approach(const Point &goal, Point &point) const {
  // If a parameter has very many values, only those next to the goal are tried.
  constexpr int maxTried = 1000;
  double least = totalCost(goal, point);
  auto tryMove = [&](size_t k, double coordinate) {
    Point candidate = point;
    candidate[k] = coordinate;
    settle(candidate);
    double total = totalCost(goal, candidate);
    if (total >= least || !isFeasible(candidate))
      return false;
    point = std::move(candidate);
    least = total;
    return true;
  };
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t k = 0; k < numParameters(); ++k) {
      double aim = goal[k];
      bool isDiscrete = parameters[k].kind() != ParameterKind::Real;
      if (isDiscrete)
        aim = std::floor(aim + 0.5);
      if (!isDiscrete || !parameters[k].isNumeric()) {
        moved |= point[k] != aim && tryMove(k, aim);
        continue;
      }
      double step = aim < point[k] ? 1 : -1;
      for (int i = 0; i < maxTried && aim != point[k]; ++i, aim += step)
        if (tryMove(k, aim)) {
          moved = true;
          break;
        }
    }
  }
}
