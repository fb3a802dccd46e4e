//===- Hyperparameters.h - Fitting the surrogate's scales -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hyperparameters of the Gaussian process, their priors, and their maximum
// a posteriori estimate by multistart L-BFGS with analytic gradients.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_HYPERPARAMETERS_H
#define BACO_SEARCH_HYPERPARAMETERS_H

#include "baco/Search/Kernel.h"
#include "baco/Search/Minimize.h"
#include "baco/Support/Random.h"

#include <cmath>

namespace baco::search {

/// All on a log scale, in which they are fitted: log length scales, one per
/// parameter of the space, then the log of the signal's variance and the log of
/// the noise's variance. Inputs are scaled to distances in [0, 1] and outputs
/// to variance 1.
struct Hyperparameters {
  Eigen::VectorXd values;

  /// Where fits start when nothing is known: length scales of 1, the variances
  /// where their priors are largest.
  static Hyperparameters initial(int numParameters);

  int numParameters() const { return static_cast<int>(values.size()) - 2; }
  /// 1 / (length scale)^2 of each parameter.
  Eigen::VectorXd weights() const {
    return (-2.0 * values.head(numParameters())).array().exp();
  }
  double variance() const { return std::exp(values[values.size() - 2]); }
  double noise() const { return std::exp(values[values.size() - 1]); }
};

/// The log of the marginal likelihood of `y` at the points whose squared
/// distances are given, and its gradient by the hyperparameters. Rasmussen and
/// Williams (2006), eqs. (2.30) and (5.9).
///
/// \param distances  as pairwiseDistances returns them
/// \param y          shape [n]
/// \param gradient   null, or set to shape [parameters + 2]
/// \returns          NaN if the covariance matrix isn't positive definite.
/// O(n^3 + n^2 parameters).
double logMarginalLikelihood(const Eigen::MatrixXd &distances,
                             const Eigen::VectorXd &y,
                             const Hyperparameters &hyperparameters,
                             Eigen::VectorXd *gradient);

/// The log of the priors' density by `values`, up to a constant; adds its
/// gradient. docs/Search.md gives the priors and why.
double logPrior(const Hyperparameters &hyperparameters,
                Eigen::VectorXd *gradient);

struct HyperparameterFitOptions {
  /// How many fits start from a random draw of the priors, besides those from
  /// the given and the initial hyperparameters; >= 0.
  int randomStarts = 2;
  /// Per start; >= 1.
  int maxEvaluations = 30;
};

/// Maximises likelihood times prior over several starts, the first of which is
/// `hyperparameters`; these become the best found.
FitSummary fitHyperparameters(const FeatureLayout &layout,
                              const Eigen::MatrixXd &x,
                              const Eigen::VectorXd &y,
                              const HyperparameterFitOptions &options,
                              Random &random, Hyperparameters &hyperparameters);

} // namespace baco::search

#endif // BACO_SEARCH_HYPERPARAMETERS_H
