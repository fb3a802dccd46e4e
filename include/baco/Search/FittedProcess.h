//===- FittedProcess.h - The Gaussian process of a search -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gaussian processes that follow a growing set of observations: they fit or
// draw their hyperparameters again from time to time, starting from the last
// ones, and otherwise only add rows to their factors. Their state to carry over
// is one line of text.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_FITTEDPROCESS_H
#define BACO_SEARCH_FITTEDPROCESS_H

#include "baco/Search/BacoOptions.h"
#include "baco/Search/GaussianProcess.h"
#include "baco/Support/Result.h"

#include <string>

namespace baco::search {

/// How a FittedProcess finds its hyperparameters.
struct ProcessFitOptions {
  HyperparameterFit method = HyperparameterFit::Sampling;
  LengthScalePrior lengthScalePrior = LengthScalePrior::LogNormal;
};

class FittedProcess {
public:
  explicit FittedProcess(FeatureLayout layout, ProcessFitOptions options = {});

  /// Brings the models up to date with all observations so far.
  ///
  /// \param x        encoded points, shape [rows, n], n >= 1
  /// \param y        standardized outputs, shape [n]
  /// \param pending  points whose outputs are not known yet, shape [rows, m];
  ///                 they are taken to be what each model expects (Ginsbourger
  ///                 et al., "Kriging is well-suited to parallelize
  ///                 optimization", 2010: the kriging believer), which leaves
  ///                 no improvement to find near them
  /// \param numObservations  how many there are, of which `x` and `y` may be
  ///                 some: says when a new fit is due; >= n
  void update(const Eigen::MatrixXd &x, const Eigen::VectorXd &y,
              const Eigen::MatrixXd &pending, Eigen::Index numObservations,
              Random &random);

  /// The posteriors of the last update, of equal weight: that of the fitted
  /// hyperparameters, then one for each draw of them, if they are sampled.
  const std::vector<GaussianProcess> &processes() const { return models; }

  /// The hyperparameters and when they were found, exactly; empty before the
  /// first update.
  std::string state() const;
  /// The inverse of `state`. InvalidArgument if it isn't one of this layout.
  Result<void> takeUp(const std::string &state);

private:
  bool isDue(Eigen::Index n) const;
  void fit(const Eigen::MatrixXd &x, const Eigen::VectorXd &y, Random &random);
  /// Moves the first of `chains` to the posterior's mode.
  void fitMode(const Eigen::MatrixXd &x, const Eigen::VectorXd &y,
               Random &random);

  FeatureLayout layout;
  ProcessFitOptions options;
  HyperparameterPrior prior;
  /// The hyperparameters of each model: those of the fit, then the draws.
  std::vector<Hyperparameters> chains;
  /// How many observations there were at the last fit; 0: none was made.
  Eigen::Index fittedOn = 0;
  std::vector<GaussianProcess> models;
};

} // namespace baco::search

#endif // BACO_SEARCH_FITTEDPROCESS_H
