//===- DifferentialEvolutionTest.cpp - Tests of the population ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/DifferentialEvolution.h"

#include "Ledger.h"
#include "TestSpaces.h"

using namespace baco;
using namespace baco::search;

using Points = std::vector<Point>;

static double distanceTo(const Point &p, double x) {
  double sum = 0;
  for (double coordinate : p)
    sum += std::abs(coordinate - x);
  return sum;
}

/// With a crossover rate of 0, a challenger differs from its member in at most
/// one parameter; members are challenged in turn, and the cheaper one stays.
TEST(DifferentialEvolutionTest, ChallengesMembersInTurn) {
  DifferentialEvolution search(gridSpace({"x", "y", "z"}, 1000),
                               {/*populationSize=*/5, /*crossoverRate=*/0});
  Ledger ledger([](const Point &p) { return distanceTo(p, 700); });
  Random random(1);
  Points population = search.next(ledger.view(), random);
  ASSERT_EQ(population.size(), 5u);
  ledger.evaluate(population);
  int replaced = 0;
  for (int k = 0; k < 200; ++k) {
    Points batch = search.next(ledger.view(), random);
    ASSERT_EQ(batch.size(), 1u);
    Point &member = population[k % 5];
    int changed = 0;
    for (size_t i = 0; i < 3; ++i)
      changed += batch[0][i] != member[i];
    EXPECT_LE(changed, 1);
    if (ledger.evaluate(batch[0]) <= distanceTo(member, 700)) {
      replaced += changed;
      member = batch[0];
    }
  }
  EXPECT_GT(replaced, 5);
}

/// x1 + F (x2 - x3) with two different members besides the challenged one, or
/// the best of all; F in [0.5, 1).
TEST(DifferentialEvolutionTest, AddsDifferences) {
  Space space = get(Space::create({get(Parameter::integer("x", 0, 1000000))}));
  DifferentialEvolution search(space, {/*populationSize=*/4, 1});
  // Only what the test evaluates is known: all members stay.
  Ledger ledger([](const Point &) { return INFINITY; });
  Random random(1);
  Points p = search.next(ledger.view(), random);
  Points batch = search.next(ledger.view(), random);
  bool isCombination = false;
  for (int i : {1, 2, 3})
    for (int j : {1, 2, 3})
      for (int k : {1, 2, 3}) {
        if (i == j || j == k || i == k)
          continue;
        double f = (batch[0][0] - p[i][0]) / (p[j][0] - p[k][0]);
        isCombination |= f >= 0.499 && f < 1.001;
      }
  EXPECT_TRUE(isCombination || batch[0][0] == 0 || batch[0][0] == 1000000);
}

TEST(DifferentialEvolutionTest, ImprovesOnAllKindsOfParameters) {
  Space space = mixedSpace();
  DifferentialEvolution search(space);
  Ledger ledger(
      [&](const Point &p) { return mixedCost(space.toConfiguration(p)); });
  Random random(1);
  for (int k = 0; k < 1500; ++k)
    for (const Point &point : search.next(ledger.view(), random)) {
      ASSERT_TRUE(space.isFeasible(point));
      ledger.evaluate(point);
    }
  EXPECT_EQ(*ledger.view().cost(*ledger.view().best), 1);
}
