//===- Evaluations.cpp - Evaluations of points ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/Evaluations.h"

#include <algorithm>
#include <limits>

using namespace baco;
using namespace baco::search;

double Evaluations::costOrWorst(const Point &point) const {
  return cost(point).value_or(std::numeric_limits<double>::infinity());
}

void Evaluations::sort(std::vector<Point> &points) const {
  std::vector<std::pair<double, size_t>> order;
  for (size_t i = 0; i < points.size(); ++i)
    order.emplace_back(costOrWorst(points[i]), i);
  std::sort(order.begin(), order.end());
  std::vector<Point> sorted;
  for (const auto &[cost, i] : order)
    sorted.push_back(std::move(points[i]));
  points = std::move(sorted);
}
