//===- GpuCost.cpp - Cycles of a kernel on a GPU, by a model --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/CostModel/GpuCost.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace baco;
using namespace baco::target;

/// Warps that issue an instruction in the same cycle: a multiprocessor has so
/// many parts, each with its registers.
static constexpr int64_t numParts = 4;
/// Results of the special function units per cycle and multiprocessor, on all
/// chips of the table.
static constexpr double specialPerCycle = 16;
/// Bytes per cycle: what a multiprocessor takes from the L2 cache, and what
/// that gives when all of them ask.
static constexpr double l2PortBytes = 64, l2BytesEach = 32;

int64_t target::limitRegisters(int64_t threads) {
  constexpr int64_t unit = nvidia::registerUnit / nvidia::warpSize;
  int64_t warps = llvm::divideCeil(threads, nvidia::warpSize);
  int64_t each = nvidia::multiprocessorRegisters / (warps * nvidia::warpSize) /
                 unit * unit;
  return std::min(nvidia::maxRegisters, each);
}

int64_t target::countResidentBlocks(const NvidiaGpu &gpu,
                                    const BlockNeeds &needs) {
  int64_t warps = needs.numWarps();
  int64_t blocks = std::min(gpu.maxResidentBlocks,
                            gpu.maxResidentThreads / nvidia::warpSize / warps);
  if (needs.registers > 0) {
    int64_t each =
        llvm::alignTo(needs.registers * nvidia::warpSize, nvidia::registerUnit);
    int64_t inPart = nvidia::multiprocessorRegisters / numParts / each;
    blocks = std::min(blocks, inPart * numParts / warps);
  }
  int64_t shared =
      llvm::alignTo(needs.sharedBytes + gpu.reservedShared, gpu.sharedUnit);
  if (shared > 0)
    blocks = std::min(blocks, gpu.sharedBytes / shared);
  return blocks;
}

/// The cycles of the busiest unit for one of `blocks` that run at once. A warp
/// has the units of its part of the multiprocessor only.
static double busiestUnit(const NvidiaGpu &gpu, const KernelWork &work,
                          double blocks) {
  double share = std::min(
      1.0, blocks * static_cast<double>(work.needs.numWarps()) / numParts);
  const std::pair<GpuUnit, double> rates[] = {
      {GpuUnit::F32, gpu.f32PerCycle},
      {GpuUnit::F16, gpu.f16PerCycle},
      {GpuUnit::F64, gpu.f64PerCycle},
      {GpuUnit::Integer, gpu.intPerCycle},
      {GpuUnit::Special, specialPerCycle},
      {GpuUnit::Matrix, gpu.matrixPerCycle},
  };
  double cycles = work.instructions / numParts;
  for (auto [unit, perCycle] : rates)
    cycles = std::max(cycles, work.at(unit) / perCycle);
  cycles = std::max(cycles / share, work.accessCycles);
  double sectors = 0;
  for (const KernelWork::Buffer &buffer : work.buffers)
    sectors += buffer.sectors;
  return std::max(cycles, sectors * nvidia::sectorBytes / l2PortBytes);
}

double GpuBounds::largest() const {
  return std::max({multiprocessor, l2, memory});
}

double GpuBounds::total() const {
  constexpr double exposed = 1 / 8.0;
  return largest() + exposed * (multiprocessor + l2 + memory - largest());
}

/// Bytes that pass between memory and the L2 cache. What fits into the cache is
/// read once; of what doesn't, each wave of blocks reads at most all.
static double memoryBytes(const NvidiaGpu &gpu, const KernelWork &work,
                          double waves) {
  double sizes = 0, bytes = 0;
  for (const KernelWork::Buffer &buffer : work.buffers)
    sizes += buffer.bytes;
  bool fits = sizes <= static_cast<double>(gpu.l2Bytes);
  for (const KernelWork::Buffer &buffer : work.buffers) {
    double all =
        buffer.sectors * nvidia::sectorBytes * static_cast<double>(work.blocks);
    bytes += buffer.bytes == 0
                 ? all
                 : std::min(all, buffer.bytes * (fits ? 1 : waves));
  }
  return bytes;
}

GpuBounds target::boundKernel(const NvidiaGpu &gpu, const KernelWork &work) {
  auto resident = static_cast<double>(countResidentBlocks(gpu, work.needs));
  auto units = static_cast<double>(gpu.multiprocessors);
  double most = std::ceil(static_cast<double>(work.blocks) / units);
  double full = std::floor(most / resident), rest = most - full * resident;
  auto wave = [&](double blocks) {
    return std::max(blocks * busiestUnit(gpu, work, blocks), work.latency);
  };
  GpuBounds bounds;
  if (full > 0)
    bounds.multiprocessor = full * wave(resident);
  if (rest > 0)
    bounds.multiprocessor += wave(rest);
  double sectors = 0;
  for (const KernelWork::Buffer &buffer : work.buffers)
    sectors += buffer.sectors;
  bounds.l2 = sectors * nvidia::sectorBytes * static_cast<double>(work.blocks) /
              (l2BytesEach * units);
  bounds.memory = memoryBytes(gpu, work, std::ceil(most / resident)) /
                  gpu.memoryBytesPerCycle();
  return bounds;
}
