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

// The peaks that data sheets have, in 10^12 operations per second, two for each
// multiply-add: those of dense products of f16 with sums in f32, and those of
// f32. For tensor cores some are for another clock than the boost clock: 1830
// MHz on the H100, 1860 MHz on the B200 and the B300. The Orin's is a quarter
// of its 170 for sparse products of i8, the GB10's an eighth of its 1000 for
// sparse ones of four bits.
TEST(NvidiaGpuTest, HasPublishedPeaks) {
  struct Row {
    const char *chip;
    double matrix, f32;
    int64_t clockMHz = 0;
  };
  for (Row row :
       {Row{"sm_70", 125, 15.7}, Row{"sm_75", 65, 8.1}, Row{"sm_80", 312, 19.5},
        Row{"sm_86", 125, 31.2}, Row{"sm_87", 42.5, 5.3},
        Row{"sm_89", 362, 91.6}, Row{"sm_90", 989, 66.9, 1830},
        Row{"sm_100", 2250, 75, 1860}, Row{"sm_103", 2250, 75, 1860},
        Row{"sm_120", 209.5, 104.8}, Row{"sm_121", 125, 31}}) {
    const NvidiaGpu *gpu = findNvidiaGpu(row.chip);
    auto peak = [&](int64_t perCycle, int64_t clock) {
      return 2e-6 * double(perCycle * gpu->multiprocessors * clock);
    };
    EXPECT_NEAR(
        peak(gpu->matrixPerCycle, row.clockMHz ? row.clockMHz : gpu->clockMHz),
        row.matrix, 0.02 * row.matrix)
        << row.chip;
    EXPECT_NEAR(peak(gpu->f32PerCycle, gpu->clockMHz), row.f32, 0.02 * row.f32)
        << row.chip;
  }
}

// 3.35e12 bytes and 1.98e9 cycles per second.
TEST(NvidiaGpuTest, GivesBandwidthPerCycle) {
  EXPECT_NEAR(findNvidiaGpu("sm_90")->memoryBytesPerCycle(), 3350. / 1.98,
              1e-9);
}
