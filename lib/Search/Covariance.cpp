//===- Covariance.cpp - Covariance of encoded points ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Covariance.h"

using namespace baco::search;
using Eigen::ArrayXXd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd baco::search::squaredDistances(const FeatureLayout &layout,
                                        const VectorXd &weights,
                                        const MatrixXd &a, const MatrixXd &b) {
  if (a.cols() == 0 || b.cols() == 0)
    return MatrixXd(a.cols(), b.cols());
  // |a - b|^2 = |a|^2 + |b|^2 - 2 ab, with the rows of labels left out. The
  // features are in [0, 1], so that what cancels is about 1e-16.
  VectorXd rowWeights = VectorXd::Zero(layout.numRows);
  for (int p = 0; p < layout.numBlocks(); ++p) {
    const FeatureBlock &block = layout.blocks[p];
    if (!block.isLabel)
      rowWeights.segment(block.begin, block.size).setConstant(weights[p]);
  }
  MatrixXd weighted = rowWeights.asDiagonal() * a;
  MatrixXd r2 = weighted.transpose() * b * -2.0;
  r2.colwise() += weighted.cwiseProduct(a).colwise().sum().transpose();
  r2.rowwise() +=
      (rowWeights.asDiagonal() * b.cwiseAbs2()).colwise().sum().eval();
  r2 = r2.cwiseMax(0.0);
  for (int p = 0; p < layout.numBlocks(); ++p) {
    const FeatureBlock &block = layout.blocks[p];
    if (!block.isLabel)
      continue;
    // A copy, as a row's values are far apart in memory.
    Eigen::ArrayXd labels = a.row(block.begin);
    for (Eigen::Index j = 0; j < b.cols(); ++j)
      r2.col(j).array() +=
          (labels != b(block.begin, j))
              .select(Eigen::ArrayXd::Constant(a.cols(), weights[p]), 0.0);
  }
  return r2;
}

MatrixXd baco::search::pairwiseDistances(const FeatureLayout &layout,
                                         const MatrixXd &x) {
  Eigen::Index n = x.cols();
  MatrixXd distances = MatrixXd::Zero(n * (n - 1) / 2, layout.numBlocks());
  for (int p = 0; p < layout.numBlocks(); ++p) {
    const FeatureBlock &block = layout.blocks[p];
    Eigen::Index pair = 0;
    for (Eigen::Index j = 0; j < n; ++j)
      for (Eigen::Index i = j + 1; i < n; ++i, ++pair)
        for (int row = block.begin; row < block.begin + block.size; ++row) {
          double difference = x(row, i) - x(row, j);
          distances(pair, p) +=
              block.isLabel ? double(difference != 0) : difference * difference;
        }
  }
  return distances;
}

ArrayXXd baco::search::matern52(const ArrayXXd &squaredDistance) {
  ArrayXXd s = (5.0 * squaredDistance).sqrt();
  return (1.0 + s + s.square() / 3.0) * (-s).exp();
}

ArrayXXd baco::search::matern52Slope(const ArrayXXd &squaredDistance) {
  ArrayXXd s = (5.0 * squaredDistance).sqrt();
  return -5.0 / 6.0 * (1.0 + s) * (-s).exp();
}
