//===- ReplayTest.cpp - Tests of replays ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Techniques whose course is known, on a space whose times are.
//
//===----------------------------------------------------------------------===//

#include "Replay.h"

#include "Experiments.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace baco;
using namespace baco::bench;

static Run replayed(const Technique &technique, const BenchmarkSpace &space,
                    const ReplayOptions &options, uint64_t seed = 0) {
  Result<Run> run = replay(technique, space, options, seed);
  EXPECT_TRUE(run) << run.error().message;
  return *run;
}

/// The times of the space in the order of `exhaustive`, and the best so far.
static std::vector<double> exhaustiveBest(const BenchmarkSpace &space) {
  std::vector<double> best;
  double least = std::numeric_limits<double>::infinity();
  for (uint64_t k = 0; k < *space.space().countIfSmall(); ++k) {
    least = std::min(least, space.time(space.space().at(k)).value_or(least));
    best.push_back(least);
  }
  return best;
}

TEST(ReplayTest, KeepsTheBestSoFar) {
  BenchmarkSpace space = productSpace();
  ReplayOptions options;
  options.budget = 10;
  bench::Run run = replayed(findTechnique("exhaustive"), space, options);
  EXPECT_EQ(run.bestTimes, exhaustiveBest(space));
  EXPECT_EQ(run.failures, 1u);
  EXPECT_EQ(run.askSeconds.size(), 10u);
}

TEST(ReplayTest, BeginsWithTheDefaultIfItShall) {
  Result<Space> space = Space::create({*Parameter::integer("x", 1, 1000)});
  ASSERT_TRUE(space);
  BenchmarkSpace known =
      *BenchmarkSpace::compute("line", *space, [](const Configuration &c) {
        return std::optional(double(std::get<int64_t>(c[0])));
      });
  double first = *known.time(known.space().defaultPoint());
  ReplayOptions options;
  options.budget = 3;
  bench::Run without = replayed(findTechnique("random"), known, options);
  EXPECT_NE(without.bestTimes[0], first);
  options.defaultFirst = true;
  bench::Run with = replayed(findTechnique("random"), known, options);
  EXPECT_EQ(with.bestTimes[0], first);
  EXPECT_EQ(with.bestTimes[1], std::min(first, without.bestTimes[0]));
}

TEST(ReplayTest, AnExhaustedSpaceEndsTheSearch) {
  ReplayOptions options;
  options.budget = 20;
  for (size_t pending : {1, 4}) {
    options.pending = pending;
    bench::Run run = replayed(findTechnique("random"), productSpace(), options);
    ASSERT_EQ(run.bestTimes.size(), 20u);
    EXPECT_EQ(run.bestTimes[9], 1);
    EXPECT_EQ(run.bestTimes.back(), 1);
    EXPECT_EQ(run.failures, 1u);
  }
}

TEST(ReplayTest, PendingOnesDontChangeABlindSearch) {
  ReplayOptions options;
  options.budget = 7;
  bench::Run one = replayed(findTechnique("random"), productSpace(), options);
  options.pending = 3;
  bench::Run three = replayed(findTechnique("random"), productSpace(), options);
  EXPECT_EQ(one.bestTimes, three.bestTimes);
  EXPECT_EQ(three.askSeconds.size(), 7u);
}

/// A row with a number in flight of its own is a run with that option.
TEST(ReplayTest, RowsHaveTheirNumberInFlight) {
  std::vector<Technique> rows =
      withPending({findTechnique("exhaustive"), findTechnique("baco")}, {1, 9});
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[1].name, "exhaustive 9 in flight");
  EXPECT_EQ(rows[2].name, "baco 1 in flight");
  Result<Space> space = Space::create({*Parameter::integer("x", 1, 1000)});
  ASSERT_TRUE(space);
  BenchmarkSpace valley =
      *BenchmarkSpace::compute("valley", *space, [](const Configuration &c) {
        return std::optional(1 + std::abs(std::get<int64_t>(c[0]) - 700.0));
      });
  auto timesOf = [&](const Technique &technique, size_t pending) {
    ReplayOptions options;
    options.budget = 12;
    options.pending = pending;
    return replayed(technique, valley, options).bestTimes;
  };
  Technique baco = findTechnique("baco");
  EXPECT_NE(timesOf(baco, 1), timesOf(baco, 9));
  EXPECT_EQ(timesOf(rows[2], 5), timesOf(baco, 1));
  EXPECT_EQ(timesOf(rows[3], 5), timesOf(baco, 9));
}

TEST(ReplayTest, AViolatedConstraintIsAFailure) {
  Technique blind = findTechnique("random");
  blind.knowsConstraints = false;
  ReplayOptions options;
  options.budget = 16;
  bench::Run run = replayed(blind, productSpace(), options);
  // Six of 4 * 4 violate y >= x, and (4, 4) fails.
  EXPECT_EQ(run.failures, 7u);
  EXPECT_EQ(run.bestTimes.back(), 1);
}

TEST(ReplayTest, ToldSlowOrFailedIsAFailureToUs) {
  Technique blind = findTechnique("baco");
  blind.knowsConstraints = false;
  blind.failuresAreSlow = true;
  ReplayOptions options;
  options.budget = 16;
  bench::Run run = replayed(blind, productSpace(), options);
  EXPECT_EQ(run.failures, 7u);
  EXPECT_EQ(run.bestTimes.back(), 1);
}

TEST(ReplayTest, ThreadsDontChangeResults) {
  Experiment experiment;
  experiment.options.budget = 6;
  experiment.options.numSeeds = 5;
  experiment.options.firstSeed = 3;
  experiment.spaces = {productSpace("a"), productSpace("b")};
  experiment.techniques = {findTechnique("baco"), findTechnique("random")};
  ASSERT_TRUE(runAll(experiment));
  Experiment threaded = experiment;
  threaded.options.numThreads = 4;
  ASSERT_TRUE(runAll(threaded));
  ASSERT_EQ(experiment.runs.size(), 20u);
  for (size_t i = 0; i < experiment.runs.size(); ++i)
    EXPECT_EQ(experiment.runs[i].bestTimes, threaded.runs[i].bestTimes);
  EXPECT_EQ(experiment.run(1, 1, 4).bestTimes,
            replayed(experiment.techniques[1], experiment.spaces[1],
                     experiment.options, /*seed=*/7)
                .bestTimes);
}

TEST(ReplayTest, ErrorsNameTheRun) {
  Experiment experiment;
  experiment.options.numSeeds = 1;
  experiment.spaces = {productSpace()};
  experiment.techniques = {{"row", "magic", Technique::Kind::Rival}};
  Result<void> done = runAll(experiment);
  ASSERT_FALSE(done);
  EXPECT_TRUE(done.error().message.starts_with(
      "row on product, seed 0: unknown search technique 'magic'"));
}

TEST(TechniqueTest, NamesAndGroups) {
  using enum Technique::Kind;
  Result<std::vector<Technique>> all = findTechniques({"all"});
  ASSERT_TRUE(all);
  EXPECT_EQ(all->size(), techniqueTable().size());
  EXPECT_EQ(all->front().name, "baco");
  Result<std::vector<Technique>> ablations = findTechniques({"ablations"});
  for (const Technique &each : *ablations)
    EXPECT_NE(each.kind, Rival);
  Result<std::vector<Technique>> techniques = findTechniques({"techniques"});
  for (const Technique &each : *techniques)
    EXPECT_NE(each.kind, Ablation);
  EXPECT_EQ(findTechniques({"random", "baco", "random"})->size(), 2u);
  Result<std::vector<Technique>> unknown = findTechniques({"baco", "magic"});
  ASSERT_FALSE(unknown);
  EXPECT_TRUE(unknown.error().message.starts_with(
      "unknown optimizer 'magic': the known ones are techniques, ablations, "
      "all, baco"));
}

TEST(TechniqueTest, EveryNameIsThereOnce) {
  std::vector<std::string_view> names;
  for (const Technique &each : techniqueTable())
    names.push_back(each.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(TechniqueTest, EveryRowRuns) {
  BenchmarkSpace space = productSpace();
  ReplayOptions options;
  options.budget = 9;
  for (const Technique &each : techniqueTable()) {
    Result<bench::Run> run = replay(each, space, options, /*seed=*/1);
    EXPECT_TRUE(run) << each.name << ": " << run.error().message;
  }
}

TEST(TechniqueTest, ChangesTheMetricAndNothingElse) {
  Parameter order = *Parameter::permutation("order", 3);
  order.defaultValue = Permutation{2, 1, 0};
  Space space = *Space::create({order, *Parameter::boolean("b")},
                               {{*Expression::parse("b"), "why", "", false}});
  Result<Space> told = spaceFor(findTechnique("kendall"), space);
  ASSERT_TRUE(told);
  const Parameter &changed = told->parameters()[0];
  EXPECT_EQ(changed.metric(), PermutationMetric::Kendall);
  EXPECT_EQ(changed.defaultValue, order.defaultValue);
  EXPECT_EQ(told->count(), "6");
}
