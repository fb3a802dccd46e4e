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

#include "TeamLoops.h"

#include "baco/Protocol/Clock.h"
#include "baco/Runtime/CheckedCall.h"
#include "baco/Runtime/SharedMemory.h"

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <pthread.h>
#include <sched.h>
#include <utility>

using namespace baco;
using namespace baco::runtime;

namespace {
/// The largest number of shared arguments of a region's function, besides its
/// two numbers.
constexpr int maxShared = 4;

struct Region {
  void *function = nullptr;
  int numShared = 0;
  void *shared[maxShared] = {};
  /// Members that take part: the first so many.
  int size = 1;
  /// They run one after another: TeamMode::Apart.
  bool isApart = false;
};

/// How long a thread spins before it sleeps. Regions of a kernel follow each
/// other closely, and waking up takes tens of microseconds.
constexpr int64_t lookNs = 200'000;

/// If threads must begin at the same moment, they spin for longer, because a
/// sleeping thread would come late.
constexpr int64_t togetherNs = 5'000'000;

/// Threads wait for a number to change.
void await(const std::atomic<uint32_t> &number, uint32_t old,
           int64_t maxLookNs = lookNs) {
  int64_t deadlineNs = nowNs() + maxLookNs;
  for (int i = 1; number.load(std::memory_order_acquire) == old; ++i) {
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
    constexpr int looksPerClock = 64;
    if (i % looksPerClock == 0 && nowNs() > deadlineNs)
      return number.wait(old, std::memory_order_acquire);
  }
}

/// A barrier for a number of members that may change each time.
struct Barrier {
  std::atomic<uint32_t> round{0};
  std::atomic<int> arrived{0};

  void arrive(int size, int64_t maxLookNs = lookNs) {
    uint32_t old = round.load(std::memory_order_acquire);
    if (arrived.fetch_add(1, std::memory_order_acq_rel) + 1 < size)
      return await(round, old, maxLookNs);
    arrived.store(0, std::memory_order_relaxed);
    round.store(old + 1, std::memory_order_release);
    round.notify_all();
  }
};

int members = 1;
/// The members, and a helper thread if there is only one CPU.
int threads = 1;
Region region;
/// Counts regions, for which members wait. A separate counter is for those that
/// run apart.
std::atomic<uint32_t> regionNumber{0}, apartNumber{0};
/// For the beginnings of regions that are shaken, for `__kmpc_barrier`, and for
/// the ends of regions.
Barrier begin, inside, end;
/// Set by __kmpc_push_num_threads for this thread's next region; 0: all
/// members.
thread_local int wantedSize = 0;

TeamMode mode = TeamMode::Free;
uint64_t modeSeed = 0;

/// The state of a run in TeamMode::Apart.
struct Apart {
  /// The memory that the kernel may write: arguments, and its allocations
  /// outside of regions.
  std::vector<std::span<std::byte>> arguments, blocks;
  /// Bytes that may still be compared and copied.
  size_t costLeft = 0;
  /// The memory of the region that runs.
  std::optional<SharedMemory> memory;
  /// The member whose turn it is.
  std::atomic<int> turn{0};
  /// Blocks that were freed within the region.
  std::vector<void *> freed;
} apart;

/// The limit on comparing and copying in a run: some hundredths of a second.
constexpr size_t maxCost = 256 << 20;
/// There are two copies of it.
constexpr size_t maxSharedBytes = 32 << 20;

/// See poisonTeamStacks; published with the region's number.
std::optional<Pattern> stackPattern;
constexpr size_t poisonedTeamBytes = 256 << 10;

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

static void awaitTurn(int number) {
  for (int now; (now = apart.turn.load(std::memory_order_acquire)) != number;)
    apart.turn.wait(now, std::memory_order_acquire);
}

/// Ends a member's turn: at a barrier, or at the end of the region.
static void finishTurn(int number) {
  apart.memory->takeBack();
  bool isLast = number + 1 == region.size;
  if (isLast)
    apart.memory->join();
  apart.turn.store(isLast ? 0 : number + 1, std::memory_order_release);
  apart.turn.notify_all();
}

/// A hash of a few numbers (the finalizer of SplitMix64, Steele et al., "Fast
/// Splittable Pseudorandom Number Generators", 2014).
static uint64_t mix(uint64_t seed, uint64_t a, uint64_t b) {
  uint64_t z = seed + 0x9e3779b97f4a7c15 * (a * maxTeamSize + b + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// Waits for the others, and then for a random time of some hundred cycles.
static void shake(int number) {
  begin.arrive(region.size, togetherNs);
  constexpr int delays[] = {0, 0, 10, 100};
  uint32_t which = mix(modeSeed, regionNumber, number) % std::size(delays);
  for (int i = 0; i < delays[which]; ++i) {
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
  }
}

TeamMember runtime::currentMember() {
  return {ownNumber, ownSize,
          mode == TeamMode::Shaken && ownSize > 1 ? modeSeed : 0,
          region.isApart && ownSize > 1};
}

/// Runs a member's part of the region.
static void takePart(int number) {
  ownSize = region.size;
  exchangeLoop({});
  if (region.isApart)
    awaitTurn(number);
  else if (mode == TeamMode::Shaken)
    shake(number);
  if (stackPattern && number > 0)
    poisonStack(*stackPattern, poisonedTeamBytes);
  runRegion(region, number);
  if (region.isApart)
    finishTurn(number);
  ownSize = 1;
}

static void *live(void *argument) {
  ownNumber = static_cast<int>(reinterpret_cast<intptr_t>(argument));
  const std::atomic<uint32_t> &awaited =
      ownNumber < members ? regionNumber : apartNumber;
  uint32_t seen = 0;
  end.arrive(threads);
  for (;;) {
    await(awaited, seen);
    seen = awaited.load(std::memory_order_acquire);
    if (ownNumber < region.size)
      takePart(ownNumber);
    end.arrive(region.isApart ? threads : members);
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
  threads = std::max(2, members);
  for (int i = 1; i < threads; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, live,
                       reinterpret_cast<void *>(intptr_t{i})) != 0)
      return false;
    pinTo(cpus[i % members], thread);
  }
  // The sandbox would not allow the set-up of a thread.
  end.arrive(threads);
  return true;
}

int runtime::teamSize() { return members; }

void runtime::setTeamMode(TeamMode newMode, uint64_t seed,
                          std::vector<std::span<std::byte>> shared) {
  mode = newMode;
  modeSeed = seed;
  apart.arguments = std::move(shared);
  apart.blocks.clear();
  apart.costLeft = maxCost;
}

/// Prepares for a region of so many members that run apart; false if that would
/// take too long.
static bool startApart(int size) {
  std::vector<std::span<std::byte>> parts = apart.arguments;
  parts.insert(parts.end(), apart.blocks.begin(), apart.blocks.end());
  size_t bytes = SharedMemory::sizeOf(parts);
  // Before and after, and in each turn.
  size_t cost = bytes * (2 + static_cast<size_t>(size));
  if (bytes > maxSharedBytes || cost > apart.costLeft)
    return false;
  apart.costLeft -= cost;
  apart.memory.emplace(std::move(parts));
  apart.turn = 0;
  return true;
}

static void endApart() {
  apart.memory.reset();
  for (void *block : apart.freed)
    std::free(block);
  apart.freed.clear();
}

void runtime::poisonTeamStacks(std::optional<Pattern> pattern) {
  stackPattern = pattern;
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

static int32_t globalThreadNumber(void *) { return ownNumber; }

static void pushNumThreads(void *, int32_t, int32_t count) {
  wantedSize = count;
}

static void forkCall(void *, int32_t numShared, void *function, ...) {
  if (numShared > maxShared)
    giveUp("regions with so many shared variables");
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
  int most = mode == TeamMode::Apart ? threads : members;
  next.size = isNested ? 1 : wanted > 0 ? std::min(wanted, most) : most;
  next.isApart = mode == TeamMode::Apart && next.size > 1 && !isNested &&
                 startApart(next.size);
  if (!next.isApart)
    next.size = std::min(next.size, members);
  if (next.size == 1) {
    int outerSize = std::exchange(ownSize, 1);
    int outerNumber = std::exchange(ownNumber, 0);
    TeamLoop outerLoop = exchangeLoop({});
    runRegion(next, 0);
    exchangeLoop(outerLoop);
    ownSize = outerSize;
    ownNumber = outerNumber;
    return;
  }
  resetLoops();
  region = next;
  regionNumber.fetch_add(1, std::memory_order_release);
  regionNumber.notify_all();
  if (next.isApart) {
    apartNumber.fetch_add(1, std::memory_order_release);
    apartNumber.notify_all();
  }
  takePart(0);
  end.arrive(next.isApart ? threads : members);
  if (next.isApart)
    endApart();
}

void runtime::wakeTeam() {
  forkCall(nullptr, 0, reinterpret_cast<void *>(+[](int32_t *, int32_t *) {}));
}

void runtime::runOnTeam(void (*work)(void *shared), void *shared) {
  auto call = +[](int32_t *, int32_t *, void *work, void *shared) {
    reinterpret_cast<void (*)(void *)>(work)(shared);
  };
  forkCall(nullptr, 2, reinterpret_cast<void *>(call),
           reinterpret_cast<void *>(work), shared);
}

static void barrier(void *, int32_t) {
  if (ownSize <= 1)
    return;
  if (!region.isApart)
    return inside.arrive(ownSize);
  finishTurn(ownNumber);
  awaitTurn(ownNumber);
}

/// Records memory that threads share.
static void *addBlock(void *block, size_t size) {
  if (mode == TeamMode::Apart && block && ownSize == 1 && ownNumber == 0)
    apart.blocks.emplace_back(static_cast<std::byte *>(block), size);
  return block;
}

static void *allocate(size_t size) { return addBlock(std::malloc(size), size); }

static void *allocateAligned(size_t alignment, size_t size) {
  return addBlock(std::aligned_alloc(alignment, size), size);
}

static void release(void *block) {
  if (mode != TeamMode::Apart || !block)
    return std::free(block);
  auto isIt = [&](std::span<std::byte> known) { return known.data() == block; };
  bool isShared = std::any_of(apart.blocks.begin(), apart.blocks.end(), isIt);
  if (!isShared)
    return std::free(block);
  std::erase_if(apart.blocks, isIt);
  // The others still see it.
  if (apart.memory)
    apart.freed.push_back(block);
  else
    std::free(block);
}

std::span<const TeamSymbol> runtime::teamSymbols() {
  static const TeamSymbol symbols[] = {
      {teamForkSymbol, reinterpret_cast<void *>(forkCall)},
      {"__kmpc_global_thread_num",
       reinterpret_cast<void *>(globalThreadNumber)},
      {"__kmpc_push_num_threads", reinterpret_cast<void *>(pushNumThreads)},
      {"__kmpc_barrier", reinterpret_cast<void *>(barrier)},
      {"malloc", reinterpret_cast<void *>(allocate)},
      {"aligned_alloc", reinterpret_cast<void *>(allocateAligned)},
      {"free", reinterpret_cast<void *>(release)}};
  static const std::vector<TeamSymbol> all = [] {
    std::vector<TeamSymbol> both(std::begin(symbols), std::end(symbols));
    both.insert(both.end(), teamLoopSymbols().begin(), teamLoopSymbols().end());
    return both;
  }();
  return all;
}
