//===- LimitModel.h - Whether a point keeps its limits ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some evaluators know how much of its limits a candidate needs, whether it
// keeps them or not: the resources of a device, for instance. A Gaussian
// process then learns from each trial where the border is, of which failures
// alone say little (Gardner et al., "Bayesian Optimization with Inequality
// Constraints", ICML 2014).
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_LIMITMODEL_H
#define BACO_SEARCH_LIMITMODEL_H

#include "baco/Search/FittedProcess.h"

#include <map>

namespace baco::search {

/// A process for each limit that some trial has exceeded.
class LimitModel {
public:
  explicit LimitModel(FeatureLayout layout, ProcessFitOptions options = {});

  /// Brings the model up to date with all trials whose usage is known.
  ///
  /// \param x       encoded points, shape [rows, n]
  /// \param usage   the share of each limit that they need, shape [n, limits]
  /// \param pending points whose usage isn't known yet, shape [rows, m]
  /// \param numObservations  as for FittedProcess::update
  void update(const Eigen::MatrixXd &x, const Eigen::MatrixXd &usage,
              const Eigen::MatrixXd &pending, Eigen::Index numObservations,
              Random &random);

  /// Whether no limit was exceeded: then nothing is modeled.
  bool isEmpty() const { return limits.empty(); }
  /// How many posteriors a prediction asks.
  size_t numProcesses() const;

  /// The log of the probability that each point keeps all limits.
  Eigen::VectorXd logProbability(const Eigen::MatrixXd &x) const;

  /// The hyperparameters, exactly, in one line; empty if nothing is modeled.
  std::string state() const;
  /// The inverse of `state`. InvalidArgument if it isn't one of this layout.
  Result<void> takeUp(const std::string &state);

private:
  struct Limit {
    FittedProcess process;
    /// The standardized log of 1.
    double border = 0;
  };

  FeatureLayout layout;
  ProcessFitOptions options;
  /// By the number of the limit.
  std::map<Eigen::Index, Limit> limits;
};

} // namespace baco::search

#endif // BACO_SEARCH_LIMITMODEL_H
