//===- Encoding.cpp - Points as numbers for models ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Encoding.h"

#include "baco/Expression/Permutation.h"

#include <cmath>

using namespace baco;
using namespace baco::search;

/// Tables are at most this large (in numbers) per parameter: 6 elements by the
/// Kendall metric fit, and so do most lists of numbers.
static constexpr uint64_t maxTableSize = 1 << 14;

/// With more values than this hardly any two points share one.
static constexpr uint64_t maxLabels = 64;

PermutationMetric Encoding::metricOf(const Parameter &parameter) const {
  return options.naivePermutations ? PermutationMetric::Naive
                                   : parameter.metric();
}

FeatureBlock Encoding::blockFor(const Parameter &parameter) const {
  int begin = featureLayout.numRows;
  if (parameter.kind() == ParameterKind::Categorical)
    return {begin, 1, /*isLabel=*/true};
  if (parameter.kind() != ParameterKind::Permutation)
    return {begin, 1, /*isLabel=*/false};
  int n = parameter.permutationSize();
  switch (metricOf(parameter)) {
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

static void permutationFeatures(PermutationMetric metric, bool separate,
                                const Permutation &order, double *rows) {
  int n = static_cast<int>(order.size());
  Permutation position = inverse(order);
  if (metric == PermutationMetric::Spearman) {
    // The largest sum of squared differences: of an order and its reverse.
    double largest = std::max(double(n) * (double(n) * n - 1) / 3, 1.0);
    double scale = separate ? std::max(n - 1.0, 1.0) : std::sqrt(largest);
    for (int i = 0; i < n; ++i)
      *rows++ = position[i] / scale;
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

/// The relative position of a number in its parameter's range, whatever its
/// scale.
static double linearlyScaled(const Parameter &parameter, double coordinate) {
  double number = coordinate;
  if (parameter.kind() != ParameterKind::Real) {
    ParameterValue value =
        parameter.value(parameter.index(coordinate).value_or(0));
    number = std::holds_alternative<double>(value)
                 ? std::get<double>(value)
                 : static_cast<double>(std::get<int64_t>(value));
  }
  double range = parameter.upper() - parameter.lower();
  return range > 0 ? (number - parameter.lower()) / range : 0;
}

void Encoding::writeFeatures(size_t p, double coordinate, double *rows) const {
  const Parameter &parameter = parameters[p];
  if (parameter.isNumeric())
    *rows = options.logVariables ? parameter.scaled(coordinate)
                                 : linearlyScaled(parameter, coordinate);
  else if (ranges[p].isLabel || parameter.kind() == ParameterKind::Boolean)
    *rows = coordinate;
  else
    permutationFeatures(parameter.metric(), options.separateElements,
                        permutationAt(parameter.permutationSize(),
                                      parameter.index(coordinate).value_or(0)),
                        rows);
}

void Encoding::addBlocks(const Parameter &parameter) {
  FeatureBlock range = blockFor(parameter);
  bool separate = options.separateElements &&
                  parameter.kind() == ParameterKind::Permutation &&
                  metricOf(parameter) == PermutationMetric::Spearman;
  if (separate)
    for (int k = 0; k < range.size; ++k)
      featureLayout.blocks.push_back({range.begin + k, 1, false});
  else
    featureLayout.blocks.push_back(range);
  featureLayout.numRows += range.size;
  ranges.push_back(range);
}

Encoding::Encoding(const Space &space, EncodingOptions options)
    : options(options), parameters(space.parameters()) {
  for (size_t p = 0; p < parameters.size(); ++p) {
    const Parameter &parameter = parameters[p];
    addBlocks(parameter);
    const FeatureBlock &block = ranges.back();
    Eigen::MatrixXd &table = tables.emplace_back();
    if (block.isLabel || parameter.kind() == ParameterKind::Real ||
        parameter.size() * std::max(block.size, 1) > maxTableSize)
      continue;
    Eigen::MatrixXd values(block.size, parameter.size());
    for (uint64_t index = 0; index < parameter.size(); ++index)
      writeFeatures(p, parameter.coordinate(index), values.col(index).data());
    table = std::move(values);
  }
  for (size_t p = 0; options.labeledNumbers && p < parameters.size(); ++p)
    if (parameters[p].isNumeric() && parameters[p].size() > 2 &&
        parameters[p].size() <= maxLabels) {
      featureLayout.blocks.push_back({featureLayout.numRows++, 1, true, true});
      labeled.push_back(p);
    }
}

void Encoding::encodeParameter(size_t p, double coordinate,
                               double *rows) const {
  const Eigen::MatrixXd &table = tables[p];
  if (table.cols() == 0)
    return writeFeatures(p, coordinate, rows);
  const double *column =
      table.col(static_cast<Eigen::Index>(coordinate)).data();
  std::copy(column, column + table.rows(), rows);
}

void Encoding::encodePoint(const Point &point, double *column) const {
  for (size_t p = 0; p < parameters.size(); ++p)
    encodeParameter(p, point[p], column + ranges[p].begin);
  double *label = column + featureLayout.numRows - labeled.size();
  for (size_t p : labeled)
    *label++ = point[p];
}

Eigen::VectorXd Encoding::encode(const Point &point) const {
  Eigen::VectorXd column(featureLayout.numRows);
  encodePoint(point, column.data());
  return column;
}

Eigen::MatrixXd Encoding::encode(const std::vector<Point> &points) const {
  Eigen::MatrixXd encoded(featureLayout.numRows, points.size());
  for (size_t i = 0; i < points.size(); ++i)
    encodePoint(points[i], encoded.col(Eigen::Index(i)).data());
  return encoded;
}
