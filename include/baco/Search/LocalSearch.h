//===- LocalSearch.h - Maximizing an acquisition function -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Multistart hill climbing over the feasible points of a space, evaluated in
// batches.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_LOCALSEARCH_H
#define BACO_SEARCH_LOCALSEARCH_H

#include "baco/Space/Space.h"

#include <functional>

namespace baco::search {

/// The scores of some points, one each; larger is better, -infinity is allowed,
/// NaN isn't.
using BatchScore =
    std::function<std::vector<double>(const std::vector<Point> &points)>;

struct LocalSearchOptions {
  /// How many of the best candidates are climbed from.
  size_t numStarts = 5;
  /// Climbs end when so many points were scored after the candidates.
  size_t maxScores = 100000;
};

/// A point and its score.
struct ScoredPoint {
  Point point;
  double score = 0;
};

/// Scores `candidates`, then climbs from the best of them and from all of
/// `incumbents` to the best neighbor (Space::neighbors; of numbers with many
/// values also points farther away) while that improves (BaCO, section 3.3).
/// Returns the best point that was scored and that
/// `excluded` doesn't hold for (climbs may pass through those); the first one
/// of several; nullopt if there is none.
std::optional<ScoredPoint>
localSearch(const Space &space, const BatchScore &score,
            const std::vector<Point> &candidates,
            const std::vector<Point> &incumbents,
            const std::function<bool(const Point &)> &excluded,
            const LocalSearchOptions &options, Random &random);

} // namespace baco::search

#endif // BACO_SEARCH_LOCALSEARCH_H
