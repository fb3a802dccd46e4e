//===- BatchSearchTest.cpp - Tests of the queue of batches ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/BatchSearch.h"

#include "Ledger.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::search;

namespace {

/// Wants the batches of a script; the last one again and again. Decided when
/// the first point of a batch costs less than 0.
struct Script : BatchSearch {
  explicit Script(std::vector<std::vector<Point>> batches)
      : batches(std::move(batches)) {}

  std::vector<Point> next(const Evaluations &known, Random &random) override {
    ++calls;
    current = batches[std::min(position++, batches.size() - 1)];
    return current;
  }
  bool isDecided(const Evaluations &known) const override {
    return !current.empty() && known.costOrWorst(current.front()) < 0;
  }

  std::vector<std::vector<Point>> batches;
  std::vector<Point> current;
  size_t position = 0;
  int calls = 0;
};

class BatchQueueTest : public testing::Test {
protected:
  BatchQueueTest() : ledger([](const Point &point) { return point[0]; }) {}

  /// The next point, which is pending from then on.
  std::optional<Point> ask(BatchQueue &queue) {
    std::optional<Point> point = queue.next(ledger.view(), random);
    if (point)
      ledger.begin(*point);
    return point;
  }

  Ledger ledger;
  Random random{1};
};

} // namespace

TEST_F(BatchQueueTest, WaitsForTheWholeBatch) {
  BatchQueue queue(std::make_unique<Script>(
      std::vector<std::vector<Point>>{{{1}, {2}}, {{3}}}));
  EXPECT_EQ(ask(queue), Point{1});
  EXPECT_EQ(ask(queue), Point{2});
  EXPECT_FALSE(ask(queue));
  ledger.evaluate(Point{2});
  EXPECT_FALSE(ask(queue));
  ledger.evaluate(Point{1});
  EXPECT_EQ(ask(queue), Point{3});
}

TEST_F(BatchQueueTest, KnownAndEqualPointsAreFree) {
  BatchQueue queue(std::make_unique<Script>(
      std::vector<std::vector<Point>>{{{1}, {2}}, {{2}, {1}}, {{5}, {5}}}));
  ledger.evaluate(Point{1});
  EXPECT_EQ(ask(queue), Point{2});
  ledger.evaluate(Point{2});
  EXPECT_EQ(ask(queue), Point{5});
  EXPECT_FALSE(ask(queue));
}

TEST_F(BatchQueueTest, GivesUpOnRepetition) {
  auto script =
      std::make_unique<Script>(std::vector<std::vector<Point>>{{{1}}});
  Script &search = *script;
  BatchQueue queue(std::move(script));
  ledger.evaluate(Point{1});
  EXPECT_FALSE(ask(queue));
  EXPECT_GE(search.calls, 10);
  EXPECT_LE(search.calls, 1000);
}

TEST_F(BatchQueueTest, DecidedBatchesAreAbandoned) {
  BatchQueue queue(std::make_unique<Script>(
      std::vector<std::vector<Point>>{{{-1}, {2}, {3}, {4}}, {{3}, {5}}}));
  for (double x : {-1, 2, 3})
    EXPECT_EQ(ask(queue), Point{x});
  EXPECT_TRUE(queue.unwanted(ledger.view()).empty());
  ledger.evaluate(Point{-1});
  EXPECT_EQ(queue.unwanted(ledger.view()), (std::vector<Point>{{2}, {3}}));
  // 4 isn't asked for any more, and 3 is wanted again.
  EXPECT_EQ(ask(queue), Point{5});
  EXPECT_EQ(queue.unwanted(ledger.view()), (std::vector<Point>{{2}}));
  EXPECT_FALSE(ask(queue));
  ledger.evaluate(Point{2});
  EXPECT_TRUE(queue.unwanted(ledger.view()).empty());
}
