//===- WeightedSum.cpp - Linear combinations of points --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/WeightedSum.h"

#include "baco/Expression/Permutation.h"

#include <algorithm>
#include <cassert>
#include <cmath>

using namespace baco;
using namespace baco::search;

/// `value` as an index; halves go towards `anchor`.
static double roundTowards(double value, double anchor) {
  return value > anchor ? std::ceil(value - 0.5) : std::floor(value + 0.5);
}

static double combineNumbers(const Parameter &parameter, size_t index,
                             std::span<const Term> terms) {
  bool isReal = parameter.kind() == ParameterKind::Real;
  double sum = 0;
  for (const Term &term : terms) {
    double x = (*term.point)[index];
    sum += term.weight * (isReal ? parameter.scaled(x) : x);
  }
  if (isReal)
    return parameter.unscaled(std::clamp(sum, 0.0, 1.0));
  double last = parameter.coordinate(parameter.size() - 1);
  return std::clamp(roundTowards(sum, (*terms.front().point)[index]), 0.0,
                    last);
}

static double combineOrders(const Parameter &parameter, size_t index,
                            std::span<const Term> terms) {
  int n = parameter.permutationSize();
  auto orderOf = [&](const Term &term) {
    return permutationAt(n, *parameter.index((*term.point)[index]));
  };
  std::vector<double> place(n, 0);
  for (const Term &term : terms) {
    Permutation order = orderOf(term);
    for (int position = 0; position < n; ++position)
      place[order[position]] += term.weight * position;
  }
  Permutation ranked = orderOf(terms.front()), first = inverse(ranked);
  std::sort(ranked.begin(), ranked.end(), [&](int a, int b) {
    return std::pair(place[a], first[a]) < std::pair(place[b], first[b]);
  });
  return parameter.coordinate(rankOf(ranked));
}

static double drawTerm(size_t index, std::span<const Term> terms,
                       Random &random) {
  double total = 0;
  for (const Term &term : terms)
    total += std::fabs(term.weight);
  double left = random.uniform() * total;
  for (const Term &term : terms) {
    left -= std::fabs(term.weight);
    if (left < 0)
      return (*term.point)[index];
  }
  return (*terms.back().point)[index];
}

double search::combine(const Parameter &parameter, size_t index,
                       std::span<const Term> terms, Random &random) {
  assert(!terms.empty() && "nothing to combine");
  if (parameter.isNumeric())
    return combineNumbers(parameter, index, terms);
  if (parameter.kind() == ParameterKind::Permutation)
    return combineOrders(parameter, index, terms);
  return drawTerm(index, terms, random);
}

Point search::combine(const Space &space, std::span<const Term> terms,
                      Random &random) {
  Point point;
  for (size_t k = 0; k < space.parameters().size(); ++k)
    point.push_back(combine(space.parameters()[k], k, terms, random));
  return space.nearest(point);
}
