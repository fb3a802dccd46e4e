//===- NoiseTest.cpp - Tests of the warnings ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Measure/Noise.h"

#include <gtest/gtest.h>

#include <limits>

using namespace baco::measure;
using baco::runtime::Conditions;
using baco::runtime::Samples;

static std::vector<Conditions> quietTrials(size_t count) {
  return std::vector<Conditions>(count, {1000, 50e6, 50e6});
}

static std::vector<std::string>
describe(const std::vector<Conditions> &trials, const Samples &finals,
         std::optional<Ratio> ratio = std::nullopt) {
  return describeNoise(3, trials, std::span(&finals, 1), ratio);
}

TEST(DescribeNoiseTest, AQuietMachineIsNotMentioned) {
  Samples finals;
  finals.conditions = quietTrials(8);
  EXPECT_TRUE(
      describe(quietTrials(60), finals, Ratio{1.5, {1.49, 1.51}}).empty());
  EXPECT_TRUE(describe({}, Samples()).empty());
}

TEST(DescribeNoiseTest, AClockThatIsCorrectedIsNotMentioned) {
  std::vector<Conditions> trials = quietTrials(60);
  for (int i = 0; i < 20; ++i)
    trials[i] = {1200, 50e6, 50e6, 1 / 1.2, 0.02};
  EXPECT_TRUE(describe(trials, Samples()).empty());
}

TEST(DescribeNoiseTest, AClockThatIsNotCorrectedIsNamed) {
  std::vector<Conditions> trials = quietTrials(60);
  // One that was disturbed is no change of the clock.
  trials[7].referenceNs = 3000;
  trials[7].clockError = 0.5;
  EXPECT_TRUE(describe(trials, Samples()).empty());
  for (int i = 0; i < 20; ++i) {
    trials[i].referenceNs = 1200;
    trials[i].clockError = 0.1;
  }
  EXPECT_EQ(describe(trials, Samples()),
            std::vector<std::string>{
                "warning: the clock of CPU 3 changed by 20.0 % during the "
                "search, whose times are corrected for this to within 10.0 %; "
                "the final comparison isn't affected, but the search may have "
                "missed a better configuration"});
  // Too few to tell.
  trials.erase(trials.begin() + 9, trials.end());
  EXPECT_TRUE(describe(trials, Samples()).empty());
}

TEST(DescribeNoiseTest, OthersOnTheCpuAreNamed) {
  Samples finals;
  finals.conditions = {{1000, 60e6, 50e6}, {1000, 40e6, 30e6}};
  EXPECT_EQ(describe({}, finals),
            std::vector<std::string>{
                "warning: other processes used CPU 3 for 20.0 % of the final "
                "comparison; stop them, or choose another CPU with --cpu"});
}

TEST(DescribeNoiseTest, AWideIntervalIsNamed) {
  EXPECT_EQ(describe({}, Samples(), Ratio{1.0, {0.9, 1.06}}),
            std::vector<std::string>{
                "warning: the machine is too noisy to tell differences below "
                "8.0 %; stop other processes, or raise --final-time"});
  // Too few rounds for an interval are another matter.
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(
      describe({}, Samples(), Ratio{0.8, {-infinity, infinity}}).empty());
}
