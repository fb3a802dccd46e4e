//===- SearchProgressTest.cpp - How far a search has come -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Progress.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace baco;
using namespace baco::search;

TEST(SearchProgressTest, LooksBack) {
  SearchProgress progress = progressOf20();
  EXPECT_EQ(progress.spaceSize, 20);
  EXPECT_TRUE(std::isinf(progress.best()));
  for (size_t k = 0; k < costs.size(); ++k)
    progress.add(double(k + 1), costs[k]);
  EXPECT_EQ(progress.evaluations(), 12u);
  EXPECT_EQ(progress.seconds, 12);
  EXPECT_EQ(progress.best(), 39);
  EXPECT_EQ(progress.bestBefore(3), 39);
  EXPECT_EQ(progress.bestBefore(4), 78);
  EXPECT_EQ(progress.bestBefore(10), 100);
  EXPECT_TRUE(std::isinf(progress.bestBefore(11)));
  EXPECT_TRUE(std::isinf(progress.bestBefore(12)));
  EXPECT_TRUE(std::isinf(progress.bestAt(0.5)));
  EXPECT_TRUE(std::isinf(progress.bestAt(1)));
  EXPECT_EQ(progress.bestAt(2), 100);
  EXPECT_EQ(progress.bestAt(8.5), 78);
  EXPECT_EQ(progress.bestAt(100), 39);
}

TEST(SearchProgressTest, SizeOfLargeAndInfiniteSpaces) {
  std::vector<Parameter> parameters;
  for (int k = 0; k < 30; ++k)
    parameters.push_back(*Parameter::integer("p" + std::to_string(k), 1, 10));
  EXPECT_EQ(SearchProgress(*Space::create(parameters)).spaceSize, 1e30);
  parameters.push_back(*Parameter::real("r", 0, 1));
  EXPECT_TRUE(std::isinf(SearchProgress(*Space::create(parameters)).spaceSize));
}
