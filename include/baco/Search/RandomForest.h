//===- RandomForest.h - Regression forests ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A random forest on encoded points: the alternative surrogate, and, trained on
// zeros and ones, the model of hidden constraints.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RANDOMFOREST_H
#define BACO_SEARCH_RANDOMFOREST_H

#include "baco/Search/GaussianProcess.h"

#include <cstdint>

namespace baco::search {

struct ForestOptions {
  /// Number of trees, at least 1. More of them cost time and smooth the
  /// prediction.
  int numTrees = 50;
  /// Share of the rows that compete for each split, in (0, 1].
  double maxFeatures = 0.75;
  /// Nodes with fewer samples aren't split; at least 2.
  int minSamplesSplit = 2;
  /// Whether each tree sees a draw with replacement instead of all samples.
  bool bootstrap = true;
};

/// A forest of regression trees that minimize the weighted squared error
/// (Breiman, "Random Forests", Machine Learning 45 (2001)). For targets 0 and 1
/// that is Gini's criterion, and the mean is the probability of 1. Features are
/// split at thresholds drawn uniformly between neighboring values, so that the
/// mean of the trees is smoother; labels are split into one and the others.
class RandomForest {
public:
  /// \param x        encoded points, shape [rows, n], n >= 1
  /// \param y        targets, shape [n]
  /// \param weights  of the samples, > 0, shape [n]
  /// O(trees * rows * n log n * depth).
  RandomForest(const FeatureLayout &layout, const Eigen::MatrixXd &x,
               const Eigen::VectorXd &y, const Eigen::VectorXd &weights,
               const ForestOptions &options, Random &random);

  /// Mean over trees, shape [m].
  Eigen::VectorXd predictMean(const Eigen::MatrixXd &x) const;

  /// The mean, and the total variance: the mean over trees of the leaf's
  /// variance plus its squared mean, minus the squared mean of the forest
  /// (Hutter, Xu, Hoos and Leyton-Brown, "Algorithm runtime prediction",
  /// Artificial Intelligence 206 (2014), section 4.3.2).
  Prediction predict(const Eigen::MatrixXd &x) const;

private:
  friend class TreeBuilder;

  struct Node {
    /// The row that decides, or -1 in a leaf.
    int32_t row = -1;
    /// Index of the right child; the left one follows its parent.
    int32_t right = 0;
    /// Left if the value is at most (labels: equal to) this. In a leaf: its
    /// mean.
    double threshold = 0;
    /// The variance of the targets in a leaf.
    double variance = 0;
  };

  const Node &leaf(size_t tree, const double *point) const;

  /// Whether each row holds labels.
  std::vector<bool> isLabel;
  std::vector<Node> nodes;
  /// Index of each tree's root.
  std::vector<size_t> roots;
};

} // namespace baco::search

#endif // BACO_SEARCH_RANDOMFOREST_H
