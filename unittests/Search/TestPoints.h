//===- TestPoints.h - Points for models ---*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_SEARCH_TESTPOINTS_H
#define BACO_UNITTESTS_SEARCH_TESTPOINTS_H

#include "baco/Search/Covariance.h"
#include "baco/Support/Random.h"

#include <Eigen/Core>

namespace baco::search {

/// n points of three numbers in [0, 1) and, in row 1, a category below 3.
inline Eigen::MatrixXd randomPoints(int n, Random &random) {
  Eigen::MatrixXd x(4, n);
  for (double &value : x.reshaped())
    value = random.uniform();
  for (int i = 0; i < n; ++i)
    x(1, i) = double(random.below(3));
  return x;
}

/// A vector of these numbers.
inline Eigen::VectorXd vector(std::initializer_list<double> values) {
  Eigen::VectorXd v(values.size());
  std::copy(values.begin(), values.end(), v.begin());
  return v;
}

/// Two numbers in [0, 1).
inline const FeatureLayout plane{{{0, 1, false}, {1, 1, false}}, 2};

/// n points of the plane.
inline Eigen::MatrixXd uniformPoints(int n, Random &random) {
  Eigen::MatrixXd x(2, n);
  for (double &value : x.reshaped())
    value = random.uniform();
  return x;
}

} // namespace baco::search

#endif // BACO_UNITTESTS_SEARCH_TESTPOINTS_H
