//===- Technique.h - The rows of the benchmark ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every search technique and every ablation of ours by name, in one table.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_SEARCH_TECHNIQUE_H
#define BACO_BENCHMARKS_SEARCH_TECHNIQUE_H

#include "baco/Search/Techniques/OptimizerFactory.h"

namespace baco::bench {

/// A row: a technique of makeOptimizer, its options, and what it is told of the
/// space.
struct Technique {
  enum class Kind { Ours, Rival, Ablation };

  std::string name;
  /// What makeOptimizer calls it.
  std::string_view optimizer;
  Kind kind;
  /// Changes the defaults; null: none.
  void (*configure)(search::OptimizerOptions &options) = nullptr;
  /// If false, the technique gets the space without its constraints: it may
  /// choose what violates them, and is told that this failed.
  bool knowsConstraints = true;
  /// Replaces the metric of all permutations.
  std::optional<PermutationMetric> metric = std::nullopt;
  /// If true, failures are told as the largest time of the space, as one does
  /// with techniques that know no failures.
  bool failuresAreSlow = false;
  /// How many candidates are in flight at once; 0: as ReplayOptions says.
  size_t pending = 0;
};

/// All rows: ours, then the rivals (whatever else makeOptimizer knows), then
/// the ablations.
const std::vector<Technique> &techniqueTable();

/// The rows of a list of names; `techniques` stands for ours and the rivals,
/// `ablations` for ours and the ablations, `all` for all. In the order of the
/// table. NotFound, naming the known ones.
Result<std::vector<Technique>>
findTechniques(const std::vector<std::string> &names);

/// A row for each technique and number in flight (at least 1), with a name such
/// as `baco 8 in flight`; the rows of a technique follow each other.
std::vector<Technique> withPending(const std::vector<Technique> &techniques,
                                   const std::vector<size_t> &numbers);

/// What a row is told of a space. The points of both are the same.
Result<Space> spaceFor(const Technique &technique, const Space &space);

} // namespace baco::bench

#endif // BACO_BENCHMARKS_SEARCH_TECHNIQUE_H
