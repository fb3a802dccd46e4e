//===- EmulatorMemory.cpp - Memory of a GPU in the emulator ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds, races, asynchronous copies, and local memory.
//
//===----------------------------------------------------------------------===//

#include "EmulatorState.h"

#include <algorithm>
#include <cstring>

using namespace baco;
using namespace baco::runtime;

EmulatedRegion *Emulator::State::find(const std::byte *address, size_t bytes) {
  for (std::vector<EmulatedRegion> *regions : {&shared, &global})
    for (EmulatedRegion &region : *regions)
      if (address >= region.begin &&
          address + bytes <= region.begin + region.bytes)
        return &region;
  return nullptr;
}

std::string Emulator::State::describe(const EmulatedRegion &region,
                                      const std::byte *address) {
  return region.name + " at byte " + std::to_string(address - region.begin);
}

std::string Emulator::State::outOfBounds(const std::byte *address) {
  // Most often it is near what was meant.
  constexpr ptrdiff_t near = 1 << 20;
  const EmulatedRegion *nearest = nullptr;
  ptrdiff_t least = near;
  for (const std::vector<EmulatedRegion> *regions : {&shared, &global})
    for (const EmulatedRegion &region : *regions) {
      ptrdiff_t distance =
          address < region.begin
              ? region.begin - address
              : std::max<ptrdiff_t>(0, address - region.begin -
                                           ptrdiff_t(region.bytes));
      if (distance >= least)
        continue;
      least = distance;
      nearest = &region;
    }
  if (!nearest)
    return "out of bounds of all buffers";
  return "out of bounds: byte " + std::to_string(address - nearest->begin) +
         " of " + nearest->name + ", which has " +
         std::to_string(nearest->bytes);
}

std::string Emulator::State::describe(const EmulatedRegion &region,
                                      const Conflict &conflict,
                                      const char *verb) const {
  std::string where =
      region.name + " at byte " + std::to_string(conflict.offset);
  if (conflict.other == Conflict::Nothing)
    return std::string(verb) + " " + where + ", which no thread has written";
  if (conflict.other == Conflict::Copy)
    return std::string(verb) + " " + where + ", where a copy of " +
           nameThread(*conflict.thread) +
           " is under way that hasn't been waited for";
  const char *did = conflict.other == Conflict::Read    ? "read"
                    : conflict.other == Conflict::Write ? "wrote"
                                                        : "changed atomically";
  std::string who = conflict.thread            ? nameThread(*conflict.thread)
                    : conflict.block           ? nameBlock(*conflict.block)
                    : conflict.isBetweenBlocks ? "other blocks"
                                               : "other threads";
  return std::string("races: it ") + verb + " " + where + ", which " + who +
         " " + did +
         (conflict.isBetweenBlocks ? " in the same launch"
                                   : " without a barrier between");
}

static const char *verbOf(AccessKind kind) {
  return kind == AccessKind::Read    ? "reads"
         : kind == AccessKind::Write ? "writes"
                                     : "changes atomically";
}

void Emulator::observe(const void *address, size_t bytes, AccessKind kind,
                       size_t alignment, unsigned place) {
  if (state->observer && bytes > 0)
    state->observer({static_cast<const std::byte *>(address), bytes, alignment,
                     kind, place, state->current, state->blockNumber});
}

void Emulator::access(const void *address, size_t bytes, AccessKind kind,
                      size_t alignment, unsigned place) {
  observe(address, bytes, kind, alignment, place);
  check(address, bytes, kind, alignment, place);
}

void Emulator::check(const void *pointer, size_t bytes, AccessKind kind,
                     size_t alignment, unsigned place) {
  step();
  if (bytes == 0)
    return;
  State &now = *state;
  const auto *address = static_cast<const std::byte *>(pointer);
  EmulatedRegion *region = now.find(address, bytes);
  auto words = [&] {
    return std::string(verbOf(kind)) + " " + std::to_string(bytes) +
           (bytes == 1 ? " byte " : " bytes ");
  };
  if (!region) {
    for (const std::vector<std::byte> &frame : now.thread().frames)
      if (address >= frame.data() &&
          address + bytes <= frame.data() + frame.size())
        return;
    fail(Status::DeviceFault, words() + now.outOfBounds(address), place);
  }
  if (reinterpret_cast<uintptr_t>(address) % alignment)
    fail(Status::DeviceFault,
         words() + "at an address that isn't a multiple of " +
             std::to_string(alignment) + ": " + now.describe(*region, address),
         place);
  if (auto conflict = region->shadow.access(address - region->begin, bytes,
                                            kind, now.accessor()))
    fail(Status::WrongResult, now.describe(*region, *conflict, verbOf(kind)),
         place);
}

void Emulator::copyAsync(void *to, const void *from, size_t bytes,
                         size_t sourceBytes, unsigned place) {
  State &now = *state;
  sourceBytes = std::min(sourceBytes, bytes);
  access(from, sourceBytes, AccessKind::Read, bytes, place);
  observe(to, bytes, AccessKind::Write, bytes, place);
  auto *target = static_cast<std::byte *>(to);
  EmulatedRegion *region = now.find(target, bytes);
  std::string words = "copies " + std::to_string(bytes) + " bytes ";
  if (!region)
    fail(Status::DeviceFault, words + now.outOfBounds(target), place);
  if (reinterpret_cast<uintptr_t>(target) % bytes)
    fail(Status::DeviceFault,
         words + "to an address that isn't a multiple of " +
             std::to_string(bytes) + ": " + now.describe(*region, target),
         place);
  if (auto conflict = region->shadow.beginCopy(target - region->begin, bytes,
                                               now.accessor()))
    fail(Status::WrongResult, now.describe(*region, *conflict, "writes"),
         place);
  now.thread().copies.push_back(
      {target, static_cast<const std::byte *>(from), bytes, sourceBytes});
}

void Emulator::commitCopies() {
  EmulatedThread &thread = state->thread();
  thread.groups.push_back(std::move(thread.copies));
  thread.copies.clear();
}

void Emulator::waitForCopies(unsigned groups) {
  State &now = *state;
  auto &waiting = now.thread().groups;
  while (waiting.size() > groups) {
    // As late as it may happen, so that what doesn't wait finds other data.
    for (const EmulatedCopy &copy : waiting.front()) {
      std::memcpy(copy.to, copy.from, copy.sourceBytes);
      std::memset(copy.to + copy.sourceBytes, 0, copy.bytes - copy.sourceBytes);
      EmulatedRegion *region = now.find(copy.to, copy.bytes);
      region->shadow.endCopy(copy.to - region->begin, copy.bytes,
                             now.accessor());
    }
    waiting.pop_front();
  }
}

void Emulator::waitForAllCopies() {
  commitCopies();
  waitForCopies(0);
}

std::byte *Emulator::enter(size_t bytes) {
  auto &frames = state->thread().frames;
  return frames.emplace_back(bytes, std::byte(0xff)).data();
}

void Emulator::leave() { state->thread().frames.pop_back(); }
