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
  ptrdiff_t least = near;
  std::string text = "out of bounds of all buffers";
  auto consider = [&](const std::string &name, const std::byte *begin,
                      size_t bytes) {
    ptrdiff_t distance =
        address < begin
            ? begin - address
            : std::max<ptrdiff_t>(0, address - begin - ptrdiff_t(bytes));
    if (distance >= least)
      return;
    least = distance;
    text = "out of bounds: byte " + std::to_string(address - begin) + " of " +
           name + ", which has " + std::to_string(bytes);
  };
  for (const EmulatedFrame &frame : thread().frames)
    for (const EmulatedLocal &local : *frame.variables)
      consider(local.name, frame.begin + local.offset, local.bytes);
  for (const std::vector<EmulatedRegion> *regions : {&shared, &global})
    for (const EmulatedRegion &region : *regions)
      consider(region.name, region.begin, region.bytes);
  return text;
}

std::optional<std::string>
Emulator::State::accessLocal(const std::byte *address, size_t bytes,
                             AccessKind kind, size_t alignment, bool &isLocal) {
  isLocal = true;
  for (EmulatedFrame &frame : thread().frames)
    for (const EmulatedLocal &local : *frame.variables) {
      const std::byte *begin = frame.begin + local.offset;
      if (address < begin || address + bytes > begin + local.bytes)
        continue;
      std::string place =
          local.name + " at byte " + std::to_string(address - begin);
      if (reinterpret_cast<uintptr_t>(address) % alignment)
        return "at an address that isn't a multiple of " +
               std::to_string(alignment) + ": " + place;
      auto first = frame.isWritten.begin() + (address - frame.begin);
      auto last = first + static_cast<ptrdiff_t>(bytes);
      if (auto missing = std::find(first, last, false);
          findsRaces && kind != AccessKind::Write && missing != last)
        return "of " + local.name + ", of which it has not written byte " +
               std::to_string(address - begin + (missing - first));
      if (kind != AccessKind::Read)
        std::fill(first, last, true);
      return std::nullopt;
    }
  isLocal = false;
  return std::nullopt;
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
    bool isLocal = false;
    auto wrong = now.accessLocal(address, bytes, kind, alignment, isLocal);
    if (isLocal && !wrong)
      return;
    fail(Status::DeviceFault,
         words() + (wrong ? *wrong : now.outOfBounds(address)), place);
  }
  if (reinterpret_cast<uintptr_t>(address) % alignment)
    fail(Status::DeviceFault,
         words() + "at an address that isn't a multiple of " +
             std::to_string(alignment) + ": " + now.describe(*region, address),
         place);
  if (!region->shadow)
    return;
  if (auto conflict = region->shadow->access(address - region->begin, bytes,
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
  if (region->shadow)
    if (auto conflict = region->shadow->beginCopy(target - region->begin, bytes,
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
      if (region->shadow)
        region->shadow->endCopy(copy.to - region->begin, copy.bytes,
                                now.accessor());
    }
    waiting.pop_front();
  }
}

void Emulator::waitForAllCopies() {
  commitCopies();
  waitForCopies(0);
}

std::byte *Emulator::enter(unsigned number) {
  constexpr size_t alignment = 64;
  const std::vector<EmulatedLocal> &variables = state->locals[number];
  size_t bytes = 0;
  for (const EmulatedLocal &local : variables)
    bytes = std::max(bytes, local.offset + local.bytes);
  EmulatedFrame &frame = state->thread().frames.emplace_back();
  frame.variables = &variables;
  // Undefined: NaN if it is read as a float of any size.
  frame.memory.assign(bytes + alignment, std::byte(0xff));
  auto from = reinterpret_cast<uintptr_t>(frame.memory.data());
  frame.begin = frame.memory.data() + (-from & (alignment - 1));
  frame.isWritten.assign(bytes, false);
  return frame.begin;
}

void Emulator::leave() { state->thread().frames.pop_back(); }
