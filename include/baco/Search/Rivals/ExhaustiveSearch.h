//===- ExhaustiveSearch.h - All configurations in order ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Enumerates a finite space.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_EXHAUSTIVESEARCH_H
#define BACO_SEARCH_RIVALS_EXHAUSTIVESEARCH_H

#include "baco/Search/TrialHistory.h"

namespace baco::search {

/// Suggests Space::at(0), Space::at(1), ...; the space must have a count
/// (Space::countIfSmall).
class ExhaustiveSearch : public HistoryOptimizer {
public:
  explicit ExhaustiveSearch(Space space) : HistoryOptimizer(std::move(space)) {}

protected:
  Result<std::optional<Proposal>> propose() override;

private:
  /// The next configuration to look at.
  uint64_t next = 0;
};

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_EXHAUSTIVESEARCH_H
