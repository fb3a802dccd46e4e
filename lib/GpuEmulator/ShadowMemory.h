//===- ShadowMemory.h - Who accessed which byte -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds accesses of a GPU's threads that no barrier orders, in whatever order
// the threads happen to run. Flanagan and Freund, "FastTrack: Efficient and
// Precise Dynamic Race Detection", PLDI 2009: the last write and the last reads
// of a cell are enough. Barriers of a block order all of its threads, so that
// the time of a block is one number, an epoch; only within a warp, whose lanes
// may synchronize among themselves, times are vectors.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_GPUEMULATOR_SHADOWMEMORY_H
#define BACO_LIB_GPUEMULATOR_SHADOWMEMORY_H

#include "baco/GpuEmulator/Emulator.h"

namespace baco::runtime {

constexpr unsigned warpSize = 32;

/// A thread at the time of an access. Blocks are numbered from 1 on. No two
/// blocks have the same epochs, from 1 on.
struct Accessor {
  uint32_t block, epoch;
  /// Within the block.
  uint16_t thread;
  /// The number of its synchronizations with lanes of its warp, from 1 on, and
  /// the times of these lanes up to which it knows their accesses.
  uint32_t time = 1;
  const std::array<uint32_t, warpSize> *known = nullptr;
};

/// An access that conflicts with another one.
struct Conflict {
  /// The kind of the other access. `Copy`: an asynchronous copy that hasn't
  /// been waited for. `Nothing`: nobody has written the memory that is read.
  enum Other { Read, Write, Atomic, Copy, Nothing };
  Other other;
  /// Its thread in the same block, or else its block; neither is known if there
  /// were several.
  std::optional<uint16_t> thread;
  std::optional<uint32_t> block;
  /// Whether the other access is one of other blocks.
  bool isBetweenBlocks;
  /// The offset in the memory.
  size_t offset;
};

/// The history of some memory during one launch.
class ShadowMemory {
public:
  /// `granule` is a power of two that divides offsets and sizes of all
  /// accesses. Memory that blocks share is initialized, and conflicts between
  /// them are found, too; else each block has its own, whose contents are
  /// undefined at first.
  ShadowMemory(size_t bytes, size_t granule, bool isShared);

  /// Records an access within the memory, unless it conflicts.
  std::optional<Conflict> access(size_t offset, size_t bytes, AccessKind kind,
                                 const Accessor &by);
  /// The same for the write of an asynchronous copy: from now on until it has
  /// ended, nobody may access these bytes.
  std::optional<Conflict> beginCopy(size_t offset, size_t bytes,
                                    const Accessor &by);
  void endCopy(size_t offset, size_t bytes, const Accessor &by);

private:
  struct Cell {
    /// The last write: 0 if there was none.
    uint32_t writeBlock = 0, writeEpoch = 0, writeTime = 0;
    /// The last reads: 0 if there were none since the last write of the epoch.
    uint32_t readBlock = 0, readEpoch = 0, readTime = 0;
    /// Lanes of readWarp.
    uint32_t readers = 0;
    uint16_t readWarp = 0, writer = 0;
    bool isAtomic = false, isCopied = false;
  };
  std::optional<Conflict> findConflict(const Cell &cell, AccessKind kind,
                                       const Accessor &by) const;
  void recordRead(Cell &cell, const Accessor &by) const;
  void recordWrite(Cell &cell, AccessKind kind, const Accessor &by) const;

  size_t granule;
  bool betweenBlocks;
  std::vector<Cell> cells;
};

} // namespace baco::runtime

#endif // BACO_LIB_GPUEMULATOR_SHADOWMEMORY_H
