//===- GaussianProcess.cpp - Gaussian process regression ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/GaussianProcess.h"

#include <Eigen/Cholesky>

#include <cmath>

using namespace baco::search;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The least pivot of the factor, as a share of the variance: that of a
/// repeated point with a noise of 1e-10.
static constexpr double minPivot = 1e-10;

/// Rows are allocated in multiples of this, so that each starts at an aligned
/// address: sums are then grouped in the same way for every capacity.
static constexpr Index rowAlignment = 64;

GaussianProcess::GaussianProcess(FeatureLayout layout,
                                 Hyperparameters hyperparameters)
    : layout(std::move(layout)), parameters(std::move(hyperparameters)),
      weights(parameters.weights()) {
  reserve(1);
}

void GaussianProcess::reserve(Index n) {
  if (n <= L.rows())
    return;
  Index capacity = (n + n / 2 + rowAlignment - 1) / rowAlignment * rowAlignment;
  x.conservativeResize(layout.numRows, capacity);
  L.conservativeResize(capacity, capacity);
}

MatrixXd GaussianProcess::covariance(const MatrixXd &a,
                                     const MatrixXd &b) const {
  return parameters.variance() *
         matern52(squaredDistances(layout, weights, a, b).array()).matrix();
}

void GaussianProcess::append(const VectorXd &point) {
  reserve(count + 1);
  // Factor row by row (the bordered form), so that appending points and adding
  // them all at once give the same bits.
  VectorXd k = covariance(points(), point);
  auto row = L.row(count);
  for (Index j = 0; j < count; ++j)
    row[j] = (k[j] - row.head(j).dot(L.row(j).head(j))) / L(j, j);
  double pivot = parameters.variance() + parameters.noise() -
                 row.head(count).squaredNorm();
  row[count] = std::sqrt(std::max(pivot, minPivot * parameters.variance()));
  x.col(count) = point;
  ++count;
}

void GaussianProcess::truncate(Index n) { count = std::min(count, n); }

void GaussianProcess::setTargets(const VectorXd &y) {
  assert(y.size() == count && "one value per point");
  auto lower = L.topLeftCorner(count, count).triangularView<Eigen::Lower>();
  alpha = y;
  lower.solveInPlace(alpha);
  lower.transpose().solveInPlace(alpha);
}

VectorXd GaussianProcess::predictMean(const MatrixXd &at) const {
  return covariance(points(), at).transpose() * alpha;
}

Prediction GaussianProcess::predict(const MatrixXd &at) const {
  // Work in blocks whose covariances fit the cache.
  constexpr Index blockSize = 128;
  Prediction prediction{VectorXd(at.cols()), VectorXd(at.cols())};
  for (Index begin = 0; begin < at.cols(); begin += blockSize) {
    Index size = std::min(blockSize, at.cols() - begin);
    MatrixXd k = covariance(points(), at.middleCols(begin, size));
    prediction.mean.segment(begin, size) = k.transpose() * alpha;
    L.topLeftCorner(count, count)
        .triangularView<Eigen::Lower>()
        .solveInPlace(k);
    prediction.variance.segment(begin, size) =
        (parameters.variance() - k.colwise().squaredNorm().array())
            .max(0.0)
            .matrix()
            .transpose();
  }
  return prediction;
}
