//===- ParallelRankOrderTest.cpp - Tests of PRO and PRO-C -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/ParallelRankOrder.h"

#include "TestSpaces.h"

#include <algorithm>
#include <set>

using namespace baco;
using namespace baco::search;

using Expansion = RankOrderSimplex::Expansion;

/// A convex function of integers, with the minimum 0 at 3, 5, 7, ...
static double bowl(const Configuration &c) {
  double sum = 0, coupled = 0;
  for (size_t k = 0; k < c.size(); ++k) {
    double x = double(std::get<int64_t>(c[k])) - double(3 + 2 * k);
    sum += double(k + 1) * x * x;
    coupled += x;
  }
  return sum + coupled * coupled;
}

TEST(ParallelRankOrderTest, FindsTheOptimumOfABowl) {
  for (Expansion expansion : {Expansion::CheckFirst, Expansion::Together})
    for (size_t size : {5, 8, 24}) {
      Space space = gridSpace({"a", "b", "c", "d"}, 20);
      ParallelRankOrder search(space, 11, size, expansion);
      double best = INFINITY;
      int evaluations = 0;
      for (; best > 0 && evaluations < 1600; ++evaluations) {
        Suggestion suggestion = *get(search.ask());
        double cost = bowl(suggestion.configuration);
        best = std::min(best, cost);
        ASSERT_TRUE(search.tell(suggestion.trial, {cost, true}));
      }
      // 1 % of the space; a random search needs half of it on average.
      EXPECT_EQ(best, 0) << "size " << size;
    }
}

TEST(ParallelRankOrderTest, PendingBatchesAreFilledUp) {
  Space space = mixedSpace();
  ParallelRankOrder search(space, 1, 6, Expansion::CheckFirst);
  std::set<Configuration> asked;
  for (int k = 0; k < 30; ++k)
    EXPECT_TRUE(asked.insert(get(search.ask())->configuration).second);
  EXPECT_TRUE(search.unwanted().empty());
}

namespace {

/// PRO-C with seven trials pending, which are told in the order of asking.
struct Batches {
  ParallelRankOrder search = make();
  std::vector<PastTrial> trials;

  static ParallelRankOrder make() {
    return {gridSpace({"a", "b", "c", "d"}, 20), 3, 8, Expansion::Together};
  }

  void ask() { trials.push_back({*get(search.ask()), {}, true}); }

  /// Fills up with pending trials, and tells the first.
  void advance() {
    auto isPending = [](const PastTrial &trial) { return trial.isPending; };
    while (std::count_if(trials.begin(), trials.end(), isPending) < 7)
      ask();
    tell(std::find_if(trials.begin(), trials.end(), isPending) -
         trials.begin());
  }
  void tell(uint64_t trial) {
    PastTrial &past = trials[trial];
    past.observation = {bowl(past.suggestion.configuration), true};
    past.isPending = false;
    ASSERT_TRUE(search.tell(trial, *past.observation));
  }
  void cancel(uint64_t trial) {
    ASSERT_TRUE(trials[trial].isPending);
    trials[trial].isPending = false;
    ASSERT_TRUE(search.cancel(trial));
  }
};

} // namespace

/// With a failed check, all that is pending of the expansions is unwanted.
TEST(ParallelRankOrderTest, FailedChecksMakeExpansionsUnwanted) {
  Batches batches;
  int failedChecks = 0;
  for (int k = 0; k < 400; ++k) {
    batches.advance();
    std::vector<uint64_t> unwanted = batches.search.unwanted();
    failedChecks += !unwanted.empty();
    for (uint64_t trial : unwanted)
      batches.cancel(trial);
    EXPECT_TRUE(batches.search.unwanted().empty());
  }
  EXPECT_GT(failedChecks, 3);
}

/// Unless somebody cancels it, what is unwanted stays so until it is told.
TEST(ParallelRankOrderTest, UnwantedTrialsMayBeTold) {
  Batches batches;
  std::vector<uint64_t> unwanted;
  for (int k = 0; k < 400 && unwanted.empty(); ++k) {
    batches.advance();
    unwanted = batches.search.unwanted();
  }
  ASSERT_FALSE(unwanted.empty());
  batches.ask();
  batches.ask();
  EXPECT_EQ(batches.search.unwanted(), unwanted);
  for (uint64_t trial : unwanted)
    batches.tell(trial);
  EXPECT_TRUE(batches.search.unwanted().empty());
}

TEST(ParallelRankOrderTest, RestoredSearchesWantTheSame) {
  Batches batches;
  int compared = 0;
  for (int k = 0; k < 200; ++k) {
    batches.advance();
    std::vector<uint64_t> unwanted = batches.search.unwanted();
    if (!unwanted.empty()) {
      ParallelRankOrder resumed = Batches::make();
      ASSERT_TRUE(resumed.restore(batches.trials));
      EXPECT_EQ(resumed.unwanted(), unwanted);
      ++compared;
    }
    // Some are cancelled, the others told later.
    if (k % 2 == 0 && !unwanted.empty())
      batches.cancel(unwanted.front());
  }
  EXPECT_GT(compared, 3);
}
