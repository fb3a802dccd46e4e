//===- IndexSearch.h - Searching by number ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes any technique search over the numbers of the configurations instead of
// over their parameters, as ATF does to use techniques that know nothing of
// constraints.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_INDEXSEARCH_H
#define BACO_SEARCH_RIVALS_INDEXSEARCH_H

#include "baco/Search/Optimizer.h"

namespace baco::search {

/// Asks a technique for a number k, and suggests Space::at(k) (Rasch et al.,
/// "ATF: A Generic Auto-Tuning Framework", HPCC 2017, section IV.C). Every k is
/// feasible, but neighboring ones differ in any number of parameters.
class IndexSearch : public Optimizer {
public:
  /// The space of the numbers: one integer parameter. Unsupported if `space`
  /// has reals or more than 2^53 configurations.
  static Result<Space> numbers(const Space &space);

  /// `technique` searches numbers(space).
  IndexSearch(Space space, std::unique_ptr<Optimizer> technique)
      : space(std::move(space)), technique(std::move(technique)) {}

  Result<std::optional<Suggestion>> ask() override;
  Result<void> tell(uint64_t trial, const Observation &observation) override;
  Result<void> cancel(uint64_t trial) override;
  std::vector<uint64_t> unwanted() const override;
  Result<void> restore(const std::vector<PastTrial> &trials) override;

private:
  Space space;
  std::unique_ptr<Optimizer> technique;
};

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_INDEXSEARCH_H
