//===- ImportanceTest.cpp - Tests of importance ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Importance.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace baco;
using namespace baco::search;

/// All configurations of a grid, and a function of them.
struct Grid {
  template <typename Function>
  Grid(std::vector<uint32_t> extents, Function function)
      : labels(extents.size()) {
    size_t total = 1;
    for (uint32_t extent : extents)
      total *= extent;
    for (size_t i = 0; i < total; ++i) {
      std::vector<double> x;
      size_t rest = i;
      for (size_t p = 0; p < extents.size(); ++p) {
        labels[p].push_back(rest % extents[p]);
        x.push_back(static_cast<double>(rest % extents[p]));
        rest /= extents[p];
      }
      values.push_back(function(x));
    }
  }

  std::vector<std::vector<uint32_t>> labels;
  std::vector<double> values;
};

TEST(ImportanceTest, SumsHaveNoInteractions) {
  // The variance of 0 ... n - 1 is (n^2 - 1) / 12.
  Grid grid({4, 7, 3}, [](const auto &x) { return 3 * x[0] + x[1]; });
  VarianceShares shares = decomposeVariance(grid.labels, grid.values, false);
  double first = 9 * 15 / 12.0, second = 48 / 12.0, all = first + second;
  EXPECT_NEAR(shares.variance, all, 1e-12);
  EXPECT_NEAR(shares.single[0], first / all, 1e-12);
  EXPECT_NEAR(shares.single[1], second / all, 1e-12);
  EXPECT_NEAR(shares.single[2], 0, 1e-12);
  for (const auto &pair : shares.pairs)
    EXPECT_NEAR(pair.share, 0, 1e-12);
}

TEST(ImportanceTest, CenteredProductsAreInteractions) {
  Grid grid({5, 3}, [](const auto &x) { return (x[0] - 2) * (x[1] - 1); });
  VarianceShares shares = decomposeVariance(grid.labels, grid.values, false);
  EXPECT_NEAR(shares.single[0], 0, 1e-12);
  EXPECT_NEAR(shares.single[1], 0, 1e-12);
  ASSERT_EQ(shares.pairs.size(), 1u);
  EXPECT_NEAR(shares.pairs[0].share, 1, 1e-12);
}

/// Ishigami's function, whose Sobol indices are known, on a sample.
TEST(ImportanceTest, SamplesEstimateSobolIndices) {
  constexpr double pi = 3.14159265358979323846, a = 7, b = 0.1;
  constexpr uint32_t numBins = 64;
  Random random(5);
  std::vector<std::vector<uint32_t>> labels(3);
  std::vector<double> values;
  for (int i = 0; i < 200000; ++i) {
    double x[3];
    for (int p = 0; p < 3; ++p) {
      auto bin = static_cast<uint32_t>(random.below(numBins));
      labels[p].push_back(bin);
      x[p] = pi * (2 * (bin + 0.5) / numBins - 1);
    }
    values.push_back(std::sin(x[0]) + a * std::sin(x[1]) * std::sin(x[1]) +
                     b * std::pow(x[2], 4) * std::sin(x[0]));
  }
  VarianceShares shares = decomposeVariance(labels, values, true);
  double first = 0.5 * std::pow(1 + b * std::pow(pi, 4) / 5, 2),
         second = a * a / 8, pair = 8 * b * b * std::pow(pi, 8) / 225,
         all = first + second + pair;
  EXPECT_NEAR(shares.single[0], first / all, 0.01);
  EXPECT_NEAR(shares.single[1], second / all, 0.01);
  EXPECT_NEAR(shares.single[2], 0, 0.01);
  // (0, 1), (0, 2), (1, 2)
  EXPECT_NEAR(shares.pairs[0].share, 0, 0.01);
  EXPECT_NEAR(shares.pairs[1].share, pair / all, 0.01);
  EXPECT_NEAR(shares.pairs[2].share, 0, 0.01);
}

TEST(ImportanceTest, NoiseExplainsNothing) {
  Random random(3);
  std::vector<std::vector<uint32_t>> labels(2);
  std::vector<double> values;
  for (int i = 0; i < 3000; ++i) {
    labels[0].push_back(static_cast<uint32_t>(random.below(30)));
    labels[1].push_back(static_cast<uint32_t>(random.below(30)));
    values.push_back(random.uniform());
  }
  VarianceShares shares = decomposeVariance(labels, values, true);
  EXPECT_LT(shares.single[0], 0.02);
  EXPECT_LT(std::abs(shares.pairs[0].share), 0.06);
  // Without the correction a third of it would be explained by 900 groups.
  EXPECT_GT(decomposeVariance(labels, values, false).pairs[0].share, 0.2);
}

TEST(ImportanceTest, ForestsFindWhatMatters) {
  Space space = *Space::create({*Parameter::integer("x", 0, 15),
                                *Parameter::categorical("c", {"a", "b", "c"}),
                                *Parameter::integer("nothing", 0, 15)},
                               {});
  Random random(1);
  std::vector<Point> points;
  std::vector<double> objective;
  for (int i = 0; i < 150; ++i) {
    points.push_back(space.sample(random));
    objective.push_back(std::exp(0.2 * points.back()[0] + points.back()[1]));
  }
  Result<Importance> found = findImportance(space, points, objective);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_TRUE(found->isLog);
  EXPECT_GT(found->explained, 0.9);
  // 0.04 * 255 / 12 : 8 / 12
  double x = 0.04 * 255 / 12, c = 8 / 12.0;
  EXPECT_NEAR(found->shares.single[0], x / (x + c), 0.05);
  EXPECT_NEAR(found->shares.single[1], c / (x + c), 0.05);
  EXPECT_LT(found->shares.single[2], 0.02);
  // The same for the same seed.
  EXPECT_EQ(findImportance(space, points, objective)->shares.single,
            found->shares.single);
}

TEST(ImportanceTest, MistakesAreTold) {
  Space space = *Space::create({*Parameter::integer("x", 0, 15)});
  std::vector<Point> points(12, Point{1});
  EXPECT_EQ(findImportance(space, {{1}}, {1}).error().message,
            "there are 1 trials that work, and a model needs 10");
  EXPECT_EQ(findImportance(space, points, std::vector<double>(12, 2.0))
                .error()
                .message,
            "all trials that work have the same result");
}
