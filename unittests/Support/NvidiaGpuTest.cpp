//===- NvidiaGpuTest.cpp - Tests of the table of GPUs ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <gtest/gtest.h>

#include "baco/Support/NvidiaGpu.h"

using namespace baco;

TEST(NvidiaGpuTest, FindsChipsAndTheirVariants) {
  const NvidiaGpu *hopper = findNvidiaGpu("sm_90");
  ASSERT_TRUE(hopper);
  EXPECT_EQ(findNvidiaGpu("sm_90a"), hopper);
  EXPECT_EQ(findNvidiaGpu("sm_100f"), findNvidiaGpu("sm_100"));
  for (const char *unknown : {"", "a", "sm_9", "sm_60", "sm_900", "SM_90"})
    EXPECT_FALSE(findNvidiaGpu(unknown)) << unknown;
}

TEST(NvidiaGpuTest, ListsThem) {
  EXPECT_EQ(listNvidiaChips(), "sm_70, sm_75, sm_80, sm_86, sm_89, sm_90, "
                               "sm_100, sm_120");
}

// NVIDIA, CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability".
TEST(NvidiaGpuTest, HasPublishedLimits) {
  struct Row {
    const char *chip;
    int64_t warps, blocks, sharedKiB, sharedOfBlockKiB;
  };
  for (Row row :
       {Row{"sm_70", 64, 32, 96, 96}, Row{"sm_75", 32, 16, 64, 64},
        Row{"sm_80", 64, 32, 164, 163}, Row{"sm_86", 48, 16, 100, 99},
        Row{"sm_89", 48, 24, 100, 99}, Row{"sm_90", 64, 32, 228, 227},
        Row{"sm_100", 64, 32, 228, 227}, Row{"sm_120", 48, 24, 100, 99}}) {
    const NvidiaGpu *gpu = findNvidiaGpu(row.chip);
    ASSERT_TRUE(gpu) << row.chip;
    EXPECT_EQ(gpu->maxResidentThreads, row.warps * nvidia::warpSize);
    EXPECT_EQ(gpu->maxResidentBlocks, row.blocks);
    EXPECT_EQ(gpu->sharedBytes, row.sharedKiB << 10);
    EXPECT_EQ(gpu->maxDynamicShared, row.sharedOfBlockKiB << 10);
    EXPECT_EQ(gpu->maxDynamicShared + gpu->reservedShared, gpu->sharedBytes);
  }
}

// 3.35e12 bytes and 1.98e9 cycles per second.
TEST(NvidiaGpuTest, GivesBandwidthPerCycle) {
  EXPECT_NEAR(findNvidiaGpu("sm_90")->memoryBytesPerCycle(), 3350. / 1.98,
              1e-9);
}
