//===- BarsTest.cpp - What must be reached --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ratios that are put in, and verdicts by hand.
//
//===----------------------------------------------------------------------===//

#include "Bars.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>

using namespace baco::benchmarks;

/// A case whose ratios to members of one group are given.
static CaseResult makeResult(const std::string &name, const std::string &group,
                             const std::vector<double> &ratios) {
  CaseResult result;
  result.name = name;
  result.entries.push_back({"ours", "ours"});
  for (double ratio : ratios) {
    Entry entry{"other", group};
    entry.ours = Ratio{ratio, ratio, ratio, ratio};
    result.entries.push_back(entry);
  }
  return result;
}

TEST(BarsTest, TakesTheFastestOfAGroup) {
  // Against the fastest, each ratio is the least: 4 and 1.
  auto verdicts =
      checkBars("polybench", {makeResult("gemm", "compilers", {9, 4}),
                              makeResult("atax", "compilers", {1, 2})});
  ASSERT_EQ(verdicts.size(), 2u);
  EXPECT_DOUBLE_EQ(verdicts[0].value, 2);
  EXPECT_FALSE(verdicts[0].holds());
  EXPECT_DOUBLE_EQ(verdicts[1].value, 1);
  EXPECT_EQ(verdicts[1].leastCase, "atax");
  EXPECT_TRUE(verdicts[1].holds());
}

TEST(BarsTest, AcceptsRatiosWithinTheirIntervalOfABar) {
  CaseResult equal = makeResult("50", "clang", {0.99});
  equal.entries.back().ours->most = 1.01;
  auto verdicts = checkBars("jacobi", {equal});
  EXPECT_DOUBLE_EQ(verdicts[0].value, 0.99);
  EXPECT_TRUE(verdicts[0].holds());
  // With more sweeps it couldn't be the same code.
  equal.name = "50, 20 sweeps";
  equal.entries.back().ours = Ratio{1.79, 1.7, 1.9, 1.81};
  EXPECT_FALSE(checkBars("jacobi", {equal})[2].holds());
  equal = makeResult("50", "clang", {0.99});
  equal.entries.back().ours->most = 1.01;
  // Of another case it is known.
  verdicts = checkBars("jacobi", {equal, makeResult("100", "clang", {0.995})});
  EXPECT_DOUBLE_EQ(verdicts[0].value, 0.99);
  EXPECT_FALSE(verdicts[0].holds());
}

TEST(BarsTest, TellsCasesApartByTheirNames) {
  auto verdicts =
      checkBars("jacobi", {makeResult("50", "clang", {1.25}),
                           makeResult("100, 20 sweeps", "clang", {1.5})});
  ASSERT_EQ(verdicts.size(), 3u);
  EXPECT_DOUBLE_EQ(verdicts[0].value, 1.25);
  EXPECT_TRUE(verdicts[0].holds());
  EXPECT_DOUBLE_EQ(verdicts[2].value, 1.5);
  EXPECT_FALSE(verdicts[2].holds());
}

TEST(BarsTest, UnmeasuredBarsDoNotHold) {
  auto none = checkBars("softmax", {});
  ASSERT_EQ(none.size(), 1u);
  EXPECT_TRUE(std::isnan(none[0].value));
  EXPECT_FALSE(none[0].holds());
  auto some =
      checkBars("batch-matmul", {makeResult("512 x 32", "OpenBLAS", {2}),
                                 makeResult("512 x 64", "OpenBLAS", {})});
  ASSERT_EQ(some.size(), 3u);
  EXPECT_DOUBLE_EQ(some[1].value, 2);
  EXPECT_FALSE(some[1].holds());
  // Nothing is known of another baseline.
  EXPECT_TRUE(std::isnan(some[2].value));
  EXPECT_FALSE(some[2].holds());
}

/// Results of the five sparse rows, whose ratios are given.
static std::vector<RowResults>
makeSparseResults(const std::vector<double> &spmv, double others) {
  std::vector<RowResults> results = {{"spmv", {}}};
  for (double ratio : spmv)
    results[0].cases.push_back(makeResult("", "TACO", {ratio}));
  for (std::string row : {"spmm", "sddmm", "ttv", "mttkrp"})
    results.push_back({row, {makeResult("", "TACO", {others, 2 * others})}});
  return results;
}

TEST(BarsTest, EachRowCountsOnceInAMean) {
  // The mean of 8 and 2 is 4, of 4 and four times 1 the fifth root of 4.
  auto verdicts = checkMeans(makeSparseResults({8, 2}, 1));
  ASSERT_EQ(verdicts.size(), 1u);
  EXPECT_DOUBLE_EQ(verdicts[0].value, std::pow(4, 0.2));
  EXPECT_TRUE(verdicts[0].holds());
  verdicts = checkMeans(makeSparseResults({3, 1}, 1));
  EXPECT_DOUBLE_EQ(verdicts[0].value, std::pow(3, 0.1));
  EXPECT_FALSE(verdicts[0].holds());
}

TEST(BarsTest, MeansNeedAllRowsAndSomebodyToCompareWith) {
  auto results = makeSparseResults({2}, 2);
  auto withoutTaco = results;
  for (RowResults &each : withoutTaco)
    each.cases = {makeResult("", "sparsifier", {2})};
  EXPECT_TRUE(checkMeans(withoutTaco).empty());
  // One that has failed is there.
  auto failed = results;
  failed[3].cases[0].entries.back().ours.reset();
  failed[3].cases[0].entries[1].ours.reset();
  auto verdicts = checkMeans(failed);
  ASSERT_EQ(verdicts.size(), 1u);
  EXPECT_DOUBLE_EQ(verdicts[0].value, 2);
  EXPECT_FALSE(verdicts[0].holds());
  results.pop_back();
  EXPECT_TRUE(checkMeans(results).empty());
}

TEST(BarsTest, SparseKernelsReachC) {
  for (auto [row, group] :
       {std::pair("spmv", "by hand"), {"spmm", "by hand"}, {"sddmm", "clang"}})
    for (double ratio : {0.9, 1.0}) {
      // The fastest line counts.
      auto verdicts = checkBars(row, {makeResult("", group, {2, ratio})});
      auto found = std::find_if(
          verdicts.begin(), verdicts.end(),
          [&](const BarResult &each) { return each.bar.group == group; });
      ASSERT_NE(found, verdicts.end()) << row;
      EXPECT_EQ(found->holds(), ratio == 1.0) << row;
    }
}

TEST(BarsTest, EveryRowHasBarsOnItsOwnGroups) {
  for (const Row &row : makeRows(/*isSmall=*/false)) {
    auto verdicts = checkBars(row.name, {});
    EXPECT_FALSE(verdicts.empty()) << row.name;
    for (const BarResult &verdict : verdicts) {
      bool isKnown = false;
      for (const Case &target : row.cases)
        for (const Baseline &baseline : target.baselines)
          isKnown |= baseline.group == verdict.bar.group;
      EXPECT_TRUE(isKnown) << row.name << ": " << verdict.bar.group;
    }
  }
}
