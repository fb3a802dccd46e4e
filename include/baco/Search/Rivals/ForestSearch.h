//===- ForestSearch.h - Random-forest optimization --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bayesian optimization as ytopt does it (Wu et al., "Autotuning PolyBench
// benchmarks with LLVM Clang/Polly loop optimization pragmas using Bayesian
// optimization", Concurrency and Computation 34 (2022)), with the optimizer of
// scikit-optimize: a random forest, and random candidates. A rival of BaCO.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_FORESTSEARCH_H
#define BACO_SEARCH_RIVALS_FORESTSEARCH_H

#include "baco/Search/Encoding.h"
#include "baco/Search/RandomForest.h"
#include "baco/Search/TrialHistory.h"

namespace baco::search {

/// Ten uniform trials; then the one of 10000 uniform candidates (of all, if
/// there are no more) with the least mean - 1.96 deviations of the forest. A
/// failure counts as the highest value seen; there is no model of feasibility.
/// As in ytopt, pending trials count as told with the mean of the others.
class ForestSearch : public HistoryOptimizer {
public:
  ForestSearch(Space space, uint64_t seed);

protected:
  Result<std::optional<Proposal>> propose() override;

private:
  RandomForest fit(Random &random) const;
  /// Candidates that were not asked for.
  std::vector<Point> drawCandidates(Random &random) const;

  uint64_t seed;
  Encoding encoding;
};

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_FORESTSEARCH_H
