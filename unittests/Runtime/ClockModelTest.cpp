//===- ClockModelTest.cpp - Tests of following the clock ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The traces are simulated by std::mt19937_64, which the model doesn't know.
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/ClockModel.h"
#include "baco/Protocol/Samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace baco::runtime;

TEST(ClockModelTest, WithoutBlocksNothingIsCorrected) {
  ClockModel model;
  EXPECT_EQ(model.baseline(), 0);
  EXPECT_EQ(model.correct(110).factor, 1);
  model.setBaseline(100);
  EXPECT_EQ(model.correct(100).factor, 1);
  EXPECT_EQ(model.correct(100).error, 0);
  EXPECT_EQ(model.correct(121).factor, 1);
  EXPECT_NEAR(model.correct(121).error, 0.5 * std::log(1.21), 1e-12);
  EXPECT_EQ(model.ignore(121).factor, 1);
  EXPECT_NEAR(model.ignore(121).error, 0.5 * std::log(1.21), 1e-12);
}

TEST(ClockModelTest, IgnoresInvalidTimes) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  ClockModel model;
  model.setBaseline(100);
  for (double bad : {0.0, -1.0, nan, infinity}) {
    model.setBaseline(bad);
    model.addBlock(bad, 1);
    model.addBlock(1, bad);
    EXPECT_EQ(model.correct(bad).factor, 1);
    EXPECT_EQ(model.correct(bad).error, 0);
  }
  EXPECT_EQ(model.baseline(), 100);
  EXPECT_EQ(model.share(), 0.5);
}

/// The posterior of two blocks without errors, by hand: with x = +-d / 2 and
/// the noise that two blocks have at least, the precision is
/// 4 + (d^2 / 2) / noise^2.
TEST(ClockModelTest, TwoBlocksMatchTheClosedForm) {
  constexpr double noise = 0.005 * (1 + 3 / 2.0);
  for (double truth : {0.0, 1.0}) {
    ClockModel model;
    model.setBaseline(1000);
    double distance = std::log(1.05);
    model.addBlock(1000, 20);
    EXPECT_EQ(model.share(), 0.5);
    model.addBlock(1050, 20 * std::pow(1.05, truth));
    double data = distance * distance / 2 / (noise * noise);
    // Blocks are weighted by (3 + 1) / (3 + z^2), and fit by a line that the
    // prior tilts by z deviations: found by iteration, here by bisection.
    double low = 0, high = 1;
    for (int i = 0; i < 60; ++i) {
      double tilt = (low + high) / 2;
      double z = tilt * distance / 2 / noise;
      double weighted = data * 4 / (3 + z * z);
      // The gradient of the posterior vanishes.
      (weighted * tilt > 4 * (0.5 - tilt) ? high : low) = tilt;
    }
    double expected = truth == 0 ? low : 1 - low;
    EXPECT_NEAR(model.share(), expected, 1e-3) << truth;
  }
}

TEST(ClockModelTest, OneDisturbedBlockChangesLittle) {
  ClockModel model;
  model.setBaseline(1000);
  for (int i = 0; i < 10; ++i)
    model.addBlock(1000 * (1 + 0.007 * i), 20 * (1 + 0.007 * i));
  EXPECT_NEAR(model.share(), 1, 0.05);
  // Others were on the CPU.
  model.addBlock(1000, 40);
  EXPECT_NEAR(model.share(), 1, 0.05);
}

TEST(ClockModelTest, BlocksAreAskedForWhereTheyTell) {
  ClockModel model;
  model.setBaseline(1000);
  EXPECT_TRUE(model.wantsBlock(1000));
  model.addBlock(1000, 20);
  // Half of 0.8 % is less than half a percent.
  EXPECT_FALSE(model.wantsBlock(1008));
  int asked = 0;
  for (int trial = 0; trial < 100; ++trial)
    if (model.wantsBlock(1060)) {
      ++asked;
      model.addBlock(trial % 2 ? 1060 : 1000, trial % 2 ? 21.2 : 20);
    }
  EXPECT_GT(asked, 3);
  EXPECT_LT(asked, 20);
  EXPECT_FALSE(model.wantsBlock(1060));
  EXPECT_NEAR(model.correct(1060).factor, 1 / 1.06, 0.006);
}

TEST(ClockModelTest, NoiseMakesItAskForAFewTrialsInFour) {
  std::mt19937_64 random(1);
  std::cauchy_distribution<double> noise(0, 0.2);
  ClockModel model;
  model.setBaseline(1000);
  int asked = 0;
  for (int trial = 0; trial < 400; ++trial)
    if (model.wantsBlock(1060)) {
      ++asked;
      model.addBlock(trial % 2 ? 1000 : 1060, std::exp(noise(random)));
    }
  EXPECT_LE(asked, ClockModel::freeBlocks + 400 / ClockModel::trialsPerBlock);
}

namespace {
/// A search of `numTrials` trials of one configuration, so that their times
/// should be equal.
struct Search {
  /// Times as they were taken, and corrected.
  std::vector<double> raw, corrected;
  int numBlocks = 0;
  double share = 0;
};
} // namespace

/// The clock moves by up to `drift` between two levels and wanders a bit; the
/// kernel follows it by `share`; processes have their memory somewhere, and one
/// in twenty times is disturbed.
static Search simulate(double share, double drift, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  auto disturbance = [&] { return uniform(random) < 0.05 ? 0.1 : 0; };
  ClockModel model;
  Search search;
  double level = 0, wander = 0, yardstick = 0.01 * normal(random);
  model.setBaseline(10700);
  for (int trial = 0; trial < 60; ++trial) {
    if (uniform(random) < 0.15)
      level = level > 0 ? 0 : drift;
    wander = 0.9 * wander + 0.03 * drift * normal(random);
    double clock = level + wander;
    auto reference = [&] {
      return 10700 * std::exp(clock + 0.0005 * normal(random));
    };
    auto time = [&](double place, double noise) {
      return 1e6 * std::exp(share * clock + place + noise * normal(random) +
                            disturbance());
    };
    double referenceNs = reference();
    double timeNs = time(0.01 * normal(random), 0.003);
    if (model.wantsBlock(referenceNs)) {
      ++search.numBlocks;
      model.addBlock(reference(), time(yardstick, 0.003));
    }
    search.raw.push_back(timeNs);
    search.corrected.push_back(timeNs * model.correct(referenceNs).factor);
  }
  search.share = model.share();
  return search;
}

/// Half the distance of the 10th and the 90th percentile, as a share.
static double spread(const std::vector<double> &times) {
  return (quantile(times, 0.9) - quantile(times, 0.1)) / 2 / median(times);
}

TEST(ClockModelTest, CorrectedTimesSpreadLess) {
  for (double drift : {0.03, 0.067})
    for (uint64_t seed = 0; seed < 50; ++seed) {
      Search search = simulate(1, drift, seed);
      // More than the noise that is left moves it, too.
      constexpr double tolerance = 0.005;
      EXPECT_LE(spread(search.corrected), spread(search.raw) + tolerance)
          << drift << " " << seed;
      EXPECT_LE(search.numBlocks, 4 + 60 / 4) << seed;
    }
  // In the middle the drift is gone: what places make is left.
  std::vector<double> raw, corrected;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Search search = simulate(1, 0.067, seed);
    raw.push_back(spread(search.raw));
    corrected.push_back(spread(search.corrected));
  }
  EXPECT_GT(median(raw), 0.03);
  EXPECT_LT(median(corrected), 0.019);
}

TEST(ClockModelTest, TimesAreNeverMadeWorse) {
  for (double share : {0.0, 0.3, 0.7})
    for (double drift : {0.0, 0.01, 0.03, 0.067}) {
      std::vector<double> more;
      for (uint64_t seed = 0; seed < 50; ++seed) {
        Search search = simulate(share, drift, seed);
        more.push_back(spread(search.corrected) - spread(search.raw));
      }
      EXPECT_LT(median(more), 1e-4) << share << " " << drift;
      EXPECT_LT(quantile(more, 0.95), 0.0015) << share << " " << drift;
    }
}

TEST(ClockModelTest, TheShareIsFound) {
  for (double share : {0.0, 0.5, 1.0}) {
    std::vector<double> errors;
    for (uint64_t seed = 100; seed < 150; ++seed)
      errors.push_back(std::abs(simulate(share, 0.067, seed).share - share));
    EXPECT_LT(median(errors), 0.1) << share;
  }
}
