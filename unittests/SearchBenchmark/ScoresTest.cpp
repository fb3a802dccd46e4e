//===- ScoresTest.cpp - Tests of the summaries ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers by hand, and the bootstrap against the normal approximation.
//
//===----------------------------------------------------------------------===//

#include "Scores.h"

#include "Experiments.h"

#include <cmath>

using namespace baco;
using namespace baco::bench;

TEST(GeometricMeanTest, IsTheRootOfTheProduct) {
  // The fourth root of 1 * 4 * 2 * 2 is 2.
  EXPECT_NEAR(geometricMean({{1, 4}, {2, 2}}).mean, 2, 1e-12);
}

TEST(GeometricMeanTest, ErrorComesFromWithinGroups) {
  // Logs 0 and a: the mean has variance (a^2 / 2) / 2; two groups, of which one
  // doesn't vary, quarter it.
  double a = std::log(4.0);
  EXPECT_NEAR(geometricMean({{1, 4}}).standardError, 2 * (a / 2), 1e-12);
  EXPECT_NEAR(geometricMean({{1, 4}, {2, 2}}).standardError, 2 * (a / 4),
              1e-12);
  // Groups of their own don't make an error.
  EXPECT_EQ(geometricMean({{1, 1}, {9, 9}}).standardError, 0);
}

TEST(GeometricMeanTest, OneValueHasNoError) {
  EXPECT_TRUE(std::isnan(geometricMean({{3}}).standardError));
}

TEST(BootstrapMeanTest, IsNearTheNormalInterval) {
  Random random(7);
  std::vector<double> values;
  for (int i = 0; i < 400; ++i)
    values.push_back(3 + 2 * random.normal());
  double sum = 0, squares = 0;
  for (double value : values)
    sum += value;
  double mean = sum / 400;
  for (double value : values)
    squares += (value - mean) * (value - mean);
  double halfWidth = 1.96 * std::sqrt(squares / 400 / 400);
  measure::Interval interval = bootstrapMean(values, Random(1));
  EXPECT_NEAR(interval.low, mean - halfWidth, 0.1 * halfWidth);
  EXPECT_NEAR(interval.high, mean + halfWidth, 0.1 * halfWidth);
}

TEST(BootstrapMeanTest, ConstantValuesHaveNoWidth) {
  measure::Interval interval = bootstrapMean({0.5, 0.5, 0.5}, Random(1));
  EXPECT_EQ(interval.low, 0.5);
  EXPECT_EQ(interval.high, 0.5);
}

/// Two techniques, one space, two seeds, three evaluations.
static Experiment smallExperiment() {
  Experiment experiment;
  experiment.options.budget = 3;
  experiment.options.numSeeds = 2;
  experiment.spaces = {productSpace()};
  experiment.techniques = {findTechnique("baco"), findTechnique("random")};
  experiment.runs = {runOf({4, 2, 1}), runOf({infinity, 8, 1}),
                     runOf({4, 4, 4}), runOf({9, 9, 2})};
  experiment.runs[0].failures = 1;
  return experiment;
}

TEST(ScoresTest, RatioCountsTheWorstWhileAllFail) {
  Experiment experiment = smallExperiment();
  const BenchmarkSpace &space = experiment.spaces[0];
  EXPECT_EQ(ratioAfter(experiment.run(0, 0, 1), space, 1), 12);
  EXPECT_EQ(ratioAfter(experiment.run(0, 0, 1), space, 2), 8);
}

TEST(ScoresTest, RatiosAreOverAllSeeds) {
  Experiment experiment = smallExperiment();
  EXPECT_NEAR(ratioScore(experiment, 0, 2).mean, 4, 1e-12);
  EXPECT_NEAR(ratioScore(experiment, 0, /*space=*/0, 2).mean, 4, 1e-12);
  EXPECT_NEAR(ratioScore(experiment, 1, 2).mean, 6, 1e-12);
}

TEST(ScoresTest, CountsFailuresAndSuccesses) {
  Experiment experiment = smallExperiment();
  EXPECT_EQ(meanFailures(experiment, 0, 0), 0.5);
  EXPECT_EQ(shareReaching(experiment, 0, 1), 1);
  EXPECT_EQ(shareReaching(experiment, 1, 1), 0);
  EXPECT_EQ(shareReaching(experiment, 1, 2), 0.5);
}

TEST(ScoresTest, EvaluationsToARatio) {
  Experiment experiment = smallExperiment();
  EXPECT_EQ(medianEvaluationsTo(experiment, 0, 1), 3);
  // One of two runs gets to 2, in three evaluations; the other never.
  EXPECT_EQ(medianEvaluationsTo(experiment, 1, 2), infinity);
}

TEST(ScoresTest, RelativeScoreIsOfPairs) {
  Score score = relativeScore(smallExperiment(), 0, 1, {0}, 2);
  EXPECT_NEAR(score.mean, std::sqrt(2.0 / 4 * 8 / 9), 1e-12);
  // Half of the difference of the two logs.
  EXPECT_NEAR(score.standardError, score.mean * std::log(16.0 / 9) / 2, 1e-12);
}

TEST(ScoresTest, ComparesPairs) {
  // Ratios of pairs: 2 / 4 and 8 / 9. Of two values, a resample has both twice
  // with a probability of a quarter: they are the ends of the interval.
  measure::Interval interval = compare(smallExperiment(), 0, 1, 2);
  EXPECT_NEAR(interval.low, std::log(0.5), 1e-12);
  EXPECT_NEAR(interval.high, std::log(8.0 / 9), 1e-12);
}
