//===- ObjectiveOrderTest.cpp - Tests of orders of several costs
//------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/ObjectiveOrder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

using namespace baco;
using namespace baco::search;

static std::vector<double> scalars(const ObjectiveOrderPtr &order,
                                   const std::vector<Costs> &costs,
                                   uint64_t seed = 1) {
  Random random(seed);
  Result<std::vector<double>> result = order->scalarize(costs, random);
  if (!result)
    ADD_FAILURE() << result.error().message;
  return result ? *result : std::vector<double>();
}

static std::string orderError(const ObjectiveOrderPtr &order,
                              const std::vector<Costs> &costs) {
  Random random(1);
  Result<std::vector<double>> result = order->scalarize(costs, random);
  return result ? "no error" : result.error().message;
}

TEST(ObjectiveOrderTest, Dominates) {
  EXPECT_TRUE(dominates({1, 2}, {1, 3}));
  EXPECT_TRUE(dominates({0, 0}, {1, 1}));
  EXPECT_FALSE(dominates({1, 2}, {1, 2}));
  EXPECT_FALSE(dominates({1, 3}, {2, 2}));
  EXPECT_FALSE(dominates({2, 2}, {1, 3}));
}

TEST(ObjectiveOrderTest, ParetoFront) {
  EXPECT_EQ(paretoFront({}), std::vector<size_t>());
  EXPECT_EQ(paretoFront({{3, 1}, {2, 2}, {3, 3}, {1, 3}, {2, 2}, {2, 3}}),
            (std::vector<size_t>{0, 1, 3, 4}));
  EXPECT_EQ(paretoFront({{1, 1, 2}, {1, 2, 1}, {2, 1, 1}, {2, 2, 2}}),
            (std::vector<size_t>{0, 1, 2}));
}

TEST(ObjectiveOrderTest, ParetoFindsConcaveParts) {
  // The middle one is above the line between the others: no weighted sum is
  // least there.
  const std::vector<Costs> costs = {{-1, 1}, {0.2, 0.2}, {1, -1}, {1, 1}};
  std::set<size_t> least;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    std::vector<double> values = scalars(paretoOrder(), costs, seed);
    for (double value : values)
      EXPECT_GT(value, 0);
    least.insert(size_t(std::min_element(values.begin(), values.end()) -
                        values.begin()));
  }
  EXPECT_EQ(least, (std::set<size_t>{0, 1, 2}));
}

TEST(ObjectiveOrderTest, ParetoAgreesWithDominance) {
  Random random(7);
  std::vector<Costs> costs;
  for (int k = 0; k < 40; ++k)
    costs.push_back({random.uniform(), random.uniform(), random.uniform()});
  std::vector<double> values = scalars(paretoOrder(), costs);
  for (size_t a = 0; a < costs.size(); ++a)
    for (size_t b = 0; b < costs.size(); ++b)
      if (dominates(costs[a], costs[b]))
        EXPECT_LT(values[a], values[b]);
}

/// The mean of flat Dirichlet weights is 1/2, and they are uniform: the
/// standard error of 1000 draws is sqrt(1 / 12 / 1000) = 0.009.
TEST(ObjectiveOrderTest, ParetoWeightsAreUniform) {
  double sum = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    // (1, 0) has 1 + w + 0.05 w.
    std::vector<double> values = scalars(paretoOrder(), {{1, 0}, {0, 1}}, seed);
    double w = (values[0] - 1) / 1.05;
    EXPECT_NEAR(values[1], 1 + 1.05 * (1 - w), 1e-12);
    sum += w;
  }
  EXPECT_NEAR(sum / 1000, 0.5, 0.04);
}

TEST(ObjectiveOrderTest, ParetoOfOneAndOfHugeCosts) {
  EXPECT_EQ(scalars(paretoOrder(), {{5, 7}}), std::vector<double>{1});
  EXPECT_EQ(scalars(paretoOrder(), {}), std::vector<double>());
  for (double value : scalars(paretoOrder(), {{-1e308, 1}, {1e308, 1e-300}}))
    EXPECT_TRUE(std::isfinite(value));
}

TEST(ObjectiveOrderTest, WeightedSumsOfRatios) {
  ObjectiveOrderPtr order = weightedOrder({2, 1});
  const std::vector<Costs> costs = {{1, 40}, {2, 10}, {1, 20}, {4, 10}};
  // 2 * time + energy / 10.
  EXPECT_EQ(scalars(order, costs), (std::vector<double>{6, 5, 4, 9}));
  EXPECT_EQ(order->best(costs), std::vector<size_t>{2});
  EXPECT_EQ(order->best({}), std::vector<size_t>());
  EXPECT_EQ(orderError(order, {{1, 0}}),
            "weighted objectives must be positive, but objective 1 is 0.0");
  EXPECT_EQ(orderError(order, {{1, 2, 3}}),
            "there are 2 weights for 3 objectives");
  EXPECT_EQ(orderError(weightedOrder({1, -1}), {{1, 2}}),
            "the weight of an objective must be finite and not negative, but "
            "one is -1.0");
}

TEST(ObjectiveOrderTest, LexicographicRanks) {
  ObjectiveOrderPtr order = lexicographicOrder();
  const std::vector<Costs> costs = {{2, 1}, {1, 9}, {1, 3}, {2, 1}, {3, 0}};
  EXPECT_EQ(scalars(order, costs), (std::vector<double>{3, 2, 1, 3, 4}));
  EXPECT_EQ(order->best(costs), std::vector<size_t>{2});
}

TEST(ObjectiveOrderTest, UsersOwnOrder) {
  // Time counts in whole milliseconds only, then energy.
  ObjectiveOrderPtr order = customOrder([](const Costs &a, const Costs &b) {
    double timeA = std::floor(a[0]), timeB = std::floor(b[0]);
    return timeA != timeB ? timeA < timeB : a[1] < b[1];
  });
  const std::vector<Costs> costs = {{1.1, 5}, {1.9, 4}, {2, 1}, {1.5, 4}};
  EXPECT_EQ(scalars(order, costs), (std::vector<double>{2, 1, 3, 1}));
  EXPECT_EQ(order->best(costs), (std::vector<size_t>{1, 3}));
}
