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

#include "baco/Search/BacoOptions.h"
#include "baco/Search/Covariance.h"
#include "baco/Search/Minimize.h"
#include "baco/Support/Random.h"

#include <cmath>
#include <vector>

namespace baco::search {

/// All on a log scale, in which they are fitted: log length scales, one per
/// parameter of the model, then the log of the signal's variance and the log of
/// the noise's variance. Inputs are scaled to distances in [0, 1] and outputs
/// to variance 1.
struct Hyperparameters {
  Eigen::VectorXd values;

  int numParameters() const { return static_cast<int>(values.size()) - 2; }
  /// 1 / (length scale)^2 of each parameter.
  Eigen::VectorXd weights() const {
    return (-2.0 * values.head(numParameters())).array().exp();
  }
  double variance() const { return std::exp(values[values.size() - 2]); }
  double noise() const { return std::exp(values[values.size() - 1]); }
};

/// Independent normal densities of the logs, that is, log-normal ones of the
/// hyperparameters; or gamma densities of the length scales. docs/Search.md
/// gives the numbers and why.
struct HyperparameterPrior {
  /// Shape [parameters + 2]. For length scales with gamma densities: those of
  /// normal densities near them.
  Eigen::VectorXd mean, deviation;

  /// \param lengths  None: length scales are only kept within what arithmetic
  ///                 can do
  explicit HyperparameterPrior(
      int numParameters,
      LengthScalePrior lengths = LengthScalePrior::LogNormal);

  /// Expects a length scale three times as large.
  void expectLittleOf(int parameter);

  /// Expects the length scale of what another study expects, in deviations of
  /// its outcomes.
  void expectSource(int parameter);

  /// The log of the density, up to a constant; adds its gradient.
  double logDensity(const Hyperparameters &at, Eigen::VectorXd *gradient) const;

  /// By how much logDensity exceeds that of the normal densities, up to a
  /// constant; adds its gradient.
  double logExcess(const Hyperparameters &at, Eigen::VectorXd *gradient) const;

  /// The point of the largest density: the start of fits without prior
  /// knowledge.
  Hyperparameters mode() const { return {mean}; }

private:
  LengthScalePrior lengths;
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

struct HyperparameterFitOptions {
  /// How many fits start from a random draw, besides those from the given
  /// hyperparameters and the prior's mode; >= 0.
  int randomStarts = 2;
  /// Per start; >= 1.
  int maxEvaluations = 30;
};

/// Maximizes likelihood times prior over several starts, the first of which is
/// `hyperparameters`; these become the best found.
FitSummary fitHyperparameters(const FeatureLayout &layout,
                              const Eigen::MatrixXd &x,
                              const Eigen::VectorXd &y,
                              const HyperparameterPrior &prior,
                              const HyperparameterFitOptions &options,
                              Random &random, Hyperparameters &hyperparameters);

/// Moves each of `chains` by `steps` steps of a Markov chain whose stationary
/// distribution is the posterior, likelihood times prior. Murray, Adams and
/// MacKay, "Elliptical slice sampling", AISTATS 2010: it has no step size to
/// choose and needs no gradient. A step evaluates the likelihood about four
/// times.
void sampleHyperparameters(const FeatureLayout &layout,
                           const Eigen::MatrixXd &x, const Eigen::VectorXd &y,
                           const HyperparameterPrior &prior, int steps,
                           Random &random,
                           std::vector<Hyperparameters> &chains);

} // namespace baco::search

#endif // BACO_SEARCH_HYPERPARAMETERS_H
