//===- NvidiaGpu.h - Limits and rates of NVIDIA GPUs ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one table of compute capabilities: known constraints of recipes, the
// emulator's limits and the static cost read it.
//
// Sources of limits, all of NVIDIA: cuda_occupancy.h of CUDA 13.0 (blocks,
// units of allocation, the memory of a multiprocessor) and libcu++'s
// cuda/__device/arch_traits.h (threads, memory of a block, what is reserved).
// They differ in the blocks of an sm_120: 24 in the first one, as in the CUDA
// C++ Programming Guide, 32 in the second one. Sources of rates: that guide,
// "Arithmetic Instructions"; whitepapers on the architectures; and, for tensor
// cores, clocks of the B300 and GB10, the published peaks divided by
// multiprocessors and clocks. Rows of Blackwell chips haven't been compared
// with measurements.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_NVIDIAGPU_H
#define BACO_SUPPORT_NVIDIAGPU_H

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace baco {

/// The limits that all compute capabilities from 7.0 on have in common.
namespace nvidia {
inline constexpr int64_t warpSize = 32;
/// The most threads of a block; and its extents by dimension x, y, z.
inline constexpr int64_t maxThreads = 1024;
inline constexpr std::array<int64_t, 3> maxBlockExtents = {1024, 1024, 64};
/// The extents of a grid, in blocks.
inline constexpr std::array<int64_t, 3> maxGridExtents = {0x7fffffff, 65535,
                                                          65535};
/// The 32-bit registers of a thread.
inline constexpr int64_t maxRegisters = 255;
/// The registers of a multiprocessor. A warp gets them in units of
/// registerUnit.
inline constexpr int64_t multiprocessorRegisters = 65536, registerUnit = 256;
/// The shared memory of a block that isn't allocated at the launch, in bytes.
inline constexpr int64_t maxStaticShared = 48 << 10;
/// The longest access of a thread, in bytes.
inline constexpr int64_t maxAccessBytes = 16;
/// The shortest vector that `cp.async` copies, in bytes; others are of twice or
/// four times as many.
inline constexpr int64_t minAsyncBytes = 4;
/// The unit of transfers by global memory and the L2 cache, in bytes.
inline constexpr int64_t sectorBytes = 32;
/// Banks of shared memory, four bytes wide each.
inline constexpr int64_t numBanks = 32, bankBytes = 4;
} // namespace nvidia

/// A chip: its compute capability, and a product of it. Sizes are in bytes.
struct NvidiaGpu {
  /// As LLVM and ptxas name it: "sm_90".
  std::string_view chip;

  // Limits of a multiprocessor.
  int64_t maxResidentThreads, maxResidentBlocks, sharedBytes;
  /// The shared memory of one block that is allocated at the launch ("opt-in"),
  /// and what the system takes of a multiprocessor's for each block.
  int64_t maxDynamicShared, reservedShared;
  /// Shared memory is allocated in units of so many bytes.
  int64_t sharedUnit;

  // Results per cycle and multiprocessor.
  int64_t f32PerCycle, f16PerCycle, f64PerCycle, intPerCycle;
  /// Multiply-adds of f16 by dense matrices with sums in f32, the same: the
  /// published peaks, which chips from sm_90 on reach only by instructions of
  /// more than a warp (`wgmma`, `tcgen05`), not by `mma.sync`.
  int64_t matrixPerCycle;

  // The product that has the most multiprocessors, or is most common.
  std::string_view product;
  int64_t multiprocessors;
  /// Boost clock in MHz; bandwidth of its memory in 10^9 bytes per second.
  int64_t clockMHz, memoryGBs;
  int64_t l2Bytes;

  /// Whether it has `cp.async`: from compute capability 8.0 on.
  bool hasAsyncCopies() const { return chip != "sm_70" && chip != "sm_75"; }
  /// Whether it has `mma.sync` of 16 x 8 x 16 f16, of bf16 and of tf32: the
  /// same.
  bool hasMmaSync() const { return hasAsyncCopies(); }

  /// The bytes that global memory transfers in a cycle of the multiprocessors.
  double memoryBytesPerCycle() const {
    return static_cast<double>(memoryGBs) * 1e3 / static_cast<double>(clockMHz);
  }
};

/// The row of a chip. A suffix as in "sm_90a" allows more instructions, and
/// changes nothing here. Null for others than those of listNvidiaChips.
const NvidiaGpu *findNvidiaGpu(std::string_view chip);

/// All chips, separated by commas, for messages.
std::string listNvidiaChips();

} // namespace baco

#endif // BACO_SUPPORT_NVIDIAGPU_H
