//===- WalkSampler.h - Random search down the trees -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Biased random search on chains of trees, as other tools do it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_WALKSAMPLER_H
#define BACO_SEARCH_RIVALS_WALKSAMPLER_H

#include "baco/Search/TrialHistory.h"

namespace baco::search {

/// Draws by Space::sampleByWalk until the configuration is new. If the walk
/// only returns to old ones (64 times in a row), a uniformly random new one is
/// taken.
class WalkSampler : public HistoryOptimizer {
public:
  WalkSampler(Space space, uint64_t seed)
      : HistoryOptimizer(std::move(space)), seed(seed) {}

protected:
  Result<std::optional<Proposal>> propose() override;

private:
  uint64_t seed;
};

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_WALKSAMPLER_H
