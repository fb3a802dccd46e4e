//===- Covariance.h - Covariance of encoded points --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The covariance function of the Gaussian process over points of a mixed space,
// on the encoding that Encoding.h makes: every distance of BaCO (section 4.1)
// is a squared Euclidean distance of features or an equality of labels, so that
// whole batches are one matrix product.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_COVARIANCE_H
#define BACO_SEARCH_COVARIANCE_H

#include <Eigen/Core>

#include <vector>

namespace baco::search {

/// Rows of an encoded matrix that belong to one parameter. Two points' squared
/// distance in a block is the squared Euclidean distance of these rows, or, for
/// labels, 0 if they are equal and 1 if not.
struct FeatureBlock {
  int begin = 0;
  int size = 1;
  /// Labels can only be compared for equality; size is 1.
  bool isLabel = false;
  /// Whether another block has the same parameter, so that this one is expected
  /// to matter little.
  bool isSecondary = false;
  /// Whether this is another study's prediction at the point.
  bool isSource = false;
};

/// The layout of encoded points: one block of rows per parameter, in order.
struct FeatureLayout {
  std::vector<FeatureBlock> blocks;
  /// The total of the blocks' sizes.
  int numRows = 0;

  int numBlocks() const { return static_cast<int>(blocks.size()); }
};

/// r^2 of every pair: sum over blocks of weights[p] times the squared distance
/// in block p.
///
/// \param weights  shape [blocks], >= 0: 1 / (length scale)^2
/// \param a,b      encoded points, one a column, shapes [rows, m], [rows, n]
/// \returns        shape [m, n], >= 0
Eigen::MatrixXd squaredDistances(const FeatureLayout &layout,
                                 const Eigen::VectorXd &weights,
                                 const Eigen::MatrixXd &a,
                                 const Eigen::MatrixXd &b);

/// The squared distances of all pairs i > j of columns of `x`, one column per
/// block: row j * n - j * (j + 1) / 2 + i - j - 1 of n * (n - 1) / 2.
Eigen::MatrixXd pairwiseDistances(const FeatureLayout &layout,
                                  const Eigen::MatrixXd &x);

/// Matern 5/2 of r^2, elementwise: (1 + s + s^2 / 3) e^-s with s = sqrt(5) r.
/// Rasmussen and Williams, "Gaussian Processes for Machine Learning" (2006),
/// eq. (4.17). (BaCO's eq. (1) misses the division by 3.)
Eigen::ArrayXXd matern52(const Eigen::ArrayXXd &squaredDistance);

/// Its derivative by r^2: -5/6 (1 + s) e^-s; finite at 0.
Eigen::ArrayXXd matern52Slope(const Eigen::ArrayXXd &squaredDistance);

} // namespace baco::search

#endif // BACO_SEARCH_COVARIANCE_H
