//===- Encoding.cpp - Points as numbers for models ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Encoding.h"

#include "baco/Space/Permutation.h"

#include <cmath>

using namespace baco;
using namespace baco::search;

/// Tables are at most this large (in numbers) per parameter: 6 elements by the
/// Kendall metric fit, and so do most lists of numbers.
static constexpr uint64_t maxTableSize = 1 << 14;

static FeatureBlock blockFor(const Parameter &parameter, int begin) {
  if (parameter.kind() == ParameterKind::Categorical)
    return {begin, 1, /*isLabel=*/true};
  if (parameter.kind() != ParameterKind::Permutation)
    return {begin, 1, /*isLabel=*/false};
  int n = parameter.permutationSize();
  switch (parameter.metric()) {
  case PermutationMetric::Spearman:
    return {begin, n, false};
  case PermutationMetric::Kendall:
    return {begin, n * (n - 1) / 2, false};
  case PermutationMetric::Hamming:
    return {begin, n * n, false};
  case PermutationMetric::Naive:
    break;
  }
  return {begin, 1, /*isLabel=*/true};
}

static void permutationFeatures(PermutationMetric metric,
                                const Permutation &order, double *rows) {
  int n = static_cast<int>(order.size());
  Permutation position = inverse(order);
  if (metric == PermutationMetric::Spearman) {
    // The largest sum of squared differences: of an order and its reverse.
    double largest = std::max(double(n) * (double(n) * n - 1) / 3, 1.0);
    for (int i = 0; i < n; ++i)
      *rows++ = position[i] / std::sqrt(largest);
  } else if (metric == PermutationMetric::Kendall) {
    double one = 1 / std::sqrt(std::max(n * (n - 1) / 2.0, 1.0));
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j)
        *rows++ = position[i] < position[j] ? one : 0;
  } else {
    // A moved element differs in two indicators.
    double one = 1 / std::sqrt(2.0 * n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        *rows++ = position[i] == j ? one : 0;
  }
}

/// Writes the rows of the parameter's block.
static void writeFeatures(const Parameter &parameter, bool isLabel,
                          double coordinate, double *rows) {
  if (parameter.isNumeric())
    *rows = parameter.scaled(coordinate);
  else if (isLabel || parameter.kind() == ParameterKind::Boolean)
    *rows = coordinate;
  else
    permutationFeatures(parameter.metric(),
                        permutationAt(parameter.permutationSize(),
                                      parameter.index(coordinate).value_or(0)),
                        rows);
}

Encoding::Encoding(const Space &space) : parameters(space.parameters()) {
  for (const Parameter &parameter : parameters) {
    FeatureBlock block = blockFor(parameter, featureLayout.numRows);
    featureLayout.blocks.push_back(block);
    featureLayout.numRows += block.size;
    Eigen::MatrixXd &table = tables.emplace_back();
    if (block.isLabel || parameter.kind() == ParameterKind::Real ||
        parameter.size() * std::max(block.size, 1) > maxTableSize)
      continue;
    Eigen::MatrixXd values(block.size, parameter.size());
    for (uint64_t index = 0; index < parameter.size(); ++index)
      writeFeatures(parameter, block.isLabel, parameter.coordinate(index),
                    values.col(index).data());
    table = std::move(values);
  }
}

void Encoding::encodeParameter(size_t p, double coordinate,
                               double *rows) const {
  const Eigen::MatrixXd &table = tables[p];
  if (table.cols() == 0)
    return writeFeatures(parameters[p], featureLayout.blocks[p].isLabel,
                         coordinate, rows);
  const double *column =
      table.col(static_cast<Eigen::Index>(coordinate)).data();
  std::copy(column, column + table.rows(), rows);
}

Eigen::VectorXd Encoding::encode(const Point &point) const {
  Eigen::VectorXd column(featureLayout.numRows);
  for (size_t p = 0; p < parameters.size(); ++p)
    encodeParameter(p, point[p], column.data() + featureLayout.blocks[p].begin);
  return column;
}

Eigen::MatrixXd Encoding::encode(const std::vector<Point> &points) const {
  Eigen::MatrixXd encoded(featureLayout.numRows, points.size());
  for (size_t i = 0; i < points.size(); ++i)
    for (size_t p = 0; p < parameters.size(); ++p)
      encodeParameter(p, points[i][p],
                      encoded.col(i).data() + featureLayout.blocks[p].begin);
  return encoded;
}
