//===- Mutation.cpp - Random changes of one parameter ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/Moves.h"

#include "baco/Expression/Permutation.h"

#include <algorithm>
#include <cassert>
#include <cmath>

using namespace baco;
using namespace baco::search;

bool search::isFree(const Parameter &parameter) {
  if (parameter.kind() == ParameterKind::Real)
    return parameter.lower() < parameter.upper();
  return parameter.size() > 1;
}

double search::uniformlyMutated(const Parameter &parameter, double coordinate,
                                Random &random) {
  if (!isFree(parameter))
    return coordinate;
  if (parameter.kind() == ParameterKind::Real)
    return parameter.unscaled(random.uniform());
  uint64_t index = random.below(parameter.size() - 1);
  return parameter.coordinate(index + (index >= *parameter.index(coordinate)));
}

double search::moved(const Parameter &parameter, double coordinate,
                     double share) {
  assert(parameter.isNumeric() && share != 0 && "moves nowhere");
  if (!isFree(parameter))
    return coordinate;
  if (parameter.kind() == ParameterKind::Real)
    return parameter.unscaled(
        std::clamp(parameter.scaled(coordinate) + share, 0.0, 1.0));
  auto last = static_cast<double>(parameter.size() - 1);
  double steps = std::max(1.0, std::round(std::fabs(share) * last));
  return std::clamp(coordinate + std::copysign(steps, share), 0.0, last);
}

/// With two elements swapped, or one of them put before or behind the other.
static double rearranged(const Parameter &parameter, double coordinate,
                         Random &random) {
  Permutation order =
      permutationAt(parameter.permutationSize(), *parameter.index(coordinate));
  uint64_t from = random.below(order.size());
  uint64_t to = random.below(order.size() - 1);
  to += to >= from;
  bool isSwap = random.below(2) == 0;
  if (isSwap)
    std::swap(order[from], order[to]);
  else if (from < to)
    std::rotate(order.begin() + from, order.begin() + from + 1,
                order.begin() + to + 1);
  else
    std::rotate(order.begin() + to, order.begin() + from,
                order.begin() + from + 1);
  return parameter.coordinate(rankOf(order));
}

double search::normallyMutated(const Parameter &parameter, double coordinate,
                               double deviation, Random &random) {
  if (!isFree(parameter))
    return coordinate;
  if (parameter.kind() == ParameterKind::Permutation)
    return rearranged(parameter, coordinate, random);
  if (!parameter.isNumeric())
    return uniformlyMutated(parameter, coordinate, random);
  double share = deviation * random.normal();
  bool upward = share > 0;
  double end = parameter.kind() == ParameterKind::Real
                   ? (upward ? parameter.upper() : parameter.lower())
                   : (upward ? parameter.coordinate(parameter.size() - 1) : 0);
  if (coordinate == end || share == 0)
    share = upward ? -share : std::max(-share, 1e-9);
  return moved(parameter, coordinate, share);
}
