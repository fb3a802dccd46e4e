//===- LimitModel.cpp - Whether a point keeps its limits ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shares are modeled by their logs, as factors of sizes multiply them. A limit
// that no trial has exceeded has no process: it would cost time, and say that
// all is well.
//
//===----------------------------------------------------------------------===//

#include "baco/Search/LimitModel.h"

#include <charconv>
#include <cmath>
#include <numbers>

using namespace baco;
using namespace baco::search;
using Eigen::ArrayXd;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Shares below this are as good as none.
static constexpr double minShare = 1e-3;

/// The variance, as a share of that of all trials, that is left where a process
/// is sure.
static constexpr double minVariance = 1e-8;

LimitModel::LimitModel(FeatureLayout layout, ProcessFitOptions options)
    : layout(std::move(layout)), options(options) {}

void LimitModel::update(const MatrixXd &x, const MatrixXd &usage,
                        const MatrixXd &pending, Index numObservations,
                        Random &random) {
  for (Index k = 0; k < usage.cols(); ++k)
    if ((usage.col(k).array() > 1).any())
      limits.try_emplace(k, Limit{FittedProcess(layout, options)});
  for (auto &[k, limit] : limits) {
    VectorXd y = usage.col(k).array().max(minShare).log();
    double mean = y.mean();
    y.array() -= mean;
    double deviation = std::sqrt(y.squaredNorm() / double(y.size()));
    // All trials need the same.
    if (!(deviation > 0))
      deviation = 1;
    limit.border = -mean / deviation;
    limit.process.update(x, y / deviation, pending, numObservations, random);
  }
}

size_t LimitModel::numProcesses() const {
  size_t number = 0;
  for (const auto &[k, limit] : limits)
    number += limit.process.processes().size();
  return number;
}

VectorXd LimitModel::logProbability(const MatrixXd &x) const {
  ArrayXd sum = ArrayXd::Zero(x.cols());
  for (const auto &[k, limit] : limits) {
    ArrayXd probability = ArrayXd::Zero(x.cols());
    for (const GaussianProcess &process : limit.process.processes()) {
      Prediction prediction = process.predict(x);
      for (Index i = 0; i < x.cols(); ++i) {
        double deviation = std::sqrt(prediction.variance[i] + minVariance);
        double z = (limit.border - prediction.mean[i]) / deviation;
        probability[i] += std::erfc(-z / std::numbers::sqrt2) / 2;
      }
    }
    probability /= double(limit.process.processes().size());
    sum += probability.max(std::numeric_limits<double>::min()).log();
  }
  return sum;
}

std::string LimitModel::state() const {
  std::string text;
  for (const auto &[k, limit] : limits)
    text += (text.empty() ? "" : "|") + std::to_string(k) + " " +
            limit.process.state();
  return text;
}

Result<void> LimitModel::takeUp(const std::string &state) {
  for (size_t begin = 0; begin < state.size();) {
    size_t end = std::min(state.find('|', begin), state.size());
    Index k = -1;
    auto [rest, error] =
        std::from_chars(state.data() + begin, state.data() + end, k);
    bool isNumber = error == std::errc() && k >= 0 &&
                    rest < state.data() + end && *rest == ' ';
    if (!isNumber)
      return {ErrorCode::InvalidArgument,
              "'" + state +
                  "' isn't a state of this search (does it belong to another "
                  "space or version?)"};
    auto place = limits.try_emplace(k, Limit{FittedProcess(layout, options)});
    std::string one(rest + 1, state.data() + end);
    if (Result<void> taken = place.first->second.process.takeUp(one); !taken)
      return taken;
    begin = end + 1;
  }
  return {};
}
