//===- ExpertPrior.cpp - An expert's beliefs ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/ExpertPrior.h"

#include <algorithm>
#include <cmath>

using namespace baco;
using namespace baco::search;

/// The weight of the prior as a number of outcomes: the authors' choice.
static constexpr double beta = 10;

/// No value is ruled out by a weight of 0.
static constexpr double minWeight = 1e-6;

ExpertPrior::ExpertPrior(const Space &space) : space(&space) {
  for (size_t p = 0; p < space.parameters().size(); ++p) {
    const std::vector<double> &weights = space.parameters()[p].weights;
    if (weights.empty())
      continue;
    double largest = *std::max_element(weights.begin(), weights.end());
    std::vector<double> shares;
    for (double weight : weights)
      shares.push_back(weight / largest);
    relative.emplace_back(p, std::move(shares));
  }
}

/// The weight of a real.
static double interpolate(const Parameter &parameter,
                          const std::vector<double> &weights, double value) {
  double range = parameter.upper() - parameter.lower();
  double last = static_cast<double>(weights.size() - 1);
  double at = range > 0 ? std::clamp((value - parameter.lower()) / range * last,
                                     0.0, last)
                        : 0;
  size_t left = static_cast<size_t>(at);
  size_t right = std::min(left + 1, weights.size() - 1);
  double share = at - static_cast<double>(left);
  return (1 - share) * weights[left] + share * weights[right];
}

double ExpertPrior::logFactor(const Point &point, size_t numTrials) const {
  double sum = 0;
  for (const auto &[p, weights] : relative) {
    const Parameter &parameter = space->parameters()[p];
    double weight = parameter.kind() == ParameterKind::Real
                        ? interpolate(parameter, weights, point[p])
                        : weights[*parameter.index(point[p])];
    sum += std::log(std::max(weight, minWeight));
  }
  return beta / static_cast<double>(numTrials) * sum;
}

std::optional<Point> ExpertPrior::favorite() const {
  if (isEmpty())
    return std::nullopt;
  Configuration wanted = space->toConfiguration(space->defaultPoint());
  for (const auto &[p, weights] : relative) {
    const Parameter &parameter = space->parameters()[p];
    auto heaviest = std::max_element(weights.begin(), weights.end());
    auto index = static_cast<uint64_t>(heaviest - weights.begin());
    if (parameter.kind() != ParameterKind::Real) {
      wanted[p] = parameter.value(index);
      continue;
    }
    double share = weights.size() > 1
                       ? static_cast<double>(index) /
                             static_cast<double>(weights.size() - 1)
                       : 0;
    wanted[p] =
        parameter.lower() + share * (parameter.upper() - parameter.lower());
  }
  Result<Point> point = space->toPoint(wanted);
  if (!point)
    return std::nullopt;
  return space->nearest(*point);
}
