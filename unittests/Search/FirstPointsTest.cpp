//===- FirstPointsTest.cpp - Tests of what is tried first -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/FirstPoints.h"

#include "TestSpaces.h"

using namespace baco;
using namespace baco::search;

/// A source over x in 0 ... 9 with these trials; infeasible where the objective
/// is below 0.
static TransferSource
sourceOf(const std::string &name,
         const std::vector<std::pair<int64_t, double>> &trials) {
  TransferSource source{name, gridSpace({"x"}, 10)};
  for (auto [x, objective] : trials)
    source.trials.push_back({{x}, {objective, objective >= 0}});
  return source;
}

static std::vector<double> pointsOf(const std::vector<TransferSource> &sources,
                                    const Space &target) {
  std::vector<double> values;
  for (const Transferred &each : firstPoints(sources, target))
    values.push_back(each.point[0]);
  return values;
}

TEST(FirstPointsTest, TakesTheBestFour) {
  TransferSource source =
      sourceOf("a", {{1, 5}, {2, 3}, {3, -1}, {4, 4}, {5, 3}, {6, 9}, {7, 8}});
  // Of equal ones the earlier comes first; 3 failed.
  EXPECT_EQ(pointsOf({source}, source.space),
            (std::vector<double>{2, 5, 4, 1}));
}

TEST(FirstPointsTest, LeavesOutTheDefaultAndRepetitions) {
  TransferSource source = sourceOf("a", {{0, 1}, {3, 2}, {9, 3}, {8, 4}});
  // The default is 0, and 8 and 9 become 6.
  EXPECT_EQ(pointsOf({source}, gridSpace({"x"}, 7)),
            (std::vector<double>{3, 6}));
}

TEST(FirstPointsTest, SourcesTakeTurns) {
  TransferSource a = sourceOf("a", {{1, 1}, {2, 2}, {3, 3}});
  TransferSource b = sourceOf("b", {{2, 10}, {5, 20}, {6, 30}});
  std::vector<Transferred> points = firstPoints({a, b}, a.space);
  std::vector<std::pair<double, size_t>> found;
  std::vector<bool> areFirst;
  for (const Transferred &each : points) {
    found.emplace_back(each.point[0], each.source);
    areFirst.push_back(each.isFirst);
  }
  EXPECT_EQ(found, (std::vector<std::pair<double, size_t>>{
                       {1, 0}, {2, 1}, {5, 1}, {3, 0}}));
  EXPECT_EQ(areFirst, (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(describeTransfer({a, b}, a.space),
            "2 configurations from a, 2 from b");
}

TEST(FirstPointsTest, NothingFromNothing) {
  TransferSource failing = sourceOf("a", {{1, -1}, {2, -1}});
  EXPECT_TRUE(pointsOf({}, failing.space).empty());
  EXPECT_TRUE(pointsOf({failing, sourceOf("b", {})}, failing.space).empty());
  EXPECT_TRUE(pointsOf({sourceOf("c", {{1, 1}})}, gridSpace({"y"}, 3)).empty());
  EXPECT_EQ(describeTransfer({failing}, failing.space), "");
  EXPECT_EQ(describeTransfer({sourceOf("d", {{1, 1}})}, failing.space),
            "1 configuration from d");
}

/// Sizes and shares of the extent are tried in turn.
TEST(FirstPointsTest, ReadsSharesAndSizes) {
  TransferSource source = sourceOf("a", {{2, 1}, {3, 2}});
  Space target = withExtent(source.space, "x", 30);
  // A space of an older version doesn't tell its extents.
  EXPECT_EQ(pointsOf({source}, target), (std::vector<double>{2, 3}));
  source.space = withExtent(source.space, "x", 10);
  EXPECT_EQ(pointsOf({source}, target), (std::vector<double>{6, 2, 9, 3}));
}

TEST(FirstPointsTest, KeepsTheInformativeTrials) {
  std::vector<TransferSource::Trial> trials;
  for (int64_t i = 0; i < 1000; ++i)
    trials.push_back({{i}, {double(1000 - i), true}});
  trials.push_back({{int64_t(-1)}, {}});
  std::vector<TransferSource::Trial> kept = informativeTrials(trials);
  ASSERT_EQ(kept.size(), 256u);
  for (size_t k = 0; k < 128; ++k)
    EXPECT_EQ(kept[k].observation.objective, double(k + 1));
  EXPECT_GT(kept.back().observation.objective, 990);
  std::vector<TransferSource::Trial> again = informativeTrials(kept);
  ASSERT_EQ(again.size(), kept.size());
  for (size_t k = 0; k < kept.size(); ++k)
    EXPECT_EQ(again[k].configuration, kept[k].configuration);
}
