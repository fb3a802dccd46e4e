//===- EmulatorWarp.h - Operations of a warp in the emulator ----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes meet, and the last one that comes computes the results of all.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_GPUEMULATOR_EMULATORWARP_H
#define BACO_LIB_GPUEMULATOR_EMULATORWARP_H

#include "EmulatorState.h"

#include <algorithm>

namespace baco::runtime {

/// Tells operations from each other; the lower bits say which of its kind.
enum OperationCode : unsigned {
  Reduce = 0x1000,
  Shuffle = 0x2000,
  Multiply = 0x3000,
  LoadMatrices = 0x4000
};

/// The data of each lane; null for lanes without a part in the operation.
using LaneData = std::array<void *, warpSize>;

/// An operation of the lanes of a warp.
class WarpCall {
public:
  WarpCall(Emulator &emulator, std::vector<EmulatedThread> &threads,
           size_t current)
      : emulator(emulator), threads(threads), current(current),
        first(current / warpSize * warpSize) {}

  /// Brings this lane's data. True if it was the last one: `lanes` has the data
  /// of all then, and `release` must follow.
  bool arrive(unsigned operation, uint32_t mask, void *data, unsigned place) {
    EmulatedThread &own = threads[current];
    unsigned lane = current % warpSize;
    if (!(mask >> lane & 1))
      emulator.fail(Status::DeviceFault,
                    "takes part in an operation of its warp whose mask is "
                    "without it",
                    place);
    own.lane = {operation, mask, data};
    own.place = place;
    own.waiting = EmulatedThread::AtWarp;
    for (unsigned i = 0; i < warpSize; ++i) {
      lanes[i] = nullptr;
      // Lanes beyond the threads of the block aren't waited for.
      if (!(mask >> i & 1) || first + i >= threads.size())
        continue;
      const EmulatedThread &other = threads[first + i];
      if (other.waiting != EmulatedThread::AtWarp ||
          other.lane.operation != operation || other.lane.mask != mask ||
          other.place != place)
        return false;
      lanes[i] = other.lane.data;
    }
    return true;
  }

  void release() {
    for (unsigned i = 0; i < warpSize; ++i)
      if (lanes[i])
        threads[first + i].waiting = EmulatedThread::Ready;
  }

  /// Makes everything that the lanes did before known to all of them.
  void synchronize() {
    std::array<uint32_t, warpSize> known = {};
    for (unsigned i = 0; i < warpSize; ++i) {
      if (!lanes[i])
        continue;
      for (unsigned j = 0; j < warpSize; ++j)
        known[j] = std::max(known[j], threads[first + i].known[j]);
      known[i] = std::max(known[i], threads[first + i].time);
    }
    for (unsigned i = 0; i < warpSize; ++i)
      if (lanes[i]) {
        threads[first + i].known = known;
        ++threads[first + i].time;
      }
  }

  LaneData lanes = {};

private:
  Emulator &emulator;
  std::vector<EmulatedThread> &threads;
  size_t current, first;
};
} // namespace baco::runtime

#endif // BACO_LIB_GPUEMULATOR_EMULATORWARP_H
