//===- Encoding.h - Points as numbers for models ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns points of a space into columns of numbers on which the models work:
// features whose squared Euclidean distances are the parameters' distances, and
// labels that are only equal or different.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_ENCODING_H
#define BACO_SEARCH_ENCODING_H

#include "baco/Search/Kernel.h"
#include "baco/Space/Space.h"

namespace baco::search {

/// One block of rows per parameter:
///   numbers, booleans  1 feature in [0, 1]; the squared distance is that of
///                      Parameter::distance, squared
///   categorical        1 label
///   permutation        features whose squared distance is Parameter::distance
///                      itself (which isn't a metric, but its root is): n
///                      positions for Spearman, n (n - 1) / 2 orders of pairs
///                      for Kendall, n^2 indicators for Hamming; 1 label for
///                      the naive metric
class Encoding {
public:
  explicit Encoding(const Space &space);

  const FeatureLayout &layout() const { return featureLayout; }

  /// Shape [rows, points.size()].
  Eigen::MatrixXd encode(const std::vector<Point> &points) const;
  /// Shape [rows].
  Eigen::VectorXd encode(const Point &point) const;

private:
  void encodeParameter(size_t p, double coordinate, double *rows) const;

  std::vector<Parameter> parameters;
  FeatureLayout featureLayout;
  /// The features of all values, where there aren't too many; else empty.
  std::vector<Eigen::MatrixXd> tables;
};

} // namespace baco::search

#endif // BACO_SEARCH_ENCODING_H
