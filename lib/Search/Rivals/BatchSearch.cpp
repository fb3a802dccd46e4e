//===- BatchSearch.cpp - Searching in batches of points -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/BatchSearch.h"

#include <algorithm>
#include <functional>

using namespace baco;
using namespace baco::search;

BatchSearch::~BatchSearch() = default;

bool BatchSearch::isDecided(const Evaluations &known) const { return false; }

std::optional<Point> BatchQueue::next(const Evaluations &known,
                                      Random &random) {
  // A search that only repeats itself has converged, or the space is small.
  constexpr int maxBatches = 100;
  auto isOpen = [&](const Point &point) { return !known.cost(point); };
  for (int i = 0; i < maxBatches; ++i) {
    if (!search->isDecided(known)) {
      auto fresh = std::find_if_not(batch.begin(), batch.end(), known.wasAsked);
      if (fresh != batch.end())
        return *fresh;
      if (std::any_of(batch.begin(), batch.end(), isOpen))
        return std::nullopt;
    }
    std::erase_if(abandoned, std::not_fn(isOpen));
    for (Point &point : batch)
      if (isOpen(point) && known.wasAsked(point))
        abandoned.push_back(std::move(point));
    batch = search->next(known, random);
  }
  return std::nullopt;
}

std::vector<Point> BatchQueue::unwanted(const Evaluations &known) const {
  std::vector<Point> points;
  auto add = [&](const Point &point) {
    if (known.wasAsked(point) && !known.cost(point))
      points.push_back(point);
  };
  for (const Point &point : abandoned)
    if (std::find(batch.begin(), batch.end(), point) == batch.end())
      add(point);
  if (search->isDecided(known))
    for (const Point &point : batch)
      add(point);
  return points;
}
