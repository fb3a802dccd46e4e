//===- ExpertPriorTest.cpp - An expert's beliefs --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/ExpertPrior.h"
#include "baco/Search/BayesianOptimizer.h"

#include <cmath>

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::search;

static Space weighted(std::vector<double> weights) {
  std::vector<ParameterValue> values;
  for (int64_t i = 0; i < 32; ++i)
    values.emplace_back(i + 1);
  Parameter x = *Parameter::ordinal("x", values);
  x.weights = std::move(weights);
  Result<Space> space = Space::create({x, *Parameter::integer("y", 0, 31)});
  EXPECT_TRUE(space) << space.error().message;
  return *space;
}

/// 1 everywhere but 100 at the values 21 to 24 of x.
static std::vector<double> beliefs() {
  std::vector<double> weights(32, 1);
  for (int i = 20; i < 24; ++i)
    weights[i] = 100;
  return weights;
}

TEST(ExpertPriorTest, FadesWithTheNumberOfTrials) {
  std::vector<double> weights(32, 2);
  weights[3] = 1;
  weights[4] = 0;
  Space space = weighted(weights);
  ExpertPrior prior(space);
  EXPECT_FALSE(prior.isEmpty());
  EXPECT_EQ(prior.logFactor({0, 7}, 1), 0);
  EXPECT_DOUBLE_EQ(prior.logFactor({3, 7}, 1), 10 * std::log(0.5));
  EXPECT_DOUBLE_EQ(prior.logFactor({3, 0}, 100), 0.1 * std::log(0.5));
  EXPECT_DOUBLE_EQ(prior.logFactor({4, 0}, 10), std::log(1e-6));
  EXPECT_TRUE(ExpertPrior(weighted({})).isEmpty());
}

TEST(ExpertPriorTest, InterpolatesOverReals) {
  Parameter x = *Parameter::real("x", 1, 5, /*log=*/true);
  x.weights = {1, 4, 0};
  Space space = *Space::create({x});
  ExpertPrior prior(space);
  EXPECT_DOUBLE_EQ(prior.logFactor({1}, 10), std::log(0.25));
  EXPECT_DOUBLE_EQ(prior.logFactor({2}, 10), std::log(0.625));
  EXPECT_DOUBLE_EQ(prior.logFactor({3}, 10), 0);
  EXPECT_DOUBLE_EQ(prior.logFactor({4}, 10), std::log(0.5));
  EXPECT_DOUBLE_EQ(prior.logFactor({5}, 10), std::log(1e-6));
}

TEST(ExpertPriorTest, FavorsTheHeaviestValuesBesideTheDefault) {
  std::vector<double> weights(32, 1);
  weights[20] = weights[21] = 5;
  EXPECT_FALSE(ExpertPrior(weighted({})).favorite());
  Space space = weighted(weights);
  Configuration first = space.toConfiguration(space.defaultPoint());
  std::optional<Point> favorite = ExpertPrior(space).favorite();
  ASSERT_TRUE(favorite);
  EXPECT_EQ(space.toConfiguration(*favorite),
            (Configuration{int64_t(21), first[1]}));
  Parameter x = *Parameter::real("x", 1, 5, /*log=*/true);
  x.weights = {1, 4, 0};
  Space real = *Space::create({x});
  EXPECT_EQ(ExpertPrior(real).favorite(), Point{3});
}

TEST(ExpertPriorTest, FavoriteComesAfterTheDefault) {
  Space space = weighted(beliefs());
  BayesianOptimizer optimizer(space, {});
  Suggestion first = **optimizer.ask();
  EXPECT_EQ(first.configuration, space.toConfiguration(space.defaultPoint()));
  EXPECT_EQ((**optimizer.ask()).configuration,
            (Configuration{int64_t(21), first.configuration[1]}));
}

/// How many of the trials 6 to 25 have x in 21 to 24, where nothing else says
/// that x matters.
static int numBelieved(const Space &space, uint64_t seed) {
  BayesianOptions options;
  options.seed = seed;
  options.initialDesign = 5;
  BayesianOptimizer optimizer(space, options);
  int believed = 0;
  for (int i = 0; i < 25; ++i) {
    Suggestion s = **optimizer.ask();
    int64_t x = std::get<int64_t>(s.configuration[0]);
    int64_t y = std::get<int64_t>(s.configuration[1]);
    believed += i >= 5 && x >= 21 && x <= 24;
    EXPECT_TRUE(optimizer.tell(
        s.trial, {.objective = 10. + (y - 9.) * (y - 9.), .feasible = true}));
  }
  return believed;
}

TEST(ExpertPriorTest, DrawsTheSearchToWhereTheExpertPoints) {
  int with = 0, without = 0;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    with += numBelieved(weighted(beliefs()), seed);
    without += numBelieved(weighted({}), seed);
  }
  EXPECT_GT(with, 2 * without) << "of 100";
}

TEST(ExpertPriorTest, AWrongExpertIsOverruled) {
  int found = 0;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    BayesianOptions options;
    options.seed = seed;
    Space space = weighted(beliefs());
    BayesianOptimizer optimizer(space, options);
    double best = 1e9;
    for (int i = 0; i < 60; ++i) {
      Suggestion s = **optimizer.ask();
      double x = std::get<int64_t>(s.configuration[0]) - 4.;
      double y = std::get<int64_t>(s.configuration[1]) - 9.;
      double objective = 10 + x * x + y * y;
      best = std::min(best, objective);
      EXPECT_TRUE(
          optimizer.tell(s.trial, {.objective = objective, .feasible = true}));
    }
    found += best <= 11;
  }
  EXPECT_GE(found, 4);
}
