//===- GpuCost.h - Cycles of a kernel on a GPU, by a model ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From what a kernel does (KernelWork.h) to cycles: occupancy, and a roofline
// over the units of a multiprocessor, the L2 cache and memory. docs/Gpu.md
// describes the model. A cost ranks candidates; it is not a time.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_COSTMODEL_GPUCOST_H
#define BACO_COSTMODEL_GPUCOST_H

#include "baco/Support/NvidiaGpu.h"
#include "baco/Support/Outcome.h"

#include <array>
#include <vector>

namespace baco::target {

/// Resources of a multiprocessor that one block takes.
struct BlockNeeds {
  /// 1 to nvidia::maxThreads.
  int64_t threads = 1;
  /// 32-bit registers of each thread.
  int64_t registers = 0;
  /// Static and dynamic shared memory, in bytes.
  int64_t sharedBytes = 0;

  int64_t numWarps() const {
    return (threads + nvidia::warpSize - 1) / nvidia::warpSize;
  }
};

/// How many blocks a multiprocessor runs at the same time: 0 if one doesn't
/// fit. As NVIDIA's occupancy calculator rounds.
int64_t countResidentBlocks(const NvidiaGpu &gpu, const BlockNeeds &needs);

/// The registers that each thread of a block of `threads` threads may have.
int64_t limitRegisters(int64_t threads);

/// The units of a multiprocessor, by their throughput.
enum class GpuUnit { F32, F16, F64, Integer, Special, Matrix };
inline constexpr size_t numGpuUnits = 6;

/// A kernel with its launch. Counts are for one block, summed over its warps.
struct KernelWork {
  int64_t blocks = 1;
  BlockNeeds needs;
  /// Resources from an assembler, in place of estimates.
  std::optional<KernelResources> assembled;
  /// Instructions of warps, all of them.
  double instructions = 0;
  /// Operations of threads by unit; for Matrix, multiply-adds of f16.
  std::array<double, numGpuUnits> operations = {};
  /// Accesses to shared memory, global memory and spilled registers: cycles of
  /// the unit that serves them, each for up to 128 bytes.
  double accessCycles = 0;
  /// A buffer in global memory.
  struct Buffer {
    /// Sectors transferred between the buffer and the L1 caches.
    double sectors = 0;
    /// Its size in bytes; 0: unknown.
    double bytes = 0;
  };
  std::vector<Buffer> buffers;
  /// The cycles of a warp that is alone.
  double latency = 0;

  double &at(GpuUnit unit) { return operations[static_cast<size_t>(unit)]; }
  double at(GpuUnit unit) const {
    return operations[static_cast<size_t>(unit)];
  }
};

/// The bounds of the model, in cycles of the whole kernel without its launch.
struct GpuBounds {
  /// Cycles of the multiprocessor with the most blocks: waves of resident
  /// blocks, each as long as its busiest unit or as a warp alone takes.
  double multiprocessor = 0;
  double l2 = 0;
  double memory = 0;

  double largest() const;
  /// The largest, and a part of the others: they don't overlap perfectly.
  double total() const;
};

/// The bounds of a kernel of which at least one block fits
/// (countResidentBlocks).
GpuBounds boundKernel(const NvidiaGpu &gpu, const KernelWork &work);

/// Additional cycles of each launch.
inline constexpr double launchCycles = 2000;

} // namespace baco::target

#endif // BACO_COSTMODEL_GPUCOST_H
