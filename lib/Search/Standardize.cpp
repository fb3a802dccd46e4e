//===- Standardize.cpp - Objectives as a model's outputs ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Standardize.h"

#include <algorithm>
#include <cmath>
#include <vector>

using Eigen::VectorXd;

/// Compress outputs above the median to the log of their distance from it:
/// differences among slow configurations say little about fast ones, but would
/// determine the scale.
static void compressUpperHalf(VectorXd &y) {
  std::vector<double> sorted(y.begin(), y.end());
  std::sort(sorted.begin(), sorted.end());
  double median = sorted[sorted.size() / 2], scale = median - sorted[0];
  if (scale <= 0)
    return;
  for (double &value : y)
    if (value > median)
      value = median + scale * std::log1p((value - median) / scale);
}

VectorXd baco::search::standardize(const VectorXd &objectives, bool useLog,
                                   bool compress) {
  if (objectives.size() == 0)
    return objectives;
  VectorXd y = objectives;
  if (useLog && y.minCoeff() > 0)
    y = y.array().log();
  // Without this, the squares of huge values overflow.
  double largest = y.cwiseAbs().maxCoeff();
  if (largest > 0)
    y /= largest;
  if (compress)
    compressUpperHalf(y);
  y.array() -= y.mean();
  double deviation = std::sqrt(y.squaredNorm() / double(y.size()));
  // Equal values differ from their mean by a rounding error only.
  constexpr double roundingError = 1e-14;
  if (deviation <= roundingError)
    return VectorXd::Zero(y.size());
  return y / deviation;
}

double baco::search::relativeFall(const VectorXd &objectives, double change,
                                  bool useLog, bool compress) {
  std::vector<double> sorted(objectives.begin(), objectives.end());
  std::sort(sorted.begin(), sorted.end());
  double best = sorted[0], median = sorted[sorted.size() / 2];
  VectorXd y = standardize(objectives, useLog, compress);
  std::sort(y.begin(), y.end());
  double range = y[y.size() / 2] - y[0];
  if (!(range > 0 && change > 0))
    return 0;
  double steps = change / range;
  if (useLog && best > 0)
    return 1 - std::pow(best / median, steps);
  double fall = steps * (median - best) / std::abs(best);
  return std::min(fall, 1.0);
}
