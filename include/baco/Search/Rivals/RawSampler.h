//===- RawSampler.h - Random search by rejection ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random search without a chain of trees: draws raw values until they are
// feasible.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_RAWSAMPLER_H
#define BACO_SEARCH_RIVALS_RAWSAMPLER_H

#include "baco/Search/TrialHistory.h"

namespace baco::search {

/// Draws each parameter's value uniformly and on its own until the
/// configuration is feasible and new. Gives up after 100000 draws none of which
/// was feasible: ask then is Unsupported, and names their share.
class RawSampler : public HistoryOptimizer {
public:
  RawSampler(Space space, uint64_t seed)
      : HistoryOptimizer(std::move(space)), seed(seed) {}

protected:
  Result<std::optional<Proposal>> propose() override;

private:
  uint64_t seed;
};

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_RAWSAMPLER_H
