//===- ExhaustiveSearchTest.cpp - Tests of enumeration --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/ExhaustiveSearch.h"

#include "TestSpaces.h"

using namespace baco;
using namespace baco::search;

TEST(ExhaustiveSearchTest, EverythingInOrder) {
  Space space = mixedSpace();
  ExhaustiveSearch search(space);
  for (uint64_t k = 0; k < *space.countIfSmall(); ++k) {
    auto suggestion = get(search.ask());
    ASSERT_TRUE(suggestion);
    EXPECT_EQ(suggestion->configuration, space.toConfiguration(space.at(k)));
    EXPECT_EQ(suggestion->state, "");
  }
  EXPECT_FALSE(get(search.ask()));
  EXPECT_FALSE(get(search.ask()));
}

TEST(ExhaustiveSearchTest, OneConfiguration) {
  ExhaustiveSearch search(gridSpace({"x", "y"}, 1));
  EXPECT_TRUE(get(search.ask()));
  EXPECT_FALSE(get(search.ask()));
}

TEST(ExhaustiveSearchTest, GoesOnAfterRestore) {
  Space space = gridSpace({"x"}, 5);
  ExhaustiveSearch search(space);
  ASSERT_TRUE(search.restore({{{0, {int64_t(0)}, ""}, Observation{1, true}},
                              {{1, {int64_t(3)}, ""}, {}}}));
  for (int64_t expected : {1, 2, 4})
    EXPECT_EQ(get(search.ask())->configuration, Configuration{expected});
  EXPECT_FALSE(get(search.ask()));
}
