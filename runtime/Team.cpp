//===- Team.cpp - The threads of a parallel kernel ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface is that of LLVM's OpenMP run-time library, as documented in its
// reference: a region is a function ("microtask") that gets pointers to the
// number of its thread and to what it shares with the others.
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Team.h"

#include "baco/Runtime/Clock.h"

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <sched.h>
#include <utility>

using namespace baco;
using namespace baco::runtime;

namespace {
/// What a region's function is called with at most, beside its numbers.
constexpr int maxShared = 4;

struct Region {
  void *function = nullptr;
  int numShared = 0;
  void *shared[maxShared] = {};
  /// Members that take part: the first so many.
  int size = 1;
};

/// How long a thread waits by looking before it sleeps. Regions of a kernel
/// follow each other closely, and waking up takes tens of microseconds.
constexpr int64_t lookNs = 200'000;

/// Threads wait for a number to change.
void await(const std::atomic<uint32_t> &number, uint32_t old) {
  int64_t deadlineNs = nowNs() + lookNs;
  for (int i = 1; number.load(std::memory_order_acquire) == old; ++i) {
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
    constexpr int looksPerClock = 64;
    if (i % looksPerClock == 0 && nowNs() > deadlineNs)
      return number.wait(old, std::memory_order_acquire);
  }
}

/// A barrier for a number of members that may be another each time.
struct Barrier {
  std::atomic<uint32_t> round{0};
  std::atomic<int> arrived{0};

  void arrive(int size) {
    uint32_t old = round.load(std::memory_order_acquire);
    if (arrived.fetch_add(1, std::memory_order_acq_rel) + 1 < size)
      return await(round, old);
    arrived.store(0, std::memory_order_relaxed);
    round.store(old + 1, std::memory_order_release);
    round.notify_all();
  }
};

int members = 1;
Region region;
/// Counts regions: what members wait for.
std::atomic<uint32_t> regionNumber{0};
/// For `__kmpc_barrier`, and for the ends of regions.
Barrier inside, end;
/// Set by __kmpc_push_num_threads for this thread's next region; 0: all
/// members.
thread_local int wantedSize = 0;
thread_local int ownNumber = 0;
/// Members of the region that this thread is in; 1 outside of regions, and in
/// those within others.
thread_local int ownSize = 1;
} // namespace

/// Runs the region's function as member `number`.
static void runRegion(const Region &what, int number) {
  int32_t global = number, bound = number;
  void *const *s = what.shared;
  switch (what.numShared) {
  case 0:
    return reinterpret_cast<void (*)(int32_t *, int32_t *)>(what.function)(
        &global, &bound);
  case 1:
    return reinterpret_cast<void (*)(int32_t *, int32_t *, void *)>(
        what.function)(&global, &bound, s[0]);
  case 2:
    return reinterpret_cast<void (*)(int32_t *, int32_t *, void *, void *)>(
        what.function)(&global, &bound, s[0], s[1]);
  case 3:
    return reinterpret_cast<void (*)(int32_t *, int32_t *, void *, void *,
                                     void *)>(what.function)(&global, &bound,
                                                             s[0], s[1], s[2]);
  default:
    return reinterpret_cast<void (*)(int32_t *, int32_t *, void *, void *,
                                     void *, void *)>(what.function)(
        &global, &bound, s[0], s[1], s[2], s[3]);
  }
}

static void *live(void *argument) {
  ownNumber = static_cast<int>(reinterpret_cast<intptr_t>(argument));
  uint32_t seen = 0;
  end.arrive(members);
  for (;;) {
    await(regionNumber, seen);
    seen = regionNumber.load(std::memory_order_acquire);
    if (ownNumber < region.size) {
      ownSize = region.size;
      runRegion(region, ownNumber);
      ownSize = 1;
    }
    end.arrive(members);
  }
}

static void pinTo(int cpu, pthread_t thread) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(cpu, &cpus);
  // Fails if the CPU was taken offline: noisy times are better than none.
  pthread_setaffinity_np(thread, sizeof cpus, &cpus);
}

bool runtime::startTeam(std::span<const int> cpus) {
  if (cpus.size() > static_cast<size_t>(maxTeamSize))
    cpus = cpus.first(maxTeamSize);
  if (cpus.empty())
    return true;
  pinTo(cpus[0], pthread_self());
  members = static_cast<int>(cpus.size());
  for (int i = 1; i < members; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, live,
                       reinterpret_cast<void *>(intptr_t{i})) != 0)
      return false;
    pinTo(cpus[i], thread);
  }
  // What a thread does to set itself up, the sandbox would not allow.
  end.arrive(members);
  return true;
}

int runtime::teamSize() { return members; }

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

[[noreturn]] static void giveUp(const char *what) {
  std::fprintf(stderr, "the team of threads doesn't support %s\n", what);
  std::abort();
}

static int32_t globalThreadNumber(void *) { return ownNumber; }

static void pushNumThreads(void *, int32_t, int32_t count) {
  wantedSize = count;
}

static void forkCall(void *, int32_t numShared, void *function, ...) {
  if (numShared > maxShared)
    giveUp("regions that share so much");
  Region next;
  next.function = function;
  next.numShared = numShared;
  va_list arguments;
  va_start(arguments, function);
  for (int i = 0; i < numShared; ++i)
    next.shared[i] = va_arg(arguments, void *);
  va_end(arguments);
  int wanted = std::exchange(wantedSize, 0);
  bool isNested = ownSize > 1 || ownNumber > 0;
  next.size = isNested || members == 1 ? 1
              : wanted > 0             ? std::min(wanted, members)
                                       : members;
  if (next.size == 1) {
    int outerSize = std::exchange(ownSize, 1);
    int outerNumber = std::exchange(ownNumber, 0);
    runRegion(next, 0);
    ownSize = outerSize;
    ownNumber = outerNumber;
    return;
  }
  region = next;
  regionNumber.fetch_add(1, std::memory_order_release);
  regionNumber.notify_all();
  ownSize = next.size;
  runRegion(next, 0);
  ownSize = 1;
  end.arrive(members);
}

void runtime::wakeTeam() {
  forkCall(nullptr, 0, reinterpret_cast<void *>(+[](int32_t *, int32_t *) {}));
}

static void barrier(void *, int32_t) {
  if (ownSize > 1)
    inside.arrive(ownSize);
}

/// Gives the caller its part of the iterations from `*lower` to `*upper`, which
/// is included: neighbouring ones, as many as the others get, but for one.
template <typename T>
static void staticInit(void *, int32_t, int32_t schedule, int32_t *isLast,
                       T *lower, T *upper, T *stride, T increment, T) {
  // The upper bits say whether iterations may be out of order.
  constexpr int32_t kindMask = 0xffff, staticKind = 34;
  if ((schedule & kindMask) != staticKind)
    giveUp("this schedule of a loop");
  if (increment != 1)
    giveUp("loops with such steps");
  // Of no iterations, the upper bound is the one before the lower.
  T count = *upper - *lower + 1;
  uint64_t each = count / ownSize, more = count % ownSize;
  uint64_t number = ownNumber;
  uint64_t begin = number * each + std::min(number, more);
  uint64_t size = each + (number < more);
  *lower += begin;
  *upper = *lower + size - 1;
  *stride = count;
  *isLast = size > 0 && begin + size == count;
}

static void staticFini(void *, int32_t) {}

std::span<const TeamSymbol> runtime::teamSymbols() {
  static const TeamSymbol symbols[] = {
      {teamForkSymbol, reinterpret_cast<void *>(forkCall)},
      {"__kmpc_global_thread_num",
       reinterpret_cast<void *>(globalThreadNumber)},
      {"__kmpc_push_num_threads", reinterpret_cast<void *>(pushNumThreads)},
      {"__kmpc_barrier", reinterpret_cast<void *>(barrier)},
      {"__kmpc_for_static_init_4u",
       reinterpret_cast<void *>(staticInit<uint32_t>)},
      {"__kmpc_for_static_init_8u",
       reinterpret_cast<void *>(staticInit<uint64_t>)},
      {"__kmpc_for_static_fini", reinterpret_cast<void *>(staticFini)}};
  return symbols;
}
