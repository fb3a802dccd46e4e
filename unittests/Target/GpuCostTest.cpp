//===- GpuCostTest.cpp - Tests of the model of GPUs -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expected values are calculated by hand, as the comments say.
//
//===----------------------------------------------------------------------===//

#include "baco/CostModel/GpuCost.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::target;

static int64_t residentOn(const char *chip, BlockNeeds needs) {
  return countResidentBlocks(*findNvidiaGpu(chip), needs);
}

TEST(OccupancyTest, IsLimitedByThreadsAndBlocks) {
  EXPECT_EQ(residentOn("sm_90", {.threads = 256}), 8);  // 2048 / 256
  EXPECT_EQ(residentOn("sm_86", {.threads = 1024}), 1); // 1536 / 1024
  EXPECT_EQ(residentOn("sm_90", {.threads = 32}), 32);
  EXPECT_EQ(residentOn("sm_75", {.threads = 32}), 16);
  // Seven warps each, of which the last one isn't full: 64 / 7.
  EXPECT_EQ(residentOn("sm_90", {.threads = 200}), 9);
}

TEST(OccupancyTest, IsLimitedByRegisters) {
  // A warp gets 64 * 32 = 2048, and each of four parts has 16384: 8 warps.
  EXPECT_EQ(residentOn("sm_90", {.threads = 256, .registers = 64}), 4);
  // 65 * 32 become 2304: 7 warps in each part, 28 in all.
  EXPECT_EQ(residentOn("sm_90", {.threads = 256, .registers = 65}), 3);
  // 255 * 32 become 8192: 2 warps in each part.
  EXPECT_EQ(residentOn("sm_80", {.threads = 256, .registers = 255}), 1);
  EXPECT_EQ(residentOn("sm_80", {.threads = 288, .registers = 255}), 0);
}

TEST(OccupancyTest, IsLimitedBySharedMemory) {
  // 40 KiB and the reserved one are 41984 bytes, of 167936.
  EXPECT_EQ(residentOn("sm_80", {.threads = 64, .sharedBytes = 40960}), 4);
  EXPECT_EQ(residentOn("sm_80", {.threads = 64, .sharedBytes = 40961}), 3);
  EXPECT_EQ(residentOn("sm_90", {.threads = 64, .sharedBytes = 227 << 10}), 1);
  EXPECT_EQ(residentOn("sm_90", {.threads = 64, .sharedBytes = 228 << 10}), 0);
  // Nothing is reserved.
  EXPECT_EQ(residentOn("sm_70", {.threads = 64, .sharedBytes = 48 << 10}), 2);
}

TEST(OccupancyTest, GivesThreadsTheirRegisters) {
  EXPECT_EQ(limitRegisters(32), 255);
  EXPECT_EQ(limitRegisters(256), 255);
  EXPECT_EQ(limitRegisters(512), 128);
  EXPECT_EQ(limitRegisters(768), 80); // 65536 / 768 = 85.3
  EXPECT_EQ(limitRegisters(1024), 64);
}

// 2^28 bytes are read and as many written: more than the L2 cache has, and far
// more time than the multiprocessors need.
TEST(GpuBoundsTest, CoalescedCopyTakesBytesByBandwidth) {
  const NvidiaGpu &gpu = *findNvidiaGpu("sm_90");
  KernelWork work;
  work.needs = {.threads = 256, .registers = 16};
  work.blocks = 1 << 18;
  double bytes = 1 << 28;
  // 256 threads with four bytes each.
  work.buffers = {{32, bytes}, {32, bytes}};
  work.instructions = 8 * 10;
  work.accessCycles = 8 * 2;
  work.latency = 500;
  GpuBounds bounds = boundKernel(gpu, work);
  EXPECT_DOUBLE_EQ(bounds.memory, 2 * bytes / (3350e9 / 1.98e9));
  EXPECT_DOUBLE_EQ(bounds.l2, 2 * bytes / (132 * 32));
  EXPECT_EQ(bounds.largest(), bounds.memory);
  EXPECT_DOUBLE_EQ(bounds.total(),
                   bounds.memory + (bounds.l2 + bounds.multiprocessor) / 8);
}

// What fits into the L2 cache is read from memory once, however often blocks
// read it; of what doesn't, each wave reads all at most.
TEST(GpuBoundsTest, CacheKeepsWhatFits) {
  const NvidiaGpu &gpu = *findNvidiaGpu("sm_90");
  KernelWork work;
  work.needs = {.threads = 1024, .registers = 32};
  work.blocks = 132 * 2 * 3; // three waves of two blocks on each
  double small = 1 << 20, large = 1 << 28;
  work.buffers = {{small / 32, small}};
  EXPECT_DOUBLE_EQ(boundKernel(gpu, work).memory * gpu.memoryBytesPerCycle(),
                   small);
  work.buffers = {{large / 32, large}};
  EXPECT_DOUBLE_EQ(boundKernel(gpu, work).memory * gpu.memoryBytesPerCycle(),
                   3 * large);
  // Of unknown size.
  work.buffers = {{1, 0}};
  EXPECT_DOUBLE_EQ(boundKernel(gpu, work).memory * gpu.memoryBytesPerCycle(),
                   32.0 * static_cast<double>(work.blocks));
}

// 8 warps of 1000 multiply-adds each: 256000 by 128 in a cycle are 2000; to
// issue them, with nothing else, takes as long.
TEST(GpuBoundsTest, ComputesInWaves) {
  const NvidiaGpu &gpu = *findNvidiaGpu("sm_90");
  KernelWork work;
  work.needs = {.threads = 256, .registers = 64};
  work.at(GpuUnit::F32) = 256000;
  work.instructions = 8000;
  work.blocks = 132;
  EXPECT_DOUBLE_EQ(boundKernel(gpu, work).multiprocessor, 2000);
  work.blocks = 133; // one has two
  EXPECT_DOUBLE_EQ(boundKernel(gpu, work).multiprocessor, 4000);
  // Five blocks where four are resident: a wave of four, and one of one, which
  // takes as long as a warp alone.
  work.blocks = 132 * 5;
  work.latency = 6000;
  EXPECT_DOUBLE_EQ(boundKernel(gpu, work).multiprocessor, 8000 + 6000);
  // Half as many units, and seven blocks on one of 108 multiprocessors.
  work.latency = 0;
  EXPECT_DOUBLE_EQ(boundKernel(*findNvidiaGpu("sm_80"), work).multiprocessor,
                   7 * 4000);
}

TEST(GpuBoundsTest, BusiestUnitCounts) {
  const NvidiaGpu &gpu = *findNvidiaGpu("sm_90");
  KernelWork work;
  work.needs = {.threads = 128};
  work.at(GpuUnit::F32) = 1280;      // 10 cycles
  work.at(GpuUnit::F64) = 6400;      // 100
  work.at(GpuUnit::Special) = 3200;  // 200
  work.at(GpuUnit::Matrix) = 614400; // 300
  EXPECT_DOUBLE_EQ(boundKernel(gpu, work).multiprocessor, 300);
  work.accessCycles = 400;
  EXPECT_DOUBLE_EQ(boundKernel(gpu, work).multiprocessor, 400);
  work.instructions = 2000;
  EXPECT_DOUBLE_EQ(boundKernel(gpu, work).multiprocessor, 500);
  work.buffers = {{1200, 0}}; // 38400 bytes through a port of 64
  EXPECT_DOUBLE_EQ(boundKernel(gpu, work).multiprocessor, 600);
}

// A warp multiplies on a quarter of the units; four blocks of one warp, or one
// of four, have all.
TEST(GpuBoundsTest, WarpsHaveTheUnitsOfTheirPart) {
  const NvidiaGpu &gpu = *findNvidiaGpu("sm_90");
  KernelWork work;
  work.needs = {.threads = 32, .registers = 64};
  work.at(GpuUnit::Matrix) = 2048000;
  work.blocks = 132;
  double alone = boundKernel(gpu, work).multiprocessor;
  EXPECT_DOUBLE_EQ(alone, 4 * 2048000.0 / gpu.matrixPerCycle);
  work.blocks = 4 * 132;
  EXPECT_DOUBLE_EQ(boundKernel(gpu, work).multiprocessor, alone);
  work.blocks = 132;
  work.needs.threads = 128;
  EXPECT_DOUBLE_EQ(boundKernel(gpu, work).multiprocessor, alone / 4);
}
