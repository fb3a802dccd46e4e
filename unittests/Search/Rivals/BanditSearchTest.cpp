//===- BanditSearchTest.cpp - Tests of competing techniques ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/BanditSearch.h"

#include "TestSpaces.h"

using namespace baco;
using namespace baco::search;

namespace {

/// Goes up or down from the middle of 0 ... 1000, step by step.
struct Walker : BatchSearch {
  Walker(double step, int *calls) : step(step), calls(calls) {}

  std::vector<Point> next(const Evaluations &known, Random &random) override {
    ++*calls;
    at += step;
    return {{at}};
  }

  double at = 500, step;
  int *calls;
};

} // namespace

static BanditSearch walkers(int *down, int *up) {
  std::vector<std::unique_ptr<BatchSearch>> techniques;
  techniques.push_back(std::make_unique<Walker>(-1, down));
  techniques.push_back(std::make_unique<Walker>(+1, up));
  return BanditSearch(gridSpace({"x"}, 1001), 1, std::move(techniques));
}

/// One technique finds a new best each time, the other one never does.
TEST(BanditSearchTest, TakesTheTechniqueThatSucceeds) {
  int down = 0, up = 0;
  BanditSearch search = walkers(&down, &up);
  for (int k = 0; k < 100; ++k) {
    Suggestion suggestion = *get(search.ask());
    auto x = double(std::get<int64_t>(suggestion.configuration[0]));
    ASSERT_TRUE(search.tell(suggestion.trial, {-x, true}));
  }
  EXPECT_EQ(down + up, 100);
  EXPECT_GT(up, 90);
  EXPECT_GE(down, 1);
}

/// Both wait for their pending points: the rest is random.
TEST(BanditSearchTest, WaitingTechniquesAreReplaced) {
  int down = 0, up = 0;
  BanditSearch search = walkers(&down, &up);
  for (int k = 0; k < 10; ++k)
    EXPECT_TRUE(get(search.ask()));
  EXPECT_EQ(down, 1);
  EXPECT_EQ(up, 1);
}

static int evaluationsToOptimum(Optimizer &search, const Space &space,
                                const std::optional<Constraint> &hidden) {
  for (int k = 1; k <= 2000; ++k) {
    Suggestion suggestion = *get(search.ask());
    const Configuration &c = suggestion.configuration;
    double cost = mixedCost(c);
    auto product = std::get<int64_t>(c[0]) * std::get<int64_t>(c[1]);
    bool isFeasible = !hidden || product <= 128;
    EXPECT_TRUE(search.tell(suggestion.trial, {cost, isFeasible}));
    if (isFeasible && cost == 1)
      return k;
  }
  return 2001;
}

static BanditSearch openTuner(const Space &space, uint64_t seed) {
  return BanditSearch(space, seed, openTunerTechniques(space));
}

/// Random search needs half of the 1000 configurations on average.
TEST(BanditSearchTest, OpenTunersTechniquesFindTheOptimum) {
  Space space = mixedSpace();
  int sum = 0;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    BanditSearch search = openTuner(space, seed);
    sum += evaluationsToOptimum(search, space, std::nullopt);
  }
  EXPECT_LT(sum / 10, 300);
}

/// The same space without its constraint, whose violations fail.
TEST(BanditSearchTest, FailuresAreAPenalty) {
  Space constrained = mixedSpace();
  Space raw = get(Space::create(constrained.parameters()));
  int sum = 0;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    BanditSearch search = openTuner(raw, seed);
    sum += evaluationsToOptimum(search, raw, constrained.constraints()[0]);
  }
  EXPECT_LT(sum / 10, 400);
}

TEST(BanditSearchTest, NoParameters) {
  BanditSearch search = openTuner(get(Space::create({})), 1);
  EXPECT_TRUE(get(search.ask()));
  EXPECT_FALSE(get(search.ask()));
}
