//===- UniformSampler.cpp - Random search ---------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/UniformSampler.h"

using namespace baco;
using namespace baco::search;

Result<std::optional<HistoryOptimizer::Proposal>> UniformSampler::propose() {
  Random random(seed, history().size());
  return proposeNew(random);
}
