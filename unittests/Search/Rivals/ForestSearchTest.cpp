//===- ForestSearchTest.cpp - Tests of random-forest optimization ---------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/ForestSearch.h"

#include "baco/Search/UniformSampler.h"

#include "TestSpaces.h"

using namespace baco;
using namespace baco::search;

/// The best objective of `budget` trials; failures where it is NaN.
template <typename Objective>
static double bestFound(Optimizer &optimizer, Objective objective, int budget,
                        int *failures = nullptr) {
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < budget; ++k) {
    auto suggestion = get(optimizer.ask());
    if (!suggestion)
      break;
    double value = objective(suggestion->configuration);
    EXPECT_TRUE(optimizer.tell(k, {value, !std::isnan(value)}));
    if (value < best)
      best = value;
    if (failures && std::isnan(value))
      ++*failures;
  }
  return best;
}

TEST(ForestSearchTest, BeatsRandomSearch) {
  Space space = gridSpace({"x", "y"}, 20);
  auto bowl = [](const Configuration &c) {
    auto x = double(std::get<int64_t>(c[0]));
    auto y = double(std::get<int64_t>(c[1]));
    return 1 + std::abs(x - 14) + std::abs(y - 6);
  };
  int wins = 0;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    ForestSearch forest(space, seed);
    UniformSampler sampler(space, seed);
    wins += bestFound(forest, bowl, 40) < bestFound(sampler, bowl, 40);
  }
  EXPECT_GE(wins, 3);
}

/// Failures look bad, so that most later trials are elsewhere: uniform ones
/// would fail in half of the 60, with a deviation of 4.
TEST(ForestSearchTest, FailuresAreHigh) {
  auto half = [](const Configuration &c) {
    auto x = double(std::get<int64_t>(c[0]));
    return x < 10 ? std::nan("") : 40 - x;
  };
  ForestSearch forest(gridSpace({"x", "y"}, 20), 1);
  int failures = 0;
  bestFound(forest, half, 60, &failures);
  EXPECT_LT(failures, 20);
}

/// Where all fail there is nothing to model.
TEST(ForestSearchTest, AllFail) {
  ForestSearch forest(gridSpace({"x", "y"}, 5), 1);
  int failures = 0;
  bestFound(
      forest, [](const Configuration &) { return std::nan(""); }, 100,
      &failures);
  EXPECT_EQ(failures, 25);
}
