//===- Ledger.h - A plain record of evaluations -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tests of batch searches evaluate points with.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_SEARCH_LEDGER_H
#define BACO_UNITTESTS_SEARCH_LEDGER_H

#include "baco/Search/Rivals/Evaluations.h"

#include <cmath>
#include <map>

namespace baco::search {

/// Costs of points, and the view of them that searches have.
class Ledger {
public:
  using Cost = std::function<double(const Point &)>;

  explicit Ledger(Cost cost) : cost(std::move(cost)) {}

  double evaluate(const Point &point) { return *(costs[point] = cost(point)); }
  void evaluate(const std::vector<Point> &points) {
    for (const Point &point : points)
      evaluate(point);
  }
  /// Asked for, but not known yet.
  void begin(const Point &point) { costs.try_emplace(point); }

  Evaluations view() const {
    Evaluations known;
    known.wasAsked = [this](const Point &p) { return costs.contains(p); };
    known.cost = [this](const Point &p) -> std::optional<double> {
      auto found = costs.find(p);
      return found == costs.end() ? std::nullopt : found->second;
    };
    double least = INFINITY;
    for (const auto &[point, value] : costs)
      if (value && *value < least) {
        least = *value;
        known.best = &point;
      }
    return known;
  }

private:
  Cost cost;
  std::map<Point, std::optional<double>> costs;
};

} // namespace baco::search

#endif // BACO_UNITTESTS_SEARCH_LEDGER_H
