//===- ObjectiveOrder.cpp - The order of several costs --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/ObjectiveOrder.h"

#include "baco/Expression/Value.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

using namespace baco;
using namespace baco::search;

ObjectiveOrder::~ObjectiveOrder() = default;

bool search::dominates(const Costs &a, const Costs &b) {
  assert(a.size() == b.size() && "costs of one search");
  bool isBetter = false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i])
      return false;
    isBetter |= a[i] < b[i];
  }
  return isBetter;
}

std::vector<size_t> search::paretoFront(const std::vector<Costs> &costs) {
  std::vector<size_t> indices;
  for (size_t i = 0; i < costs.size(); ++i)
    if (std::none_of(costs.begin(), costs.end(), [&](const Costs &other) {
          return dominates(other, costs[i]);
        }))
      indices.push_back(i);
  return indices;
}

/// Objective i of all trials.
static std::vector<double> objective(const std::vector<Costs> &costs,
                                     size_t i) {
  std::vector<double> values;
  for (const Costs &each : costs)
    values.push_back(each[i]);
  return values;
}

//===----------------------------------------------------------------------===//
// Pareto
//===----------------------------------------------------------------------===//

/// Scales values to [0, 1], in the logarithm if all are positive; to 0 if all
/// are equal.
static void scaleToRange(std::vector<double> &values) {
  auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (*least > 0)
    for (double &value : values)
      value = std::log(value);
  // Halves, so that the difference of huge values doesn't overflow.
  double low = *least / 2, range = *most / 2 - low;
  for (double &value : values)
    value = range > 0 ? (value / 2 - low) / range : 0;
}

/// Uniform over the weights >= 0 with sum 1.
static std::vector<double> flatDirichlet(size_t number, Random &random) {
  std::vector<double> weights(number);
  for (double &weight : weights)
    weight = -std::log1p(-random.uniform());
  double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double &weight : weights)
    weight = sum > 0 ? weight / sum : 1 / double(number);
  return weights;
}

namespace {

class ParetoOrder : public ObjectiveOrder {
public:
  Result<std::vector<double>> scalarize(const std::vector<Costs> &costs,
                                        Random &random) const override {
    constexpr double rho = 0.05;
    size_t numObjectives = costs.empty() ? 0 : costs[0].size();
    std::vector<double> weights = flatDirichlet(numObjectives, random);
    std::vector<double> largest(costs.size()), sum(costs.size());
    for (size_t i = 0; i < numObjectives; ++i) {
      std::vector<double> values = objective(costs, i);
      scaleToRange(values);
      for (size_t k = 0; k < costs.size(); ++k) {
        double weighted = weights[i] * values[k];
        largest[k] = std::max(largest[k], weighted);
        sum[k] += weighted;
      }
    }
    // Positive, so that a technique's own logarithm leaves it nearly as it is.
    for (size_t k = 0; k < costs.size(); ++k)
      largest[k] += 1 + rho * sum[k];
    return largest;
  }

  std::vector<size_t> best(const std::vector<Costs> &costs) const override {
    return paretoFront(costs);
  }
};

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

class WeightedOrder : public ObjectiveOrder {
public:
  explicit WeightedOrder(std::vector<double> weights)
      : weights(std::move(weights)) {}

  Result<std::vector<double>> scalarize(const std::vector<Costs> &costs,
                                        Random &) const override {
    std::vector<double> sums(costs.size());
    if (costs.empty())
      return sums;
    if (Result<void> valid = checkWeights(costs[0].size()); !valid)
      return valid.error();
    for (size_t i = 0; i < weights.size(); ++i) {
      std::vector<double> values = objective(costs, i);
      double least = *std::min_element(values.begin(), values.end());
      if (!(least > 0))
        return Error{ErrorCode::InvalidArgument,
                     "weighted objectives must be positive, but objective " +
                         std::to_string(i) + " is " + toString(least)};
      // Huge ratios must not become infinite.
      constexpr double most = 1e300;
      for (size_t k = 0; k < costs.size(); ++k)
        if (weights[i] > 0)
          sums[k] = std::min(
              most, sums[k] + weights[i] * std::min(most, values[k] / least));
    }
    return sums;
  }

  std::vector<size_t> best(const std::vector<Costs> &costs) const override {
    Random unused(0);
    Result<std::vector<double>> sums = scalarize(costs, unused);
    std::vector<size_t> indices;
    if (!sums || sums->empty())
      return indices;
    double least = *std::min_element(sums->begin(), sums->end());
    for (size_t k = 0; k < sums->size(); ++k)
      if ((*sums)[k] == least)
        indices.push_back(k);
    return indices;
  }

private:
  Result<void> checkWeights(size_t numObjectives) const {
    if (weights.size() != numObjectives)
      return {ErrorCode::InvalidArgument,
              "there are " + std::to_string(weights.size()) + " weights for " +
                  std::to_string(numObjectives) + " objectives"};
    for (double weight : weights)
      if (!(weight >= 0 && std::isfinite(weight)))
        return {ErrorCode::InvalidArgument,
                "the weight of an objective must be finite and not negative, "
                "but one is " +
                    toString(weight)};
    double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (!(total > 0 && std::isfinite(total)))
      return {ErrorCode::InvalidArgument,
              "the sum of weights must be positive and finite"};
    return {};
  }

  const std::vector<double> weights;
};

//===----------------------------------------------------------------------===//
// Total orders
//===----------------------------------------------------------------------===//

/// Techniques see the rank, from 1; equals share it.
class CustomOrder : public ObjectiveOrder {
public:
  explicit CustomOrder(IsBetter isBetter) : isBetter(std::move(isBetter)) {}

  Result<std::vector<double>> scalarize(const std::vector<Costs> &costs,
                                        Random &) const override {
    std::vector<size_t> order(costs.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return isBetter(costs[a], costs[b]); });
    std::vector<double> ranks(costs.size());
    double rank = 1;
    for (size_t k = 0; k < order.size(); ++k) {
      if (k > 0 && isBetter(costs[order[k - 1]], costs[order[k]]))
        ++rank;
      ranks[order[k]] = rank;
    }
    return ranks;
  }

  std::vector<size_t> best(const std::vector<Costs> &costs) const override {
    auto least = std::min_element(costs.begin(), costs.end(), isBetter);
    std::vector<size_t> indices;
    for (size_t i = 0; i < costs.size(); ++i)
      if (!isBetter(*least, costs[i]))
        indices.push_back(i);
    return indices;
  }

private:
  const IsBetter isBetter;
};

} // namespace

ObjectiveOrderPtr search::paretoOrder() {
  return std::make_shared<ParetoOrder>();
}

ObjectiveOrderPtr search::weightedOrder(std::vector<double> weights) {
  return std::make_shared<WeightedOrder>(std::move(weights));
}

ObjectiveOrderPtr search::lexicographicOrder() {
  // std::less on vectors is lexicographic.
  return customOrder(std::less<Costs>());
}

ObjectiveOrderPtr search::customOrder(IsBetter isBetter) {
  return std::make_shared<CustomOrder>(std::move(isBetter));
}
