//===- UniformSampler.h - Random search -------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Uniform sampling without repetition: the baseline of every other technique.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_UNIFORMSAMPLER_H
#define BACO_SEARCH_UNIFORMSAMPLER_H

#include "baco/Search/TrialHistory.h"

namespace baco::search {

/// Suggests the feasible configurations in a uniformly random order.
class UniformSampler : public HistoryOptimizer {
public:
  UniformSampler(Space space, uint64_t seed)
      : HistoryOptimizer(std::move(space)), seed(seed) {}

protected:
  Result<std::optional<Proposal>> propose() override;

  const uint64_t seed;
};

} // namespace baco::search

#endif // BACO_SEARCH_UNIFORMSAMPLER_H
