//===- WorkspaceLayoutTest.cpp - Offsets of buffers that share memory -----===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/CPU/WorkspaceLayout.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>
#include <vector>

using namespace baco::target;

/// The most that is in use at one time: no layout is smaller.
static int64_t maxInUse(const std::vector<BufferLifetime> &buffers,
                        int64_t steps) {
  int64_t most = 0;
  for (int64_t step = 0; step < steps; ++step) {
    int64_t bytes = 0;
    for (const BufferLifetime &buffer : buffers)
      if (buffer.first <= step && step <= buffer.last)
        bytes += buffer.bytes;
    most = std::max(most, bytes);
  }
  return most;
}

TEST(WorkspaceLayoutTest, BuffersThatFollowEachOtherShareMemory) {
  WorkspaceLayout layout =
      layOutWorkspace({{100, 0, 1}, {300, 2, 3}, {200, 4, 4}}, 64);
  EXPECT_EQ(layout.bytes, 300);
  EXPECT_EQ(layout.offsets, (llvm::SmallVector<int64_t>{0, 0, 0}));
}

TEST(WorkspaceLayoutTest, OffsetsAreAligned) {
  WorkspaceLayout layout =
      layOutWorkspace({{100, 0, 1}, {100, 1, 2}, {100, 1, 3}}, 64);
  EXPECT_EQ(layout.bytes, 356);
  EXPECT_EQ(layout.offsets, (llvm::SmallVector<int64_t>{0, 128, 256}));
}

TEST(WorkspaceLayoutTest, TheSmallestGapIsTaken) {
  // Behind the first four are gaps of 256 and of 128 bytes, from the two that
  // are in use before the last one only.
  std::vector<BufferLifetime> buffers = {{1024, 0, 9}, {512, 0, 9}, {256, 0, 1},
                                         {256, 0, 9},  {128, 0, 1}, {128, 0, 9},
                                         {64, 2, 9}};
  WorkspaceLayout layout = layOutWorkspace(buffers, 64);
  EXPECT_EQ(layout.offsets[6], layout.offsets[4]);
  EXPECT_EQ(layout.bytes, 2304);
}

TEST(WorkspaceLayoutTest, NoMemory) {
  EXPECT_EQ(layOutWorkspace({}, 64).bytes, 0);
  EXPECT_EQ(layOutWorkspace({{0, 0, 1}, {0, 0, 1}}, 64).bytes, 0);
}

TEST(WorkspaceLayoutTest, NothingOverlapsWhatIsInUseAtTheSameTime) {
  std::mt19937 random(1);
  auto draw = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  double worst = 1;
  for (int round = 0; round < 500; ++round) {
    constexpr int64_t steps = 20;
    std::vector<BufferLifetime> buffers(draw(1, 25));
    for (BufferLifetime &buffer : buffers) {
      int64_t first = draw(0, steps - 1);
      buffer = {64 * draw(1, 100), first,
                std::min(first + draw(0, 8), steps - 1)};
    }
    WorkspaceLayout layout = layOutWorkspace(buffers, 64);
    int64_t end = 0;
    for (size_t i = 0; i < buffers.size(); ++i) {
      EXPECT_GE(layout.offsets[i], 0);
      EXPECT_EQ(layout.offsets[i] % 64, 0);
      end = std::max(end, layout.offsets[i] + buffers[i].bytes);
      for (size_t j = 0; j < i; ++j)
        if (buffers[i].first <= buffers[j].last &&
            buffers[j].first <= buffers[i].last)
          EXPECT_TRUE(
              layout.offsets[i] + buffers[i].bytes <= layout.offsets[j] ||
              layout.offsets[j] + buffers[j].bytes <= layout.offsets[i]);
    }
    EXPECT_EQ(layout.bytes, end);
    int64_t bound = maxInUse(buffers, steps);
    EXPECT_GE(layout.bytes, bound);
    worst = std::max(worst, static_cast<double>(layout.bytes) / bound);
  }
  EXPECT_LT(worst, 1.5);
}
