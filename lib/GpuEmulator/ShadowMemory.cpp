//===- ShadowMemory.cpp - Who accessed which byte -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShadowMemory.h"

#include <algorithm>
#include <bit>

using namespace baco::runtime;

namespace {
/// In place of a thread, a warp or a block.
constexpr uint16_t several = 0xffff;
constexpr uint32_t severalBlocks = 0xffffffff;

unsigned laneOf(uint16_t thread) { return thread % warpSize; }
uint16_t warpOf(uint16_t thread) { return thread / warpSize; }

/// Whether the accesses of `lane` of the same warp at its time `time` are
/// before `by`.
bool isKnown(const Accessor &by, unsigned lane, uint32_t time) {
  return lane == laneOf(by.thread) || (by.known && (*by.known)[lane] >= time);
}
} // namespace

ShadowMemory::ShadowMemory(size_t bytes, size_t granule, bool isShared)
    : granule(granule), betweenBlocks(isShared),
      cells((bytes + granule - 1) / granule) {}

std::optional<Conflict> ShadowMemory::findConflict(const Cell &cell,
                                                   AccessKind kind,
                                                   const Accessor &by) const {
  auto inBlock = [](Conflict::Other other, std::optional<uint16_t> thread) {
    return Conflict{other, thread, std::nullopt, false, 0};
  };
  auto between = [](Conflict::Other other, uint32_t block) {
    return Conflict{
        other, std::nullopt,
        block == severalBlocks ? std::nullopt : std::optional(block), true, 0};
  };
  auto writeKind = cell.isAtomic ? Conflict::Atomic : Conflict::Write;
  bool bothAtomic = cell.isAtomic && kind == AccessKind::Atomic;
  bool isOwn = cell.writeBlock == by.block;
  if (cell.isCopied && isOwn)
    return inBlock(Conflict::Copy, cell.writer);
  if (!betweenBlocks && !isOwn && kind != AccessKind::Write)
    return inBlock(Conflict::Nothing, std::nullopt);
  if (cell.writeBlock && !bothAtomic) {
    if (betweenBlocks && !isOwn)
      return between(writeKind, cell.writeBlock);
    if (isOwn && cell.writeEpoch == by.epoch && cell.writer != by.thread) {
      if (cell.writer == several)
        return inBlock(writeKind, std::nullopt);
      if (warpOf(cell.writer) != warpOf(by.thread) ||
          !isKnown(by, laneOf(cell.writer), cell.writeTime))
        return inBlock(writeKind, cell.writer);
    }
  }
  if (kind == AccessKind::Read || !cell.readBlock)
    return std::nullopt;
  if (cell.readBlock != by.block) {
    if (!betweenBlocks)
      return std::nullopt;
    return between(Conflict::Read, cell.readBlock);
  }
  if (cell.readEpoch != by.epoch)
    return std::nullopt;
  if (cell.readWarp == several)
    return inBlock(Conflict::Read, std::nullopt);
  for (uint32_t rest = cell.readers; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    if (cell.readWarp != warpOf(by.thread) || !isKnown(by, lane, cell.readTime))
      return inBlock(Conflict::Read,
                     static_cast<uint16_t>(cell.readWarp * warpSize + lane));
  }
  return std::nullopt;
}

void ShadowMemory::recordRead(Cell &cell, const Accessor &by) const {
  uint32_t lane = uint32_t(1) << laneOf(by.thread);
  bool isSame = cell.readBlock == by.block && cell.readEpoch == by.epoch;
  bool others = betweenBlocks && cell.readBlock && cell.readBlock != by.block;
  cell.readBlock = others ? severalBlocks : by.block;
  if (!isSame) {
    cell.readEpoch = by.epoch;
    cell.readWarp = warpOf(by.thread);
    cell.readers = lane;
    cell.readTime = by.time;
  } else if (cell.readWarp != warpOf(by.thread)) {
    cell.readWarp = several;
  } else {
    // Accesses behind this read are also behind the reads that it is ordered
    // behind.
    bool areKnown = true;
    for (uint32_t rest = cell.readers; rest && areKnown; rest &= rest - 1)
      areKnown = isKnown(by, std::countr_zero(rest), cell.readTime);
    cell.readers = areKnown ? lane : cell.readers | lane;
    cell.readTime = areKnown ? by.time : std::max(cell.readTime, by.time);
  }
}

void ShadowMemory::recordWrite(Cell &cell, AccessKind kind,
                               const Accessor &by) const {
  bool isAtomic = kind == AccessKind::Atomic;
  bool joins = isAtomic && cell.isAtomic && cell.writeBlock;
  bool isOwn = cell.writeBlock == by.block;
  bool isSame = isOwn && cell.writeEpoch == by.epoch;
  cell.writer =
      joins && isSame && cell.writer != by.thread ? several : by.thread;
  cell.writeBlock = joins && !isOwn && betweenBlocks ? severalBlocks : by.block;
  cell.writeEpoch = by.epoch;
  cell.writeTime = by.time;
  cell.isAtomic = isAtomic;
}

std::optional<Conflict> ShadowMemory::access(size_t offset, size_t bytes,
                                             AccessKind kind,
                                             const Accessor &by) {
  for (size_t at = offset; at < offset + bytes; at += granule) {
    Cell &cell = cells[at / granule];
    if (auto conflict = findConflict(cell, kind, by)) {
      conflict->offset = at;
      return conflict;
    }
    if (kind == AccessKind::Read)
      recordRead(cell, by);
    else
      recordWrite(cell, kind, by);
  }
  return std::nullopt;
}

std::optional<Conflict> ShadowMemory::beginCopy(size_t offset, size_t bytes,
                                                const Accessor &by) {
  if (auto conflict = access(offset, bytes, AccessKind::Write, by))
    return conflict;
  for (size_t at = offset; at < offset + bytes; at += granule)
    cells[at / granule].isCopied = true;
  return std::nullopt;
}

void ShadowMemory::endCopy(size_t offset, size_t bytes, const Accessor &by) {
  for (size_t at = offset; at < offset + bytes; at += granule) {
    cells[at / granule].isCopied = false;
    recordWrite(cells[at / granule], AccessKind::Write, by);
  }
}
