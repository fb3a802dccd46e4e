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

#include "baco/Search/Covariance.h"
#include "baco/Space/Space.h"

namespace baco::search {

struct EncodingOptions {
  /// Whether numbers with a log scale are compared by their logs.
  bool logVariables = true;
  /// Whether all permutations have the naive metric, whatever they say.
  bool naivePermutations = false;
  /// Whether each number of 3 to 64 values is a label too, in a block of its
  /// own after those of all parameters: where a step to the next value matters
  /// as much as a large one (vector lengths, divisors of a size).
  bool labeledNumbers = false;
  /// Whether each element of a permutation with the Spearman metric is a block
  /// of its own, with a feature in [0, 1]: where the places of some loops
  /// matter, and those of others don't.
  bool separateElements = false;
};

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
  explicit Encoding(const Space &space, EncodingOptions options = {});

  const FeatureLayout &layout() const { return featureLayout; }

  /// Shape [rows, points.size()].
  Eigen::MatrixXd encode(const std::vector<Point> &points) const;
  /// Shape [rows].
  Eigen::VectorXd encode(const Point &point) const;

private:
  PermutationMetric metricOf(const Parameter &parameter) const;
  FeatureBlock blockFor(const Parameter &parameter) const;
  void addBlocks(const Parameter &parameter);
  /// Writes the rows of the parameter's block.
  void writeFeatures(size_t p, double coordinate, double *rows) const;
  void encodeParameter(size_t p, double coordinate, double *rows) const;
  void encodePoint(const Point &point, double *column) const;

  EncodingOptions options;
  std::vector<Parameter> parameters;
  FeatureLayout featureLayout;
  /// For each parameter, all rows but those of its second block.
  std::vector<FeatureBlock> ranges;
  /// The parameters that have a second block, in its order.
  std::vector<size_t> labeled;
  /// The features of all values, where there aren't too many; else empty.
  std::vector<Eigen::MatrixXd> tables;
};

} // namespace baco::search

#endif // BACO_SEARCH_ENCODING_H
