//===- BanditSearch.h - Techniques in competition ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A meta-technique: several techniques share the history, and a bandit decides
// which of them makes the next suggestion. With OpenTuner's ensemble it is our
// OpenTuner.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_BANDITSEARCH_H
#define BACO_SEARCH_RIVALS_BANDITSEARCH_H

#include "baco/Search/Rivals/AucBandit.h"
#include "baco/Search/Rivals/BatchSearch.h"
#include "baco/Search/Rivals/StepwiseOptimizer.h"

namespace baco::search {

/// The technique with the highest score of an AucBandit makes a suggestion; the
/// next one, if that waits for costs of its own or has nothing new; a random
/// point, if none of them has any. The costs count for the bandit in the order
/// of asking.
class BanditSearch : public StepwiseOptimizer {
public:
  BanditSearch(Space space, uint64_t seed,
               std::vector<std::unique_ptr<BatchSearch>> techniques);

protected:
  void learn(size_t trial, double cost) override;
  std::optional<Point> step(Random &random) override;

private:
  std::vector<BatchQueue> queues;
  AucBandit bandit;
  /// The technique behind each trial; nullopt: none.
  std::vector<std::optional<size_t>> arms;
};

/// OpenTuner's techniques (Ansel et al., "OpenTuner: An Extensible Framework
/// for Program Autotuning", PACT 2014, section 3.2): greedy mutation, uniform
/// (rate 0.1) and normal (rate 0.3, deviation 0.1); differential evolution;
/// Nelder and Mead; Torczon; pattern search. Infeasible points go to the
/// nearest feasible one. To compare with OpenTuner itself, which knows no
/// constraints, search a space without them, and tell what violates them as
/// infeasible: that is worse than any cost here.
std::vector<std::unique_ptr<BatchSearch>>
openTunerTechniques(const Space &space);

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_BANDITSEARCH_H
