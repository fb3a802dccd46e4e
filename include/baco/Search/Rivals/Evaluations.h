//===- Evaluations.h - Known costs of points --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A technique's view of the history of its search.
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_EVALUATIONS_H
#define BACO_SEARCH_RIVALS_EVALUATIONS_H

#include "baco/Space/Space.h"

#include <functional>

namespace baco::search {

/// The known costs of points of a space.
struct Evaluations {
  /// Whether a point was asked for.
  std::function<bool(const Point &)> wasAsked;
  /// The cost of a point: infinity if it is infeasible or was given up; nullopt
  /// if unknown (so far).
  std::function<std::optional<double>(const Point &)> cost;
  /// The best feasible point, or nullptr.
  const Point *best = nullptr;

  /// The cost, infinity if it isn't known.
  double costOrWorst(const Point &point) const;
  /// Sorts points by cost; equal ones keep their order.
  void sort(std::vector<Point> &points) const;
};

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_EVALUATIONS_H
