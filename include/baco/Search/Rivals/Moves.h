//===- Moves.h - Moves of techniques ----------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Techniques move from configurations to others by changes of single
// parameters, by recombination, and along scattered points.
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

/// Whether the parameter has more than one value.
bool isFree(const Parameter &parameter);

/// The coordinate of a uniformly random value other than that at `coordinate`.
/// Like all functions here, returns the same if there is no other.
double uniformlyMutated(const Parameter &parameter, double coordinate,
                        Random &random);

/// `coordinate` moved by a share of the range (the distance between its ends is
/// 1, that between neighboring indices the same everywhere), but at least to
/// the next value; at the end of the range, nowhere. Numeric parameters, share
/// != 0.
double moved(const Parameter &parameter, double coordinate, double share);

/// A small random change: numbers move by a normally distributed share of the
/// range with standard deviation `deviation` > 0, turned around if it leaves
/// the range; permutations swap two elements, or move one to another place;
/// others change uniformly.
double normallyMutated(const Parameter &parameter, double coordinate,
                       double deviation, Random &random);

/// Up to `count` different feasible points at random around `center`, one step
/// away: a parameter is moved by `share` of its range (see `moved`;
/// categoricals take another value, permutations swap neighbors), then the
/// nearest feasible point is taken. Their directions are linearly independent
/// as far as possible: each is independent of those before it; where none is
/// found, two steps are made, up to four, and then a new set of independent
/// directions is begun. Fewer points where no others are found.
std::vector<Point> scatter(const Space &space, const Point &center,
                           size_t count, double share, Random &random);

/// `to` - `from`: the differences of numbers over their ranges, of the
/// indicators of categories, of the positions of a permutation's elements.
std::vector<double> direction(const Space &space, const Point &from,
                              const Point &to);

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_MOVES_H
