//===- OptimizerFactory.h - Search techniques by name -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a study needs to make an optimizer: its name, the space and the options.
// Standard types only.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_TECHNIQUES_OPTIMIZERFACTORY_H
#define BACO_SEARCH_TECHNIQUES_OPTIMIZERFACTORY_H

#include "baco/Search/BacoOptions.h"
#include "baco/Search/Optimizer.h"

namespace baco::search {

/// Options of all techniques; each reads those that concern it.
struct OptimizerOptions : BayesianOptions {
  // For `pro` and `pro-c`.

  /// The number of vertices, at least one more than there are parameters with
  /// several values; 0: twice as many as there are such parameters. Raise it,
  /// up to 12 times as many, if that many evaluations run at the same time.
  int simplexSize = 0;
  /// The same as a multiple of the number of such parameters, at least 2; 0:
  /// simplexSize says it. Not both.
  int simplexFactor = 0;

  /// InvalidArgument, naming the option and its range.
  Result<void> validate() const;
};

/// Increases whenever a technique may suggest something else, or carry over
/// another state, than before. A search of another version can't be resumed.
inline constexpr int searchVersion = 5;

/// The names that makeOptimizer knows.
std::vector<std::string_view> optimizerNames();

/// Success if makeOptimizer knows the text: a technique, and its settings.
/// NotFound or InvalidArgument if not, naming the known ones.
Result<void> checkOptimizer(std::string_view text);

/// Makes a technique. `text` is its name, or its name with settings that win
/// over `options`: `pro:simplex=12N`, `baco:surrogate=forest,initial=20`
/// (docs/Rivals.md).
///   baco         Bayesian optimization (BaCO)
///   baco--       the same with BacoOptions::minusMinus
///   baco-published  the same with BacoOptions::published
///   forest       random-forest optimization, ytopt's way
///   random       uniform over the feasible configurations
///   random-raw   uniform over all values, infeasible ones rejected
///   random-walk  the biased walk down the trees of other tools
///   exhaustive   all configurations in the order of Space::at
///   annealing    ATF's simulated annealing
///   atf-bandit   ATF's other one: `opentuner` over the numbers 1 ... S of the
///                configurations
///   genetic      a genetic algorithm like Kernel Tuner's
///   opentuner    OpenTuner's bandit over mutation, differential evolution and
///                direct searches
///   pro          Active Harmony's parallel rank order simplex
///   pro-c        the same, with the expansions started before their check
/// Errors: those of checkOptimizer; InvalidArgument from validate();
/// Unsupported if the space isn't finite, or is too large, for a technique that
/// numbers configurations (`exhaustive`, `atf-bandit`).
Result<std::unique_ptr<Optimizer>>
makeOptimizer(std::string_view text, Space space,
              const OptimizerOptions &options);

} // namespace baco::search

#endif // BACO_SEARCH_TECHNIQUES_OPTIMIZERFACTORY_H
