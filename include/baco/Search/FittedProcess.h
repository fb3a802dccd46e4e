//===- FittedProcess.h - The Gaussian process of a search -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Gaussian process that follows a growing set of observations: it refits its
// hyperparameters from time to time, starting from the last ones, and otherwise
// only adds rows to its factor. What it carries over is one line of text.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_FITTEDPROCESS_H
#define BACO_SEARCH_FITTEDPROCESS_H

#include "baco/Search/GaussianProcess.h"
#include "baco/Support/Result.h"

#include <optional>
#include <string>

namespace baco::search {

class FittedProcess {
public:
  explicit FittedProcess(FeatureLayout layout);

  /// Brings the model up to date with all observations so far.
  ///
  /// \param x        encoded points, shape [rows, n], n >= 1
  /// \param y        standardised outputs, shape [n]
  /// \param pending  points whose outputs are not known yet, shape [rows, m];
  ///                 they are taken to be what the model expects (Ginsbourger
  ///                 et al., "Kriging is well-suited to parallelize
  ///                 optimization", 2010: the kriging believer), which leaves
  ///                 no improvement to find near them
  void update(const Eigen::MatrixXd &x, const Eigen::VectorXd &y,
              const Eigen::MatrixXd &pending, Random &random);

  /// The posterior of the last update.
  const GaussianProcess &process() const { return *model; }

  /// The hyperparameters and when they were fitted, exactly; empty before the
  /// first update.
  std::string state() const;
  /// The inverse of `state`. InvalidArgument if it isn't one of this layout.
  Result<void> takeUp(const std::string &state);

private:
  bool isDue(Eigen::Index n) const;
  void fit(const Eigen::MatrixXd &x, const Eigen::VectorXd &y, Random &random);

  FeatureLayout layout;
  Hyperparameters hyperparameters;
  /// How many observations there were at the last fit; 0: none was made.
  Eigen::Index fittedOn = 0;
  std::optional<GaussianProcess> model;
};

} // namespace baco::search

#endif // BACO_SEARCH_FITTEDPROCESS_H
