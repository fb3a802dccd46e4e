//===- GreedyMutation.h - Changing the best point ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutation of the best point so far: the simplest of the techniques among which
// OpenTuner chooses.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_GREEDYMUTATION_H
#define BACO_SEARCH_RIVALS_GREEDYMUTATION_H

#include "baco/Search/Rivals/BatchSearch.h"

namespace baco::search {

/// The best point of all with some parameters changed, as OpenTuner's
/// UniformGreedyMutation and NormalGreedyMutation; a random point while there
/// is no best one. Doesn't wait for costs.
class GreedyMutation : public BatchSearch {
public:
  /// Each parameter is changed with probability `rate` in [0, 1], but at least
  /// one of them is: uniformly, or by normallyMutated() if there is a
  /// `deviation`.
  GreedyMutation(Space space, double rate,
                 std::optional<double> deviation = std::nullopt)
      : space(std::move(space)), rate(rate), deviation(deviation) {}

  std::vector<Point> next(const Evaluations &known, Random &random) override;
  bool isDecided(const Evaluations &known) const override;

private:
  Point mutated(Point point, Random &random) const;

  Space space;
  double rate;
  std::optional<double> deviation;
  std::optional<Point> last;
};

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_GREEDYMUTATION_H
