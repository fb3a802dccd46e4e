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

#ifndef BACO_SEARCH_OPTIMIZERFACTORY_H
#define BACO_SEARCH_OPTIMIZERFACTORY_H

#include "baco/Search/Optimizer.h"

namespace baco::search {

/// The model of the objective in `baco`.
enum class Surrogate { GaussianProcess, RandomForest };

/// Options of all techniques; each reads those that concern it.
struct OptimizerOptions {
  /// Two searches with the same seed make the same suggestions.
  uint64_t seed = 0;

  // The rest is for `baco`.

  /// Which model. Forests may be better where the objective jumps and there are
  /// hundreds of evaluations.
  Surrogate surrogate = Surrogate::GaussianProcess;
  /// How many trials are made before the first model, the default configuration
  /// included; 0: one more than there are parameters, but at most 10. Raise it
  /// if most configurations fail.
  int initialDesign = 0;
  /// How many random candidates the acquisition function is evaluated at, from
  /// the best of which the local search starts; at least 1. A suggestion takes
  /// time in proportion; with many trials fewer candidates are taken.
  int numCandidates = 1000;

  /// InvalidArgument, naming the option and its range.
  Result<void> validate() const;
};

/// The names that makeOptimizer knows.
std::vector<std::string_view> optimizerNames();

/// Makes a technique:
///   baco        Bayesian optimization (BaCO)
///   random      uniform over the feasible configurations
///   exhaustive  all configurations in the order of Space::at
/// Errors: NotFound with the known names; InvalidArgument from validate();
/// Unsupported if the space isn't finite and `exhaustive` is asked for.
Result<std::unique_ptr<Optimizer>>
makeOptimizer(std::string_view name, Space space,
              const OptimizerOptions &options);

} // namespace baco::search

#endif // BACO_SEARCH_OPTIMIZERFACTORY_H
