//===- PatternSearch.h - Steps along each parameter -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pattern search: tries both directions of each parameter around a center.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_PATTERNSEARCH_H
#define BACO_SEARCH_RIVALS_PATTERNSEARCH_H

#include "baco/Search/Rivals/BatchSearch.h"

namespace baco::search {

/// Compass search (Kolda, Lewis and Torczon, "Optimization by direct search",
/// SIAM Review 45 (2003), section 1.2), as OpenTuner's PatternSearch: numbers
/// move by a share of their range up and down, others change at random once. If
/// the cheapest of these points beats the center, it is the next center;
/// otherwise the share, at first 0.4, is halved. Starts at the best point of
/// all, and there again when the share is below 0.01; at a random point if that
/// is the center already.
class PatternSearch : public BatchSearch {
public:
  explicit PatternSearch(Space space) : space(std::move(space)) {}

  std::vector<Point> next(const Evaluations &known, Random &random) override;

private:
  std::vector<Point> start(const Evaluations &known, Random &random);
  std::vector<Point> probe(Random &random);

  Space space;
  Point center;
  std::vector<Point> probes;
  double share = 0;
};

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_PATTERNSEARCH_H
