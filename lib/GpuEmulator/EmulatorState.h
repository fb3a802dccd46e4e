//===- EmulatorState.h - A launch in the emulator ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state that the parts of the emulator share.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_GPUEMULATOR_EMULATORSTATE_H
#define BACO_LIB_GPUEMULATOR_EMULATORSTATE_H

#include "Fibers.h"
#include "ShadowMemory.h"
#include "baco/GpuEmulator/Emulator.h"

#include <deque>

namespace baco::runtime {

/// Memory of the GPU with its history, if races are looked for.
struct EmulatedRegion {
  std::string name;
  std::byte *begin;
  size_t bytes;
  std::optional<ShadowMemory> shadow;
};

/// Local memory during a call of a function.
struct EmulatedFrame {
  const std::vector<EmulatedLocal> *variables = nullptr;
  std::vector<std::byte> memory;
  std::byte *begin = nullptr;
  /// For each byte.
  std::vector<bool> isWritten;
};

struct EmulatedCopy {
  std::byte *to;
  const std::byte *from;
  size_t bytes, sourceBytes;
};

/// One lane's part in an operation of its warp.
struct EmulatedLane {
  /// The code of the operation, which all of its lanes have in common.
  unsigned operation = 0;
  uint32_t mask = 0;
  void *data = nullptr;
};

struct EmulatedThread {
  enum Waiting { Ready, AtBarrier, AtWarp, Ended };
  Waiting waiting = Ready;
  std::array<unsigned, 3> index = {};
  /// The place in the kernel where the thread waits.
  unsigned place = 0;
  unsigned barrier = 0;
  bool value = false;
  EmulatedLane lane;
  /// See Accessor.
  uint32_t time = 1;
  std::array<uint32_t, warpSize> known = {};
  /// Local memory of functions that it is in.
  std::vector<EmulatedFrame> frames;
  /// Copies without a group, and groups, the first one first.
  std::vector<EmulatedCopy> copies;
  std::deque<std::vector<EmulatedCopy>> groups;
};

struct Emulator::State {
  // State of the kernel.
  size_t granule = 1;
  std::vector<std::string> places;
  uint64_t stepLimit = uint64_t(1) << 28;
  std::function<void(const EmulatedAccess &)> observer;
  bool findsRaces = true;
  struct Variable {
    std::string name;
    size_t offset, bytes;
  };
  std::vector<Variable> variables;
  /// Numbers are places.
  std::deque<std::vector<EmulatedLocal>> locals;
  size_t sharedEnd = 0, sharedBytes = 0;
  std::vector<std::byte> arena;

  // State of the launch.
  std::string kernel;
  LaunchSizes launch;
  std::vector<EmulatedRegion> global, shared;
  std::vector<EmulatedThread> threads;
  std::array<unsigned, 3> block = {};
  /// State of the block, see Accessor.
  uint32_t blockNumber = 0, epoch = 0;
  uint64_t steps = 0;
  unsigned reduced = 0;
  std::optional<EmulatedFailure> failure;

  Fibers fibers;
  size_t current = 0;

  EmulatedThread &thread() { return threads[current]; }
  Accessor accessor() {
    EmulatedThread &now = thread();
    return {blockNumber, epoch, static_cast<uint16_t>(current), now.time,
            &now.known};
  }
  /// Lets others run until this thread is ready.
  void wait() {
    do
      fibers.pause();
    while (thread().waiting != EmulatedThread::Ready);
  }
  std::string at(unsigned place) const;
  std::string nameThread(size_t thread) const;
  std::string nameBlock(uint32_t number) const;
  /// "(1,2,3)"
  static std::string triple(const std::array<unsigned, 3> &index);
  /// The three indices of number `n` within `extents`, x first.
  static std::array<unsigned, 3>
  indexOf(uint64_t n, const std::array<unsigned, 3> &extents);
  EmulatedRegion *find(const std::byte *address, size_t bytes);
  EmulatedRegion makeRegion(const std::string &name, std::byte *begin,
                            size_t bytes, bool isShared) const;
  /// An access to local memory: why it is wrong, or nullopt; `isLocal` says
  /// whether it is one.
  std::optional<std::string> accessLocal(const std::byte *address, size_t bytes,
                                         AccessKind kind, size_t alignment,
                                         bool &isLocal);
  std::string describe(const EmulatedRegion &region, const std::byte *address);
  std::string outOfBounds(const std::byte *address);
  std::string describe(const EmulatedRegion &region, const Conflict &conflict,
                       const char *verb) const;
  size_t arenaOffset(size_t alignment) const;

  /// Sets up the memory of the launch, without history.
  void prepareMemory(std::span<const EmulatedBuffer> buffers);
  std::optional<EmulatedFailure> runBlock(uint32_t number,
                                          const std::vector<uint32_t> &order,
                                          const std::function<void()> &body);
  bool runReady(const std::vector<uint32_t> &order);
  bool haveEnded() const;
  bool areAtBarrier() const;
  void openBarrier();
  EmulatedFailure describeDivergence() const;
};

} // namespace baco::runtime

#endif // BACO_LIB_GPUEMULATOR_EMULATORSTATE_H
