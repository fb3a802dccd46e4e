//===- MutationTest.cpp - Tests of random changes -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/Moves.h"

#include "TestSpaces.h"
#include "baco/Expression/Permutation.h"

#include <map>
#include <set>

using namespace baco;
using namespace baco::search;

/// 3 other values in 3000 draws: 1000 each, with standard deviation 26.
TEST(MutationTest, UniformlyOverTheOtherValues) {
  Random random(3);
  for (const Parameter &parameter :
       {get(Parameter::integer("i", 5, 8)),
        get(Parameter::categorical("c",
                                   {std::string("a"), std::string("b"),
                                    std::string("c"), std::string("d")}))}) {
    std::map<double, int> counts;
    for (int draw = 0; draw < 3000; ++draw)
      ++counts[uniformlyMutated(parameter, 2, random)];
    EXPECT_EQ(counts.size(), 3u);
    EXPECT_FALSE(counts.contains(2));
    for (auto [coordinate, count] : counts)
      EXPECT_NEAR(count, 1000, 4 * 26);
  }
}

TEST(MutationTest, MovesByAShareOfTheRange) {
  Parameter number = get(Parameter::integer("i", 100, 200, 10));
  EXPECT_EQ(moved(number, 3, 0.2), 5);
  EXPECT_EQ(moved(number, 3, -0.2), 1);
  EXPECT_EQ(moved(number, 9, 0.2), 10);
  EXPECT_EQ(moved(number, 0, -0.2), 0);
  // At least one value.
  EXPECT_EQ(moved(number, 3, 1e-6), 4);
  EXPECT_EQ(moved(number, 3, -1e-6), 2);
  Parameter real = get(Parameter::real("r", 1, 100, /*log=*/true));
  EXPECT_NEAR(moved(real, 1, 0.5), 10, 1e-9);
  EXPECT_DOUBLE_EQ(moved(real, 50, 0.5), 100);
}

TEST(MutationTest, SingleValuesStay) {
  Random random(1);
  Parameter one = get(Parameter::integer("i", 7, 7));
  Parameter order = get(Parameter::permutation("p", 1));
  EXPECT_FALSE(isFree(one));
  EXPECT_FALSE(isFree(order));
  EXPECT_TRUE(isFree(get(Parameter::boolean("b"))));
  EXPECT_EQ(uniformlyMutated(one, 0, random), 0);
  EXPECT_EQ(moved(one, 0, 0.3), 0);
  EXPECT_EQ(normallyMutated(one, 0, 0.3, random), 0);
  EXPECT_EQ(normallyMutated(order, 0, 0.3, random), 0);
}

/// |N(0, 1)| has the mean sqrt(2 / pi); 2000 draws of it have a standard error
/// of 0.6 / sqrt(2000).
TEST(MutationTest, NumbersMoveNormally) {
  Random random(4);
  Parameter number = get(Parameter::integer("i", 0, 1000));
  double sum = 0;
  for (int draw = 0; draw < 2000; ++draw) {
    double there = normallyMutated(number, 500, 0.1, random);
    EXPECT_NE(there, 500);
    sum += std::abs(there - 500) / 100;
  }
  EXPECT_NEAR(sum / 2000, std::sqrt(2 / M_PI), 0.06);
  // At the ends, inwards.
  for (int draw = 0; draw < 100; ++draw) {
    EXPECT_GT(normallyMutated(number, 0, 0.1, random), 0);
    EXPECT_LT(normallyMutated(number, 1000, 0.1, random), 1000);
  }
}

TEST(MutationTest, OrdersSwapOrMoveOneElement) {
  constexpr int n = 5;
  Parameter parameter = get(Parameter::permutation("p", n));
  const Permutation start = {3, 0, 4, 1, 2};
  std::set<Permutation> expected;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (i == j)
        continue;
      Permutation swapped = start, inserted = start;
      std::swap(swapped[i], swapped[j]);
      inserted.erase(inserted.begin() + i);
      inserted.insert(inserted.begin() + j, start[i]);
      expected.insert({swapped, inserted});
    }
  Random random(5);
  std::set<Permutation> seen;
  for (int draw = 0; draw < 2000; ++draw) {
    double there = normallyMutated(
        parameter, parameter.coordinate(rankOf(start)), 0.1, random);
    seen.insert(permutationAt(n, *parameter.index(there)));
  }
  EXPECT_EQ(seen, expected);
}
