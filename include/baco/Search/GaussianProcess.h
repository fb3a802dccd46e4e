//===- GaussianProcess.h - Gaussian process regression ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The posterior of a Gaussian process with zero mean, for given
// hyperparameters. Points are appended one at a time: each adds a row to the
// Cholesky factor, and the same points give the same bits, whether they are
// appended one by one or at once.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_GAUSSIANPROCESS_H
#define BACO_SEARCH_GAUSSIANPROCESS_H

#include "baco/Search/Hyperparameters.h"

namespace baco::search {

/// Mean and variance of a model at some points.
struct Prediction {
  /// Shape [m].
  Eigen::VectorXd mean;
  /// The variance of the function itself, without noise; shape [m], >= 0.
  Eigen::VectorXd variance;
};

class GaussianProcess {
public:
  GaussianProcess(FeatureLayout layout, Hyperparameters hyperparameters);

  const Hyperparameters &hyperparameters() const { return parameters; }
  /// Number of points.
  Eigen::Index size() const { return count; }
  /// The encoded points, shape [rows, size].
  auto points() const { return x.leftCols(count); }

  /// Adds a point (shape [rows]); setTargets must follow. O(n^2).
  void append(const Eigen::VectorXd &point);
  /// Forgets all but the first `n` points; setTargets must follow.
  void truncate(Eigen::Index n);
  /// Observed values of all points, shape [size]. O(n^2).
  void setTargets(const Eigen::VectorXd &y);

  /// The posterior at the columns of `x`, shape [rows, m]. O(n^2 m).
  Prediction predict(const Eigen::MatrixXd &x) const;
  /// Its mean only. O(n m).
  Eigen::VectorXd predictMean(const Eigen::MatrixXd &x) const;

private:
  void reserve(Eigen::Index n);
  Eigen::MatrixXd covariance(const Eigen::MatrixXd &a,
                             const Eigen::MatrixXd &b) const;

  using RowMajor =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  FeatureLayout layout;
  Hyperparameters parameters;
  Eigen::VectorXd weights;
  Eigen::Index count = 0;
  /// The points, in the first `count` columns.
  Eigen::MatrixXd x;
  /// Lower Cholesky factor of K + noise I, in the first `count` rows.
  RowMajor L;
  /// (K + noise I)^-1 y.
  Eigen::VectorXd alpha;
};

} // namespace baco::search

#endif // BACO_SEARCH_GAUSSIANPROCESS_H
