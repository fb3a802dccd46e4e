//===- MultiObjectiveSearchTest.cpp - Tests of several objectives ---------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/MultiObjectiveSearch.h"

#include "baco/Search/Techniques/OptimizerFactory.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

using namespace baco;
using namespace baco::search;

/// Schaffer's problem with a second parameter that only costs: x in 0 ... 30,
/// y in 0 ... 9; 310 configurations.
static Space schafferSpace() {
  return *Space::create(
      {*Parameter::integer("x", 0, 30), *Parameter::integer("y", 0, 9)});
}

/// The front is y = 0 and 5 <= x <= 15.
static Costs schaffer(const Configuration &c) {
  double x = double(std::get<int64_t>(c[0])),
         y = double(std::get<int64_t>(c[1]));
  return {1 + (x - 5) * (x - 5) + y, 1 + (x - 15) * (x - 15) + y};
}

static bool isOnFront(const Configuration &c) {
  int64_t x = std::get<int64_t>(c[0]);
  return x >= 5 && x <= 15 && std::get<int64_t>(c[1]) == 0;
}

static MultiObjectiveSearch::Maker maker(const std::string &technique) {
  return [technique] {
    OptimizerOptions options;
    options.seed = 3;
    return makeOptimizer(technique, schafferSpace(), options);
  };
}

/// Asks and tells; configurations with x = 20 fail.
static void run(MultiObjectiveSearch &search, int numTrials) {
  for (int k = 0; k < numTrials; ++k) {
    Result<std::optional<Suggestion>> asked = search.ask();
    ASSERT_TRUE(asked) << asked.error().message;
    if (!*asked)
      return;
    const Configuration &c = (*asked)->configuration;
    Observation told = {0, c[0] != ParameterValue(int64_t(20)), schaffer(c)};
    Result<void> done = search.tell((*asked)->trial, told);
    ASSERT_TRUE(done) << done.error().message;
  }
}

TEST(MultiObjectiveSearchTest, TheWholeSpaceGivesTheWholeFront) {
  MultiObjectiveSearch search(maker("exhaustive"), paretoOrder(), 1);
  run(search, 1000);
  EXPECT_EQ(search.trials().size(), 310u);
  EXPECT_EQ(search.best().size(), 11u);
  for (uint64_t trial : search.best())
    EXPECT_TRUE(isOnFront(search.trials()[trial].suggestion.configuration));
}

TEST(MultiObjectiveSearchTest, AModelFindsMostOfTheFront) {
  MultiObjectiveSearch search(maker("baco"), paretoOrder(), 1);
  run(search, 60);
  int found = 0;
  for (const PastTrial &trial : search.trials())
    found += isOnFront(trial.suggestion.configuration);
  // Random search expects 60 * 11 / 310, about 2.
  EXPECT_GE(found, 8);
}

TEST(MultiObjectiveSearchTest, OrdersFindTheirOwnBest) {
  struct Case {
    const char *technique;
    ObjectiveOrderPtr order;
    int64_t x;
  };
  const Case cases[] = {
      {"baco", lexicographicOrder(), 5},
      {"baco", weightedOrder({0, 1}), 15},
      {"baco",
       customOrder([](const Costs &a, const Costs &b) { return a[1] < b[1]; }),
       15},
      // The ratios are to the least of what was seen: 1 and 1 in the whole
      // space.
      {"exhaustive", weightedOrder({1, 1}), 10},
      {"exhaustive", weightedOrder({4, 1}), 7},
  };
  for (const Case &test : cases) {
    MultiObjectiveSearch search(maker(test.technique), test.order, 1);
    run(search, test.technique == std::string("baco") ? 50 : 310);
    ASSERT_EQ(search.best().size(), 1u);
    const Configuration &best =
        search.trials()[search.best()[0]].suggestion.configuration;
    EXPECT_EQ(best, (Configuration{test.x, int64_t(0)}));
  }
}

TEST(MultiObjectiveSearchTest, WorksWithEveryTechnique) {
  for (std::string_view name : optimizerNames()) {
    SCOPED_TRACE(name);
    MultiObjectiveSearch search(maker(std::string(name)), paretoOrder(), 1);
    run(search, 30);
    EXPECT_EQ(search.trials().size(), 30u);
    std::set<Configuration> different;
    for (const PastTrial &trial : search.trials())
      different.insert(trial.suggestion.configuration);
    EXPECT_EQ(different.size(), 30u);
  }
}

TEST(MultiObjectiveSearchTest, ContinuesAsIfItHadNeverStopped) {
  MultiObjectiveSearch first(maker("baco"), paretoOrder(), 1);
  run(first, 20);
  // One pending, one cancelled.
  ASSERT_TRUE(first.ask());
  ASSERT_TRUE(first.ask());
  ASSERT_TRUE(first.cancel(20));
  MultiObjectiveSearch second(maker("baco"), paretoOrder(), 1);
  ASSERT_TRUE(second.restore(first.trials()));
  for (MultiObjectiveSearch *search : {&first, &second}) {
    ASSERT_TRUE(search->tell(21, {0, true, {1, 2}}));
    run(*search, 3);
  }
  ASSERT_EQ(first.trials().size(), 25u);
  for (size_t k = 0; k < 25; ++k)
    EXPECT_EQ(first.trials()[k].suggestion.configuration,
              second.trials()[k].suggestion.configuration);
}

TEST(MultiObjectiveSearchTest, RefusesWhatMeansNothing) {
  MultiObjectiveSearch search(maker("random"), paretoOrder(), 1);
  run(search, 2);
  auto errorOf = [](const Result<void> &result) {
    return result ? "no error" : result.error().message;
  };
  EXPECT_EQ(errorOf(search.tell(0, {0, true, {1, 2}})),
            "trial 0 isn't pending");
  EXPECT_EQ(errorOf(search.cancel(5)), "trial 5 isn't pending");
  ASSERT_TRUE(search.ask());
  EXPECT_EQ(errorOf(search.tell(2, {0, true, {1}})),
            "trial 2 has 1 costs, but earlier ones have 2");
  EXPECT_EQ(errorOf(search.tell(2, {0, true, {}})), "trial 2 has no costs");
  double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(errorOf(search.tell(2, {0, true, {1, nan}})),
            "trial 2: the costs of a feasible trial must be finite, but one is "
            "nan");
  EXPECT_EQ(errorOf(search.tell(2, {0, false, {nan}})), "no error");
  EXPECT_EQ(errorOf(search.restore({})),
            "a search can only be restored before the first ask");

  MultiObjectiveSearch weighted(maker("random"), weightedOrder({1, 1}), 1);
  ASSERT_TRUE(weighted.ask());
  ASSERT_TRUE(weighted.tell(0, {0, true, {1, -2}}));
  Result<std::optional<Suggestion>> asked = weighted.ask();
  ASSERT_FALSE(asked);
  EXPECT_EQ(asked.error().code, ErrorCode::InvalidArgument);
}
