//===- WeightedSum.h - Linear combinations of points ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reflections, expansions and differences of points: what simplex methods and
// differential evolution are made of, on every kind of parameter.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_WEIGHTEDSUM_H
#define BACO_SEARCH_RIVALS_WEIGHTEDSUM_H

#include "baco/Space/Space.h"

#include <span>

namespace baco::search {

/// A point and how much it counts.
struct Term {
  double weight;
  const Point *point;
};

/// The coordinate that the points' coordinates of a parameter combine to, in
/// its range. `terms` isn't empty; the weights should add up to one. By kind:
///   - integers, ordinals: the weighted sum of the indices, rounded; halves
///     towards the first term;
///   - reals: the weighted sum of the scaled coordinates;
///   - permutations: the weighted sum of each element's positions, by which the
///     elements are then ranked; ties in the order of the first term;
///   - booleans, categoricals: the value of one of the terms, each with a
///     probability in proportion to the size of its weight.
double combine(const Parameter &parameter, size_t index,
               std::span<const Term> terms, Random &random);

/// The combination of all coordinates, or the feasible point nearest to it.
Point combine(const Space &space, std::span<const Term> terms, Random &random);

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_WEIGHTEDSUM_H
