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
  EXPECT_EQ(listNvidiaChips(), "sm_70, sm_75, sm_80, sm_86, sm_87, sm_89, "
                               "sm_90, sm_100, sm_103, sm_120, sm_121");
}

// NVIDIA: cuda_occupancy.h of CUDA 13.0, and libcu++'s arch_traits.h, which
// doesn't have sm_87 and sm_121.
TEST(NvidiaGpuTest, HasPublishedLimits) {
  struct Row {
    const char *chip;
    int64_t warps, blocks, sharedKiB, sharedOfBlockKiB;
  };
  for (Row row :
       {Row{"sm_70", 64, 32, 96, 96}, Row{"sm_75", 32, 16, 64, 64},
        Row{"sm_80", 64, 32, 164, 163}, Row{"sm_86", 48, 16, 100, 99},
        Row{"sm_87", 48, 16, 164, 163}, Row{"sm_89", 48, 24, 100, 99},
        Row{"sm_90", 64, 32, 228, 227}, Row{"sm_100", 64, 32, 228, 227},
        Row{"sm_103", 64, 32, 228, 227}, Row{"sm_120", 48, 24, 100, 99},
        Row{"sm_121", 48, 24, 100, 99}}) {
    const NvidiaGpu *gpu = findNvidiaGpu(row.chip);
    ASSERT_TRUE(gpu) << row.chip;
    EXPECT_EQ(gpu->maxResidentThreads, row.warps * nvidia::warpSize);
    EXPECT_EQ(gpu->maxResidentBlocks, row.blocks);
    EXPECT_EQ(gpu->sharedBytes, row.sharedKiB << 10);
    EXPECT_EQ(gpu->maxDynamicShared, row.sharedOfBlockKiB << 10);
    EXPECT_EQ(gpu->maxDynamicShared + gpu->reservedShared, gpu->sharedBytes);
  }
}

// The peaks of dense products of f16 with sums in f32 that data sheets have, in
// 10^12 operations per second: two for each multiply-add. That of the H100 is
// for a clock of 1830 MHz.
TEST(NvidiaGpuTest, HasPublishedPeaks) {
  struct Row {
    const char *chip;
    double peak;
    int64_t clockMHz = 0;
  };
  for (Row row : {Row{"sm_70", 125}, Row{"sm_75", 65}, Row{"sm_80", 312},
                  Row{"sm_86", 125}, Row{"sm_89", 362}, Row{"sm_90", 989, 1830},
                  Row{"sm_120", 209.5}}) {
    const NvidiaGpu *gpu = findNvidiaGpu(row.chip);
    int64_t clock = row.clockMHz ? row.clockMHz : gpu->clockMHz;
    EXPECT_NEAR(2e-6 *
                    double(gpu->matrixPerCycle * gpu->multiprocessors * clock),
                row.peak, 0.02 * row.peak)
        << row.chip;
  }
}

// 3.35e12 bytes and 1.98e9 cycles per second.
TEST(NvidiaGpuTest, GivesBandwidthPerCycle) {
  EXPECT_NEAR(findNvidiaGpu("sm_90")->memoryBytesPerCycle(), 3350. / 1.98,
              1e-9);
}
