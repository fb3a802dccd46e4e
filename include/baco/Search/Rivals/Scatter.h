//===- Scatter.h - Points around a point ------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a simplex is laid around a point so that it spans all dimensions.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_SCATTER_H
#define BACO_SEARCH_RIVALS_SCATTER_H

#include "baco/Space/Space.h"

namespace baco::search {

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

#endif // BACO_SEARCH_RIVALS_SCATTER_H
