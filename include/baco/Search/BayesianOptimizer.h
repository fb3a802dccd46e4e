//===- BayesianOptimizer.h - BaCO -------------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bayesian optimization as in BaCO (Hellsten et al., "BaCO: A Fast and Portable
// Bayesian Compiler Optimization Framework", ASPLOS 2023): a surrogate of the
// objective, a forest for the hidden constraints, and a local search for the
// configuration whose evaluation promises most. docs/Search.md has the maths.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_BAYESIANOPTIMIZER_H
#define BACO_SEARCH_BAYESIANOPTIMIZER_H

#include "baco/Search/BacoOptions.h"
#include "baco/Search/Encoding.h"
#include "baco/Search/ExpertPrior.h"
#include "baco/Search/FirstPoints.h"
#include "baco/Search/FittedProcess.h"
#include "baco/Search/LimitModel.h"
#include "baco/Search/RandomForest.h"
#include "baco/Search/SourceModel.h"
#include "baco/Search/TrialHistory.h"

namespace baco::search {

class BayesianOptimizer : public HistoryOptimizer {
public:
  /// `options` must be valid.
  BayesianOptimizer(Space space, const BayesianOptions &options);

protected:
  Result<std::optional<Proposal>> propose() override;
  Result<void> takeUp(const std::string &state) override;

private:
  /// The source of the best configuration so far, if it is from one.
  std::optional<size_t> leadingSource() const;
  /// The next of the sources' best configurations, if it is their turn.
  std::optional<Point> nextTransferred() const;

  /// Encoded points of all trials of a kind, in the order of asking.
  struct Data {
    Eigen::MatrixXd feasible, pending, told, limited;
    /// What the surrogate learns from: some feasible trials, and those beyond a
    /// limit whose objectives are known; these objectives, as told and
    /// standardized.
    Eigen::MatrixXd modeled;
    Eigen::VectorXd objectives, y;
    /// One element for each column of `told`, which lacks failures by known
    /// limits: 1 if feasible, else 0.
    Eigen::VectorXd isFeasible;
    /// A row for each column of `limited`: the shares of limits.
    Eigen::MatrixXd usage;
    /// The trials of `modeled`.
    std::vector<size_t> trials;
    /// How many outcomes there are, also those that aren't in `told`, how many
    /// of them have an objective, and of how many the usage is known.
    size_t numTold = 0, numObjectives = 0, numLimited = 0;
  };
  /// The models' inputs for points, one a column: their coordinates, and the
  /// sources' predictions.
  Eigen::MatrixXd encode(const std::vector<Point> &points) const;
  /// The training data of the models; a subset of very many trials.
  Data collect() const;
  /// Some of the trials with an objective, in their order.
  std::vector<size_t> modeledTrials(std::vector<size_t> trials) const;
  /// A random key for each trial, which decides whether the models see it.
  std::pair<double, size_t> lotOf(size_t trial) const;

  /// A surrogate's predictions, for encoded points.
  using Predict = std::function<Prediction(const Eigen::MatrixXd &)>;
  /// Surrogates of equal weight.
  std::vector<Predict> fitSurrogates(const Data &data, Random &random);
  Predict fitForest(const Data &data, Random &random) const;

  Result<std::optional<Proposal>> proposeByModel(Random &random);
  /// Uniform, or the whole space if it has no more.
  std::vector<Point> drawCandidates(size_t number, Random &random) const;
  /// Adds the trials whose usage is known.
  void collectUsage(const std::vector<size_t> &told, Data &data) const;
  /// The best observed points.
  std::vector<Point> incumbents(const Data &data, size_t number) const;

  BayesianOptions options;
  Encoding encoding;
  std::vector<SourceModel> sourceModels;
  /// The layout of the rows that `encode` makes.
  FeatureLayout layout;
  /// The best configurations of the sources, to be tried early.
  std::vector<Transferred> transferred;
  ExpertPrior prior;
  /// The expert's favorite, to be tried next.
  std::optional<Point> favorite;
  FittedProcess gaussianProcess;
  LimitModel limits;
};

} // namespace baco::search

#endif // BACO_SEARCH_BAYESIANOPTIMIZER_H
