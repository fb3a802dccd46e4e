//===- BacoOptions.h - The parts of BaCO ------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Switches for the parts of the Bayesian optimizer, for ablations as in the
// BaCO paper (section 5.3). Standard types only.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_BACOOPTIONS_H
#define BACO_SEARCH_BACOOPTIONS_H

#include "baco/Search/TransferSource.h"

#include <cstdint>

namespace baco::search {

/// The model of the objective.
enum class Surrogate { GaussianProcess, RandomForest };

/// How the hyperparameters of the Gaussian process are found.
enum class HyperparameterFit {
  /// As Multistart, and in addition several draws of the posterior, so that a
  /// suggestion is good for all hyperparameters that the data support.
  Sampling,
  /// The largest posterior density that several starts find, as in BaCO.
  Multistart,
  /// The same of one start, the mode of the prior.
  SingleStart,
};

/// The prior of length scales; docs/Search.md has the numbers.
enum class LengthScalePrior {
  /// Around twice the range of a parameter.
  LogNormal,
  /// BaCO's: that most parameters matter little, some not at all.
  Gamma,
  /// Nothing.
  None,
};

/// The defaults are the best settings on the recorded spaces. All combinations
/// are valid.
struct BacoOptions {
  HyperparameterFit fit = HyperparameterFit::Sampling;
  LengthScalePrior lengthScalePrior = LengthScalePrior::LogNormal;
  /// Whether parameters with a log scale are compared by their logs.
  bool logVariables = true;
  /// Whether numbers of few values are compared for equality too, so that the
  /// objective may jump from one to the next.
  bool labeledNumbers = true;
  /// Whether the log of the objective is modeled, where it is positive.
  bool logObjective = true;
  /// Whether differences within the slower half of the configurations count
  /// less.
  bool compressedOutputs = true;
  /// Whether small improvements count less, so that the search doesn't try all
  /// of many equally good points.
  bool minGain = true;
  /// Whether all permutations are only equal or different, whatever metric they
  /// ask for.
  bool naivePermutations = false;
  /// Whether permutations with the Spearman metric are compared by weighing the
  /// moves of their elements one by one, not by the metric as a whole.
  bool separateElements = true;
  /// Whether a model of feasibility learns from failures; else they are only
  /// not repeated.
  bool feasibilityModel = true;
  /// Whether points are refused that are less likely feasible than a threshold
  /// drawn for each suggestion (0 among others); needs `feasibilityModel`.
  bool feasibilityThreshold = true;
  /// Whether the probability of feasibility counts twice, as a failure teaches
  /// nothing of the objective either.
  bool squaredFeasibility = true;
  /// Whether the acquisition function is maximized by a local search from the
  /// best random candidates; else the best of these is taken.
  bool localSearch = true;

  /// BaCO-- of the paper: no transformed variables, no priors, no local search,
  /// naive permutations, one start.
  static BacoOptions minusMinus();

  /// BaCO as in the paper, without later additions.
  static BacoOptions published();
};

/// Options of a Bayesian optimization.
struct BayesianOptions {
  /// Two searches with the same seed make the same suggestions.
  uint64_t seed = 0;
  /// Which model. Forests may be better where the objective jumps and there are
  /// hundreds of evaluations.
  Surrogate surrogate = Surrogate::GaussianProcess;
  /// Which other parts of the method are at work.
  BacoOptions baco;
  /// How many trials are made before the first model, the default configuration
  /// included; 0: one more than there are parameters, but at most 10. Raise it
  /// if most configurations fail.
  int initialDesign = 0;
  /// How many random candidates the acquisition function is evaluated at, from
  /// the best of which the local search starts; at least 1. A suggestion takes
  /// time in proportion; with many trials fewer candidates are taken.
  int numCandidates = 500;
  /// Earlier studies to learn from, the most similar one first; those that have
  /// no parameter in common with the space, or no feasible trial, are ignored.
  /// A resumed search needs the same ones.
  std::vector<TransferSource> sources = {};

  /// InvalidArgument, naming the option and its range.
  Result<void> validate() const;
};

} // namespace baco::search

#endif // BACO_SEARCH_BACOOPTIONS_H
