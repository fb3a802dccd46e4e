//===- RandomSamplers.h - Random search as others do it ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random search by rejection, and down the chain of trees.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_RANDOMSAMPLERS_H
#define BACO_SEARCH_RIVALS_RANDOMSAMPLERS_H

#include "baco/Search/UniformSampler.h"

namespace baco::search {

/// Draws each parameter's value uniformly and on its own until the
/// configuration is feasible and new. Gives up after 100000 draws none of which
/// was feasible: ask then is Unsupported, and names their share.
class RawSampler final : public UniformSampler {
public:
  using UniformSampler::UniformSampler;

protected:
  Result<std::optional<Proposal>> propose() override;
};

/// Draws by Space::sampleByWalk until the configuration is new. If the walk
/// only returns to old ones (64 times in a row), a uniformly random new one is
/// taken.
class WalkSampler final : public UniformSampler {
public:
  using UniformSampler::UniformSampler;

protected:
  Result<std::optional<Proposal>> propose() override;
};

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_RANDOMSAMPLERS_H
