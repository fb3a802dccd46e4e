//===- GreedyMutationTest.cpp - Tests of greedy mutation ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/GreedyMutation.h"

#include "Ledger.h"
#include "TestSpaces.h"

using namespace baco;
using namespace baco::search;

/// Of 8 parameters one is changed for sure, each other one with probability
/// `rate`: 1 + 7 rate in the mean; the standard deviation is at most 1.4.
TEST(GreedyMutationTest, ChangesAtLeastOneParameterOfTheBest) {
  Space space = gridSpace({"a", "b", "c", "d", "e", "f", "g", "h"}, 9);
  Ledger ledger([](const Point &p) { return p[0]; });
  const Point best(8, 4);
  ledger.evaluate({best, Point(8, 7)});
  for (std::optional<double> deviation : {std::optional<double>(), {0.1}})
    for (double rate : {0.0, 0.3, 1.0}) {
      GreedyMutation search(space, rate, deviation);
      Random random(5);
      double sum = 0;
      for (int draw = 0; draw < 1000; ++draw) {
        Point point = search.next(ledger.view(), random).front();
        int changed = 0;
        for (size_t k = 0; k < 8; ++k)
          changed += point[k] != best[k];
        EXPECT_GE(changed, 1);
        sum += changed;
      }
      EXPECT_NEAR(sum / 1000, 1 + 7 * rate, 4 * 1.4 / std::sqrt(1000.0));
    }
}

TEST(GreedyMutationTest, DoesNotWait) {
  Space space = gridSpace({"a", "b"}, 50);
  Ledger ledger([](const Point &p) { return p[0]; });
  BatchQueue queue(std::make_unique<GreedyMutation>(space, 0.5));
  Random random(5);
  for (int k = 0; k < 100; ++k) {
    std::optional<Point> point = queue.next(ledger.view(), random);
    ASSERT_TRUE(point);
    ASSERT_FALSE(ledger.view().wasAsked(*point));
    ledger.begin(*point);
  }
}
