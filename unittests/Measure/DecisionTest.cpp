//===- DecisionTest.cpp - Tests of how often finals are wrong -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whole final comparisons are simulated, by the standard library's generator:
// each round draws the places of the defender and of two others, and a drift
// and disturbances come on top. Limits are five deviations of the counts above
// what Rounds.h derives.
//
//===----------------------------------------------------------------------===//

#include "baco/Measure/Rounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

using namespace baco::measure;
using Generator = std::mt19937_64;

namespace {
/// How the log of a process's time is off.
using Noise = std::function<double(Generator &)>;

struct Decision {
  bool isClaimed = false;
  /// Of the defender and the one that was faster in this comparison.
  Ratio ratio;
  size_t rounds = 0;
};
} // namespace

static Noise normal(double deviation) {
  return [=](Generator &random) {
    return std::normal_distribution<double>(0, deviation)(random);
  };
}

/// Now and then far off, in one direction: others had the machine.
static Noise heavyTailed(double deviation) {
  return [=](Generator &random) {
    std::cauchy_distribution<double> cauchy(0, deviation);
    return std::abs(cauchy(random));
  };
}

/// A few places are good and the others aren't.
static Noise twoPlaces(double distance) {
  return [=](Generator &random) {
    return std::bernoulli_distribution(0.3)(random) ? -distance : 0.0;
  };
}

/// What a tuner does: the defender takes `gain` times as long as both others.
static Decision decide(Generator &random, const Noise &noise, double gain) {
  std::vector<std::vector<double>> times(3);
  bool isIn[3] = {true, true, true};
  double drift = 0;
  auto measureRound = [&] {
    // Common to those of a round.
    drift += normal(0.02)(random);
    for (size_t i = 0; i < 3; ++i)
      if (isIn[i])
        times[i].push_back(
            std::exp(drift + noise(random) + normal(1e-4)(random)) *
            (i == 0 ? gain : 1));
  };
  auto ratiosOf = [&](size_t i) {
    std::vector<double> ratios;
    for (size_t round = 0; round < times[i].size(); ++round)
      ratios.push_back(times[0][round] / times[i][round]);
    return ratios;
  };
  auto isOpen = [&](size_t i, int round) {
    bool isKnown = round == earlyRounds && isClaimed(ratiosOf(i));
    return isIn[i] && !isKnown && mayBeClaimed(ratiosOf(i));
  };
  for (int round = 0; round < maxRounds && (isIn[1] || isIn[2]); ++round) {
    if (round >= numRounds && round <= earlyRounds && !isOpen(1, round) &&
        !isOpen(2, round))
      break;
    measureRound();
    for (size_t i : {1, 2})
      if (round + 1 >= minRounds && round + 1 <= earlyRounds)
        isIn[i] = isIn[i] && mayBeClaimed(ratiosOf(i));
  }
  auto keyOf = [&](size_t i) {
    return std::pair(-static_cast<double>(times[i].size()), median(times[i]));
  };
  size_t best = keyOf(1) < keyOf(2) ? 1 : 2;
  std::vector<double> defended = times[0];
  defended.resize(times[best].size());
  Ratio ratio = pairedRatio(defended, times[best], finalConfidence);
  return {isCertainlyLonger(ratio), ratio, times[0].size()};
}

static constexpr int comparisons = 20000;

static int countClaims(const Noise &noise, double gain, uint64_t seed) {
  Generator random(seed);
  int claims = 0;
  for (int i = 0; i < comparisons; ++i)
    claims += decide(random, noise, gain).isClaimed;
  return claims;
}

/// `share` of all comparisons and five deviations of that.
static double atMost(double share) {
  double mean = share * comparisons;
  return mean + 5 * std::sqrt(mean) + 5;
}

TEST(DecisionTest, EqualsAreRarelyCalledFaster) {
  // 1 / 2^10 + 10 / 2^14 for each of two.
  constexpr double bound = 2 * 26.0 / (1 << 14);
  EXPECT_LE(countClaims(normal(0.005), 1, 1), atMost(bound));
  EXPECT_LE(countClaims(normal(0.02), 1, 2), atMost(bound));
  EXPECT_LE(countClaims(normal(0.2), 1, 3), atMost(bound));
  EXPECT_LE(countClaims(heavyTailed(0.01), 1, 4), atMost(bound));
  EXPECT_LE(countClaims(heavyTailed(0.3), 1, 5), atMost(bound));
  EXPECT_LE(countClaims(twoPlaces(0.03), 1, 6), atMost(bound));
}

TEST(DecisionTest, RarelyClaimsHalfAPercent) {
  constexpr double bound = 2 * 26.0 / (1 << 14);
  EXPECT_LE(countClaims(normal(0.005), 1.005, 7), atMost(bound));
  EXPECT_LE(countClaims(heavyTailed(0.01), 1.005, 8), atMost(bound));
}

/// One place for all rounds, as when each candidate is laid out once: then
/// rounds aren't independent, and nothing of the above holds.
TEST(DecisionTest, OnePlaceForAllRoundsWouldDeceive) {
  Generator random(9);
  int claims = 0;
  for (int i = 0; i < 2000; ++i) {
    double places[3] = {0, normal(0.01)(random), normal(0.01)(random)};
    std::vector<double> defender, other;
    size_t best = places[1] < places[2] ? 1 : 2;
    for (int round = 0; round < maxRounds; ++round) {
      defender.push_back(std::exp(normal(0.001)(random)));
      other.push_back(std::exp(places[best] + normal(0.001)(random)));
    }
    claims += isCertainlyLonger(pairedRatio(defender, other, finalConfidence));
  }
  EXPECT_GT(claims, 600);
}

TEST(DecisionTest, ThreePercentAreFound) {
  constexpr double bar = 19.0 / 20 * comparisons;
  EXPECT_GE(countClaims(normal(0.005), 1.03, 10), bar);
  EXPECT_GE(countClaims(normal(0.009), 1.03, 11), bar);
  // One disturbed round in ten on either side.
  auto disturbed = [](Generator &random) {
    return normal(0.004)(random) +
           (std::bernoulli_distribution(0.02)(random) ? 0.3 : 0.0);
  };
  EXPECT_GE(countClaims(disturbed, 1.03, 12), bar);
}

/// The interval of one of the others, chosen without regard to its times.
TEST(DecisionTest, TheIntervalCoversTheRatio) {
  for (const Noise &noise : {normal(0.005), normal(0.05), heavyTailed(0.01)}) {
    Generator random(13);
    for (double gain : {0.98, 1.0, 1.006, 1.05}) {
      int missed = 0;
      for (int i = 0; i < comparisons; ++i) {
        std::vector<double> ratios;
        auto measureRounds = [&](int count) {
          for (int round = 0; round < count; ++round) {
            double defender = noise(random), other = noise(random);
            ratios.push_back(gain * std::exp(defender - other));
          }
        };
        measureRounds(numRounds);
        while (ratios.size() < size_t(earlyRounds) && mayBeClaimed(ratios))
          measureRounds(1);
        if (mayBeClaimed(ratios) && !isClaimed(ratios))
          measureRounds(maxRounds - earlyRounds);
        missed += !baco::runtime::medianInterval(ratios, finalConfidence)
                       .contains(gain);
      }
      EXPECT_LE(missed, atMost(1 - finalConfidence)) << gain;
    }
  }
}

TEST(DecisionTest, AClearNoIsCheap) {
  Generator random(14);
  int all = 0;
  double rounds = 0;
  for (int i = 0; i < 1000; ++i) {
    size_t taken = decide(random, normal(0.01), 1).rounds;
    all += taken == size_t(maxRounds);
    rounds += static_cast<double>(taken) / 1000;
  }
  // Eleven of 1024 for each of two, at most.
  EXPECT_LT(all, 50);
  EXPECT_LT(rounds, 6);
}

TEST(DecisionTest, AClearYesIsCheap) {
  Generator random(15);
  for (int i = 0; i < 1000; ++i)
    EXPECT_EQ(decide(random, normal(0.001), 1.03).rounds, size_t(earlyRounds));
}
