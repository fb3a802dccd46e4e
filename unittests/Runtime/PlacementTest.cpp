//===- PlacementTest.cpp - Tests of random places in memory ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Verification/Placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

using namespace baco::runtime;

TEST(PlacementTest, UsualStaggersAreOddLinesOfTheirOwn) {
  std::set<size_t> seen;
  for (size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(usualStagger(i) % 128, 64u) << i;
    EXPECT_LT(usualStagger(i), 4096u) << i;
    seen.insert(usualStagger(i));
  }
  EXPECT_EQ(seen.size(), 32u);
  EXPECT_EQ(usualStagger(0), 320u);
  EXPECT_EQ(usualStagger(1), 960u);
}

TEST(PlacementTest, DrawsWithinTheRanges) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    Placement placement = drawPlacement(seed, 1, 3);
    ASSERT_TRUE(placement.codeOffset);
    EXPECT_FALSE(placement.usesHugePages);
    EXPECT_LT(*placement.codeOffset, 4096u);
    EXPECT_EQ(*placement.codeOffset % codeAlignment, 0u);
    EXPECT_LT(placement.gapBytes, size_t(1) << 20);
    EXPECT_EQ(placement.gapBytes % 4096, 0u);
    EXPECT_LT(placement.stackBytes, 4096u);
    EXPECT_EQ(placement.stackBytes % 16, 0u);
    EXPECT_LT(placement.heapBytes, 4096u);
    EXPECT_EQ(placement.heapBytes % 16, 0u);
    ASSERT_EQ(placement.staggers.size(), 3u);
    for (size_t stagger : placement.staggers) {
      EXPECT_EQ(stagger % 128, 64u);
      EXPECT_LT(stagger, 4096u);
    }
  }
}

/// The distance of two places in a page.
static size_t distance(size_t a, size_t b) {
  size_t apart = (a + 4096 - b) % 4096;
  return std::min(apart, 4096 - apart);
}

TEST(PlacementTest, ArgumentsDoNotComeCloser) {
  constexpr size_t numArguments = 5;
  size_t least = 4096, leastUsual = 4096;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Placement placement = drawPlacement(seed, 0, numArguments);
    for (size_t i = 0; i < numArguments; ++i)
      for (size_t j = 0; j < i; ++j) {
        least = std::min(
            least, distance(placement.staggers[i], placement.staggers[j]));
        leastUsual =
            std::min(leastUsual, distance(usualStagger(i), usualStagger(j)));
      }
  }
  EXPECT_EQ(least, leastUsual);
}

/// Each of 256 offsets of the code is drawn about as often as the others: a
/// constant bias would be one of a few places.
TEST(PlacementTest, AllOffsetsAreDrawn) {
  constexpr int draws = 25600;
  std::vector<int> codes(256), stacks(256);
  for (int i = 0; i < draws; ++i) {
    Placement placement = drawPlacement(i, 3, 1);
    ++codes[*placement.codeOffset / 16];
    ++stacks[placement.stackBytes / 16];
  }
  // Chi-squared with 255 degrees of freedom: mean 255, deviation 22.6.
  auto chiSquared = [](const std::vector<int> &counts) {
    double sum = 0;
    for (int count : counts)
      sum += (count - 100.0) * (count - 100.0) / 100.0;
    return sum;
  };
  EXPECT_LT(chiSquared(codes), 255 + 5 * 22.6);
  EXPECT_GT(chiSquared(codes), 255 - 5 * 22.6);
  EXPECT_LT(chiSquared(stacks), 255 + 5 * 22.6);
}

TEST(PlacementTest, IsThatOfSeedAndIndex) {
  Placement one = drawPlacement(5, 2, 4), same = drawPlacement(5, 2, 4);
  EXPECT_EQ(one.codeOffset, same.codeOffset);
  EXPECT_EQ(one.staggers, same.staggers);
  EXPECT_EQ(one.gapBytes, same.gapBytes);
  int sameData = 0, sameCode = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Placement first = drawPlacement(seed, 0, 4);
    Placement other = drawPlacement(seed, 1, 4);
    // Of one comparison: data alike, code elsewhere.
    EXPECT_EQ(first.staggers, other.staggers);
    EXPECT_EQ(first.stackBytes, other.stackBytes);
    EXPECT_EQ(first.heapBytes, other.heapBytes);
    EXPECT_EQ(first.gapBytes, other.gapBytes);
    sameCode += first.codeOffset == other.codeOffset;
    Placement next = drawPlacement(seed + 1, 0, 4);
    sameCode += first.codeOffset == next.codeOffset;
    sameData += first.stackBytes == next.stackBytes;
  }
  EXPECT_LE(sameCode, 5);
  EXPECT_LE(sameData, 5);
}
