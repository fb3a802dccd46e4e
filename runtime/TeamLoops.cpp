//===- TeamLoops.cpp - Who runs which iterations --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface is that of LLVM's OpenMP run-time library. Members share a
// counter of iterations for each loop whose chunks they take as they come.
//
//===----------------------------------------------------------------------===//

#include "TeamLoops.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <utility>

using namespace baco;
using namespace baco::runtime;

namespace {
/// Schedules as compiled code names them.
enum Kind : int32_t {
  StaticChunked = 33,
  Static = 34,
  Dynamic = 35,
  Guided = 36
};

/// The upper bits say whether chunks may be out of order.
constexpr int32_t kindMask = 0xffff;

/// A loop whose chunks are taken as they come. Several may be under way, as
/// members needn't wait for each other behind a loop.
struct Counter {
  /// Which of the loops that have this counter by turns has it now.
  std::atomic<uint32_t> round{0};
  std::atomic<uint64_t> next{0};
  /// Members that found no further chunk.
  std::atomic<int> finished{0};
};

Counter counters[4];
thread_local TeamLoop current;
} // namespace

void runtime::giveUp(const char *what) {
  std::fprintf(stderr, "the runtime for OpenMP code doesn't support %s\n",
               what);
  std::abort();
}

TeamLoop runtime::exchangeLoop(TeamLoop loop) {
  return std::exchange(current, loop);
}

void runtime::resetLoops() {
  for (Counter &counter : counters) {
    counter.round.store(0, std::memory_order_relaxed);
    counter.next.store(0, std::memory_order_relaxed);
    counter.finished.store(0, std::memory_order_relaxed);
  }
}

/// Sets `*lower` and `*upper` (inclusive) to the caller's part of the
/// iterations. In equal parts: consecutive ones; the sizes of parts differ by
/// at most one. In chunks: its first one, and `*stride` to the distance of the
/// next; the upper bound may be behind the last iteration.
template <typename T>
static void staticInit(void *, int32_t, int32_t schedule, int32_t *isLast,
                       T *lower, T *upper, T *stride, T increment, T chunk) {
  int32_t kind = schedule & kindMask;
  if (kind != Static && kind != StaticChunked)
    giveUp("such a loop schedule");
  if (increment != 1)
    giveUp("loops with a step other than 1");
  TeamMember member = currentMember();
  // A loop without iterations has the upper bound lower - 1.
  T count = *upper - *lower + 1;
  uint64_t size = member.size;
  uint64_t number = (member.number + member.shift) % size;
  if (kind == StaticChunked) {
    chunk = std::max<T>(chunk, 1);
    *lower += number * chunk;
    *upper = *lower + chunk - 1;
    *stride = size * chunk;
    *isLast = count > 0 && (count - 1) / chunk % size == number;
    return;
  }
  uint64_t each = count / size, more = count % size;
  uint64_t begin = number * each + std::min(number, more);
  uint64_t part = each + (number < more);
  *lower += begin;
  *upper = *lower + part - 1;
  *stride = count;
  *isLast = part > 0 && begin + part == count;
}

static void staticFini(void *, int32_t) {}

template <typename T>
static void dispatchInit(void *, int32_t, int32_t schedule, T lower, T upper,
                         T step, T chunk) {
  int32_t kind = schedule & kindMask;
  if (kind != Dynamic && kind != Guided)
    giveUp("such a loop schedule");
  if (step != 1)
    giveUp("loops with a step other than 1");
  current.kind = kind;
  current.lower = lower;
  current.count = static_cast<T>(upper - lower + 1);
  current.chunk = std::max<T>(chunk, 1);
  current.turn = 0;
}

/// Takes the next chunk off `counter`: its first iteration and how many it has,
/// 0 if there is none.
static std::pair<uint64_t, uint64_t> takeChunk(Counter &counter, int members) {
  if (current.kind == Dynamic) {
    uint64_t first =
        counter.next.fetch_add(current.chunk, std::memory_order_relaxed);
    return {first, first >= current.count
                       ? 0
                       : std::min(current.chunk, current.count - first)};
  }
  uint64_t first = counter.next.load(std::memory_order_relaxed);
  for (;;) {
    uint64_t left = current.count - std::min(first, current.count);
    uint64_t size =
        std::min(left, std::max(current.chunk, left / (2 * uint64_t(members))));
    if (size == 0 || counter.next.compare_exchange_weak(
                         first, first + size, std::memory_order_relaxed))
      return {first, size};
  }
}

/// The same of the calling thread's loop.
static std::pair<uint64_t, uint64_t> nextChunk() {
  TeamMember member = currentMember();
  if (member.size == 1 || member.isApart) {
    // By turns, so that each has some.
    uint64_t first =
        (current.turn++ * member.size + member.number) * current.chunk;
    return {first, first >= current.count
                       ? 0
                       : std::min(current.chunk, current.count - first)};
  }
  Counter &counter = counters[current.number % std::size(counters)];
  uint32_t round = current.number / std::size(counters);
  // Another member may still be in an earlier loop.
  for (uint32_t now;
       (now = counter.round.load(std::memory_order_acquire)) != round;)
    counter.round.wait(now, std::memory_order_acquire);
  auto chunk = takeChunk(counter, member.size);
  if (chunk.second > 0)
    return chunk;
  ++current.number;
  if (counter.finished.fetch_add(1, std::memory_order_acq_rel) + 1 ==
      member.size) {
    counter.next.store(0, std::memory_order_relaxed);
    counter.finished.store(0, std::memory_order_relaxed);
    counter.round.store(round + 1, std::memory_order_release);
    counter.round.notify_all();
  }
  return chunk;
}

/// Sets the bounds (inclusive) of the caller's next chunk; 0 if there is none.
template <typename T>
static int32_t dispatchNext(void *, int32_t, int32_t *isLast, T *lower,
                            T *upper, T *stride) {
  auto [first, size] = nextChunk();
  if (size == 0)
    return 0;
  *lower = current.lower + first;
  *upper = *lower + size - 1;
  *stride = 1;
  *isLast = first + size == current.count;
  return 1;
}

std::span<const TeamSymbol> runtime::teamLoopSymbols() {
  static const TeamSymbol symbols[] = {
      {"__kmpc_for_static_init_4u",
       reinterpret_cast<void *>(staticInit<uint32_t>)},
      {"__kmpc_for_static_init_8u",
       reinterpret_cast<void *>(staticInit<uint64_t>)},
      {"__kmpc_for_static_fini", reinterpret_cast<void *>(staticFini)},
      {"__kmpc_dispatch_init_4u",
       reinterpret_cast<void *>(dispatchInit<uint32_t>)},
      {"__kmpc_dispatch_init_8u",
       reinterpret_cast<void *>(dispatchInit<uint64_t>)},
      {"__kmpc_dispatch_next_4u",
       reinterpret_cast<void *>(dispatchNext<uint32_t>)},
      {"__kmpc_dispatch_next_8u",
       reinterpret_cast<void *>(dispatchNext<uint64_t>)}};
  return symbols;
}
