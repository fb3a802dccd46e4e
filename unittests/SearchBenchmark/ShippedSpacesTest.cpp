//===- ShippedSpacesTest.cpp - Tests on measured spaces -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The recorded spaces of the project can be read, and the search is good on
// them.
//
//===----------------------------------------------------------------------===//

#include "Scores.h"

#include "Experiments.h"

#include <algorithm>
#include <cmath>

using namespace baco;
using namespace baco::bench;

static std::vector<BenchmarkSpace> shippedSpaces() {
  Result<std::vector<BenchmarkSpace>> spaces =
      readSpaces(BACO_BENCHMARK_SPACES);
  EXPECT_TRUE(spaces) << spaces.error().message;
  return *spaces;
}

TEST(ShippedSpacesTest, AreComplete) {
  std::vector<BenchmarkSpace> spaces = shippedSpaces();
  ASSERT_EQ(spaces.size(), 2u);
  EXPECT_EQ(spaces[0].name(), "stencil");
  // Tiles of 1, 2 and 4 or more rows: 1 + 2 + 4 * 3 pairs with `rows`.
  EXPECT_EQ(spaces[0].space().count(), std::to_string(8 * 15 * 4 * 2 * 2));
  EXPECT_LT(spaces[0].numValid(), 1920u);
  EXPECT_EQ(spaces[1].name(), "triangular_contraction");
  // Half of the 24 orders; unrolling by 1, 2, 4 and 8 goes with 4, 4, 4 and 3
  // of tile_i, and with 4 of tile_j, or with 4, 3, 2 and 1 if there are
  // vectors.
  EXPECT_EQ(spaces[1].space().count(),
            std::to_string(
                12 * (4 * (4 + 4) + 4 * (4 + 3) + 4 * (4 + 2) + 3 * (4 + 1))));
  EXPECT_EQ(spaces[1].numValid(), 1188u);
}

/// The expected log of the ratio after `draws` uniform draws without
/// repetition, from all times: the least one of the draws is the i-th best with
/// probability C(n - 1 - i, draws - 1) / C(n, draws).
static double expectedLogRatio(const BenchmarkSpace &space, size_t draws) {
  std::vector<double> times;
  for (uint64_t k = 0; k < *space.space().countIfSmall(); ++k)
    times.push_back(space.time(space.space().at(k)).value_or(space.worst()));
  std::sort(times.begin(), times.end());
  double n = double(times.size()), probability = double(draws) / n, sum = 0;
  for (size_t i = 0; i + draws <= times.size(); ++i) {
    sum += probability * std::log(times[i] / space.best());
    probability *= (n - double(i + draws)) / (n - 1 - double(i));
  }
  return sum;
}

TEST(ShippedSpacesTest, RandomSearchIsAsGoodAsExpected) {
  Experiment experiment;
  experiment.options.budget = 20;
  experiment.options.numSeeds = 1200;
  experiment.spaces = shippedSpaces();
  experiment.techniques = {findTechnique("random")};
  ASSERT_TRUE(runAll(experiment));
  double expected = 0;
  for (const BenchmarkSpace &space : experiment.spaces)
    expected += expectedLogRatio(space, 20) / 2;
  Score score = ratioScore(experiment, 0, 20);
  EXPECT_NEAR(score.mean, std::exp(expected), 3 * score.standardError);
  EXPECT_LT(score.standardError, 0.02);
}

TEST(ShippedSpacesTest, BacoIsNearTheOptimumAfter40Evaluations) {
  Experiment experiment;
  experiment.options.budget = 40;
  experiment.options.numSeeds = 2;
  experiment.spaces = shippedSpaces();
  experiment.techniques = {findTechnique("baco"), findTechnique("random")};
  ASSERT_TRUE(runAll(experiment));
  double ours = ratioScore(experiment, 0, 40).mean;
  EXPECT_LT(ours, 1.1);
  EXPECT_LT(ours, ratioScore(experiment, 1, 40).mean);
}

TEST(ShippedSpacesTest, EightInFlightAreNearlyAsGoodAsOne) {
  Experiment experiment;
  experiment.options.budget = 40;
  experiment.options.numSeeds = 2;
  experiment.spaces = shippedSpaces();
  experiment.techniques = withPending({findTechnique("baco")}, {1, 8});
  ASSERT_TRUE(runAll(experiment));
  EXPECT_LT(relativeScore(experiment, 1, 0, {0, 1}, 40).mean, 1.05);
}
