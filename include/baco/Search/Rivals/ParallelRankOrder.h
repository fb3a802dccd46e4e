//===- ParallelRankOrder.h - PRO and PRO-C ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The simplex of Active Harmony behind the interface of all techniques.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_PARALLELRANKORDER_H
#define BACO_SEARCH_RIVALS_PARALLELRANKORDER_H

#include "baco/Search/Rivals/RankOrderSimplex.h"
#include "baco/Search/Rivals/StepwiseOptimizer.h"

namespace baco::search {

/// The parallel rank order simplex, see RankOrderSimplex. A batch is asked for
/// point by point; while all of it is pending, further asks give random points,
/// whose results count from the next step on. With Expansion::Together, pending
/// expansions are unwanted() as soon as the most promising one failed.
class ParallelRankOrder : public StepwiseOptimizer {
public:
  /// `size` as for RankOrderSimplex.
  ParallelRankOrder(Space space, uint64_t seed, size_t size,
                    RankOrderSimplex::Expansion expansion);

  std::vector<uint64_t> unwanted() const override;

protected:
  void learn(size_t trial, double cost) override {}
  std::optional<Point> step(Random &random) override;

private:
  BatchQueue queue;
};

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_PARALLELRANKORDER_H
