//===- GeneticAlgorithmTest.cpp - Tests of the population -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/GeneticAlgorithm.h"

#include "TestSpaces.h"

#include <set>

using namespace baco;
using namespace baco::search;

/// A population with two values per parameter only breeds these, except for one
/// parameter of the tenth that mutates.
TEST(GeneticAlgorithmTest, ChildrenTakeTheirParentsValues) {
  std::vector<std::string> names;
  for (char c = 'a'; c <= 'l'; ++c)
    names.emplace_back(1, c);
  GeneticAlgorithm search(gridSpace(names, 1000), 7);
  std::vector<std::set<int64_t>> values(names.size());
  int mutants = 0;
  for (int k = 0; k < 40; ++k) {
    Configuration c = get(search.ask())->configuration;
    int foreign = 0;
    for (size_t p = 0; p < c.size(); ++p)
      foreign += values[p].insert(std::get<int64_t>(c[p])).second;
    if (k >= 20) {
      EXPECT_LE(foreign, 1);
      mutants += foreign;
    }
    ASSERT_TRUE(search.tell(k, {1.0 + k, true}));
  }
  // Binomial with n = 20 and p = 0.1: more with a probability of 1e-4.
  EXPECT_LE(mutants, 8);
}

/// What is good in one half of the population and what is good in the other
/// come together.
TEST(GeneticAlgorithmTest, Improves) {
  std::vector<std::string> names = {"a", "b", "c", "d", "e", "f"};
  double first = INFINITY, last = INFINITY;
  GeneticAlgorithm search(gridSpace(names, 10), 7);
  for (int k = 0; k < 200; ++k) {
    double cost = 1;
    Configuration c = get(search.ask())->configuration;
    for (const ParameterValue &value : c)
      cost += static_cast<double>(std::get<int64_t>(value));
    ASSERT_TRUE(search.tell(k, {cost, true}));
    (k < 20 ? first : last) = std::min(k < 20 ? first : last, cost);
  }
  EXPECT_LE(last, first / 2);
}

/// Crossing points of a diagonal leaves it: they are bred again or repaired.
TEST(GeneticAlgorithmTest, ChildrenAreFeasible) {
  Space space = get(Space::create({get(Parameter::integer("x", 0, 99)),
                                   get(Parameter::integer("y", 0, 99))},
                                  {constraint("x == y")}));
  GeneticAlgorithm search(space, 7);
  for (int k = 0; k < 100; ++k) {
    auto suggestion = get(search.ask());
    ASSERT_TRUE(suggestion);
    EXPECT_TRUE(space.check(suggestion->configuration));
    ASSERT_TRUE(search.tell(k, {1.0, true}));
  }
  EXPECT_FALSE(get(search.ask()));
}
