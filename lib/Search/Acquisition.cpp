//===- Acquisition.cpp - Acquisition functions ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Acquisition.h"

#include <cmath>
#include <numbers>
#include <string>

using namespace baco;
using Eigen::VectorXd;

/// 1 / sqrt(2 pi).
static constexpr double invSqrt2Pi = 0.398942280401432677939946;

/// Below this many deviations, the two terms of the improvement cancel.
static constexpr double cancellation = -4;

/// 1 - t R(t) for t >= 4, where R is Mills' ratio, (1 - Phi(t)) / phi(t). Its
/// continued fraction, t / (t + 1 / (t + 2 / (t + ...))), gives the difference
/// without cancellation; 60 terms are exact to the last bits from t = 4 on.
static double oneMinusMills(double t) {
  double tail = t;
  for (int k = 60; k >= 2; --k)
    tail = t + k / tail;
  double c = 1 / tail;
  return c / (t + c);
}

/// E[max(Z + z, 0)] of a standard normal Z.
static double normalImprovement(double z) {
  double density = invSqrt2Pi * std::exp(-0.5 * z * z);
  if (z <= cancellation)
    return density * oneMinusMills(-z);
  return density + z * 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

static double logNormalImprovement(double z) {
  if (z <= cancellation)
    return std::log(invSqrt2Pi) - 0.5 * z * z + std::log(oneMinusMills(-z));
  return std::log(normalImprovement(z));
}

static Result<void> check(const VectorXd &mean, const VectorXd &stddev,
                          double best) {
  if (mean.size() != stddev.size())
    return {ErrorCode::InvalidArgument,
            "expected improvement: " + std::to_string(mean.size()) +
                " means, but " + std::to_string(stddev.size()) + " deviations"};
  if (mean.hasNaN() || stddev.hasNaN() || std::isnan(best))
    return {ErrorCode::InvalidArgument,
            "expected improvement: an input is not a number"};
  if (stddev.size() > 0 && stddev.minCoeff() < 0)
    return {ErrorCode::InvalidArgument,
            "expected improvement: a deviation is negative"};
  return {};
}

Result<VectorXd> search::logExpectedImprovement(const VectorXd &mean,
                                                const VectorXd &stddev,
                                                double best) {
  if (Result<void> checked = check(mean, stddev, best); !checked)
    return checked.error();
  VectorXd score(mean.size());
  for (Eigen::Index i = 0; i < mean.size(); ++i) {
    double gain = best - mean[i], z = gain / stddev[i];
    score[i] = std::isfinite(z) ? std::log(stddev[i]) + logNormalImprovement(z)
                                : std::log(std::max(gain, 0.0));
  }
  return score;
}
