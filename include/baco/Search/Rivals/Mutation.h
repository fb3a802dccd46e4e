//===- Mutation.h - Random changes of one parameter -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How evolutionary techniques change the value of a parameter. They look at no
// constraints: see Space::nearest.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_MUTATION_H
#define BACO_SEARCH_RIVALS_MUTATION_H

#include "baco/Space/Space.h"

namespace baco::search {

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

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_MUTATION_H
