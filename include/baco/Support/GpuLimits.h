//===- GpuLimits.h - Limits of a GPU ----------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_GPULIMITS_H
#define BACO_SUPPORT_GPULIMITS_H

#include "baco/Support/NvidiaGpu.h"

namespace baco {

/// Known constraints of recipes, and what annotation plans for, whatever kind
/// of GPU it is. Without a target, those of any NVIDIA GPU hold.
struct GpuLimits {
  /// For messages.
  std::string name;
  /// The most threads of a block; and its extents by dimension x, y, z.
  int64_t maxThreads = nvidia::maxThreads;
  std::array<int64_t, 3> maxBlockExtents = nvidia::maxBlockExtents;
  std::array<int64_t, 3> maxGridExtents = nvidia::maxGridExtents;
  /// The shared memory of a block, in bytes; 0: not known.
  int64_t maxShared = 0;
  /// How many there are, and the threads that one has at a time.
  int64_t multiprocessors = 1, maxResidentThreads = nvidia::maxThreads;
  /// Whether it has `cp.async`, `mma.sync` (NvidiaGpu::hasMmaSync), atomic
  /// operations on 64 bits, and exchanges registers of the threads of a warp.
  bool hasAsyncCopies = true, hasMmaSync = true, hasWideAtomics = true,
       hasShuffles = true;
  /// Whether it computes in f16, bf16 and f64.
  bool hasHalf = true, hasBF16 = true, hasDoubles = true;

  static GpuLimits of(const NvidiaGpu &gpu) {
    GpuLimits limits;
    limits.name = gpu.chip;
    limits.maxShared = gpu.maxDynamicShared;
    limits.multiprocessors = gpu.multiprocessors;
    limits.maxResidentThreads = gpu.maxResidentThreads;
    limits.hasAsyncCopies = gpu.hasAsyncCopies();
    limits.hasMmaSync = gpu.hasMmaSync();
    return limits;
  }
};

} // namespace baco

#endif // BACO_SUPPORT_GPULIMITS_H
