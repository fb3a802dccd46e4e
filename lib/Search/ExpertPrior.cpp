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

/// How many outcomes the expert's word is worth: the authors' choice.
static constexpr double beta = 10;

/// No value is ruled out by a weight of 0.
static constexpr double leastWeight = 1e-6;

ExpertPrior::ExpertPrior(const Space &space) : space(&space) {
  for (size_t p = 0; p < space.parameters().size(); ++p) {
    const std::vector<double> &weights = space.parameters()[p].weights;
    if (weights.empty())
      continue;
    double largest = *std::max_element(weights.begin(), weights.end());
    std::vector<double> logs;
    for (double weight : weights)
      logs.push_back(std::log(std::max(weight / largest, leastWeight)));
    logWeights.emplace_back(p, std::move(logs));
  }
}

double ExpertPrior::logFactor(const Point &point, size_t numTrials) const {
  double sum = 0;
  for (const auto &[p, logs] : logWeights)
    sum += logs[*space->parameters()[p].index(point[p])];
  return beta / static_cast<double>(numTrials) * sum;
}
