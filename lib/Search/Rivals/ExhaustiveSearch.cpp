//===- ExhaustiveSearch.cpp - All configurations in order -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/ExhaustiveSearch.h"

using namespace baco;
using namespace baco::search;

Result<std::optional<HistoryOptimizer::Proposal>> ExhaustiveSearch::propose() {
  // A restored search may have met them in another order: skip these.
  for (uint64_t count = space.countIfSmall().value_or(0); next < count;) {
    Point point = space.at(next++);
    if (!wasAsked(point))
      return std::optional(Proposal{std::move(point), ""});
  }
  return std::optional<Proposal>();
}
