//===- EmulatorBlock.cpp - A block of threads in the emulator -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs what is ready, and opens barriers when all wait there.
//
//===----------------------------------------------------------------------===//

#include "EmulatorState.h"

#include <algorithm>
#include <cstring>

using namespace baco;
using namespace baco::runtime;

namespace {
/// Why a block can't go on: `first` waits for `other`, which doesn't come.
std::string describeWait(const EmulatedThread &thread, const std::string &at) {
  switch (thread.waiting) {
  case EmulatedThread::AtBarrier:
    return "waits at barrier " + std::to_string(thread.barrier) + at;
  case EmulatedThread::AtWarp:
    return "waits for its warp" + at;
  default:
    return "has ended";
  }
}
} // namespace

std::array<unsigned, 3>
Emulator::State::indexOf(uint64_t n, const std::array<unsigned, 3> &extents) {
  return {static_cast<unsigned>(n % extents[0]),
          static_cast<unsigned>(n / extents[0] % extents[1]),
          static_cast<unsigned>(n / extents[0] / extents[1])};
}

bool Emulator::State::runReady(const std::vector<uint32_t> &order) {
  bool any = false;
  for (uint32_t i : order) {
    if (threads[i].waiting != EmulatedThread::Ready)
      continue;
    any = true;
    current = i;
    fibers.resume(i);
    if (failure)
      return false;
  }
  return any;
}

bool Emulator::State::haveEnded() const {
  return std::ranges::all_of(threads, [](const EmulatedThread &thread) {
    return thread.waiting == EmulatedThread::Ended;
  });
}

bool Emulator::State::areAtBarrier() const {
  return std::ranges::all_of(threads, [&](const EmulatedThread &thread) {
    return thread.waiting == EmulatedThread::AtBarrier &&
           thread.barrier == threads[0].barrier &&
           thread.place == threads[0].place;
  });
}

void Emulator::State::openBarrier() {
  ++epoch;
  reduced = static_cast<unsigned>(
      std::ranges::count(threads, true, &EmulatedThread::value));
  for (EmulatedThread &thread : threads)
    thread.waiting = EmulatedThread::Ready;
}

EmulatedFailure Emulator::State::describeDivergence() const {
  // Somebody waits, as not all have ended.
  size_t waiting = 0;
  while (threads[waiting].waiting == EmulatedThread::Ended)
    ++waiting;
  const EmulatedThread &first = threads[waiting];
  size_t from = 0, to = threads.size();
  if (first.waiting == EmulatedThread::AtWarp) {
    from = waiting / warpSize * warpSize;
    to = std::min(to, from + warpSize);
  }
  size_t other = from;
  auto joins = [&](size_t i) {
    return threads[i].waiting == first.waiting &&
           threads[i].place == first.place &&
           threads[i].barrier == first.barrier &&
           threads[i].lane.mask == first.lane.mask &&
           threads[i].lane.operation == first.lane.operation;
  };
  auto isNeeded = [&](size_t i) {
    return first.waiting != EmulatedThread::AtWarp ||
           (first.lane.mask >> (i - from) & 1);
  };
  while (other + 1 < to && (joins(other) || !isNeeded(other)))
    ++other;
  return {Status::DeviceFault,
          "kernel '" + kernel + "', " + nameThread(waiting) + " of block " +
              triple(block) + " " + describeWait(first, at(first.place)) +
              ", but " + nameThread(other) + " " +
              describeWait(threads[other], at(threads[other].place))};
}

std::optional<EmulatedFailure>
Emulator::State::runBlock(uint32_t number, const std::vector<uint32_t> &order,
                          const std::function<void()> &body) {
  block = indexOf(number, launch.grid);
  blockNumber = number + 1;
  ++epoch;
  // Uninitialized: NaN if it is read as a float of any size.
  for (const EmulatedRegion &region : shared)
    std::memset(region.begin, 0xff, region.bytes);
  threads.clear();
  threads.resize(order.size());
  for (size_t i = 0; i < threads.size(); ++i) {
    threads[i].index = indexOf(i, launch.block);
    fibers.start(i, body);
  }
  for (;;) {
    if (runReady(order))
      continue;
    if (failure || haveEnded())
      return failure;
    if (!areAtBarrier())
      return describeDivergence();
    openBarrier();
  }
}
