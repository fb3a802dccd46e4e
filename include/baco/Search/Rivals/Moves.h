//===- Moves.h - Random changes of a point ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions for the techniques that move from point to point.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_MOVES_H
#define BACO_SEARCH_RIVALS_MOVES_H

#include "baco/Space/Space.h"

namespace baco::search {

/// A uniformly random value of one parameter, as a coordinate.
double randomCoordinate(const Parameter &parameter, Random &random);

/// Sets the parameters that are inactive at `point` to their defaults.
void settleInactive(const Space &space, Point &point);

/// A feasible point that has another value of one parameter: a random
/// parameter, and a uniformly random other value of it (reals, and permutations
/// of 7 elements or more: one of Space::neighbors, as also where 1000 draws of
/// a longer list of values find no feasible one). nullopt if the point has no
/// such neighbor.
std::optional<Point> changeOneValue(const Space &space, const Point &point,
                                    Random &random);

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_MOVES_H
