//===- TeamTest.cpp - Tests of the team of threads ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process has one team, so the tests share it. Its members are pinned to one
// CPU: nothing here depends on how many there are.
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Team.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <sched.h>
#include <span>
#include <string>
#include <vector>

using namespace baco::runtime;

static constexpr int size = 3;

/// The entry point `name` as a function of type `Function`.
template <typename Function>
static Function *entry(const std::string &name) {
  for (auto [known, address] : teamSymbols())
    if (known == name)
      return reinterpret_cast<Function *>(address);
  ADD_FAILURE() << name;
  return nullptr;
}

using Fork = void(void *, int32_t, void *, ...);
using StaticInit = void(void *, int32_t, int32_t, int32_t *, uint64_t *,
                        uint64_t *, uint64_t *, uint64_t, uint64_t);
using Barrier = void(void *, int32_t);
using Push = void(void *, int32_t, int32_t);

namespace {
class TeamTest : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    std::vector<int> cpus(size, sched_getcpu());
    ASSERT_TRUE(startTeam(cpus));
  }
  void TearDown() override { setTeamMode(TeamMode::Free); }
  Fork *fork = entry<Fork>(teamForkSymbol);
};

/// How often each iteration of a loop was run, and by how many threads.
struct Counts {
  uint64_t iterations = 0;
  std::vector<std::atomic<int>> seen = std::vector<std::atomic<int>>(100);
  std::atomic<int> threads{0}, last{0};
};
} // namespace

/// A region with a loop, as compilers make it.
static void countIterations(int32_t *, int32_t *, void *shared) {
  auto *counts = static_cast<Counts *>(shared);
  int32_t isLast = 0;
  uint64_t lower = 0, upper = counts->iterations - 1, stride = 1;
  constexpr int32_t staticKind = 34;
  entry<StaticInit>("__kmpc_for_static_init_8u")(
      nullptr, 0, staticKind, &isLast, &lower, &upper, &stride, 1, 0);
  uint64_t trips = upper - lower + 1;
  for (uint64_t i = 0; i < trips; ++i)
    ++counts->seen[lower + i];
  ++counts->threads;
  counts->last += isLast;
  entry<Barrier>("__kmpc_barrier")(nullptr, 0);
}

static void expectEachOnce(const Counts &counts) {
  for (uint64_t i = 0; i < counts.seen.size(); ++i)
    EXPECT_EQ(counts.seen[i], i < counts.iterations ? 1 : 0) << i;
}

TEST_F(TeamTest, HasItsSize) { EXPECT_EQ(teamSize(), size); }

TEST_F(TeamTest, IterationsRunOnceEach) {
  for (uint64_t iterations : {0, 1, 2, 3, 4, 7, 99, 100}) {
    Counts counts;
    counts.iterations = iterations;
    fork(nullptr, 1, reinterpret_cast<void *>(countIterations), &counts);
    expectEachOnce(counts);
    EXPECT_EQ(counts.threads, size);
    EXPECT_EQ(counts.last, iterations > 0 ? 1 : 0) << iterations;
  }
}

TEST_F(TeamTest, NumThreadsHoldsForOneRegion) {
  for (int wanted : {1, 2, 1000, 0}) {
    Counts counts;
    counts.iterations = 10;
    if (wanted > 0)
      entry<Push>("__kmpc_push_num_threads")(nullptr, 0, wanted);
    fork(nullptr, 1, reinterpret_cast<void *>(countIterations), &counts);
    expectEachOnce(counts);
    EXPECT_EQ(counts.threads, wanted > 0 ? std::min(wanted, size) : size);
  }
}

TEST_F(TeamTest, RegionsWithinRegionsRunInOneThread) {
  std::vector<Counts> counts(size);
  for (Counts &one : counts)
    one.iterations = 10;
  fork(nullptr, 1,
       reinterpret_cast<void *>(+[](int32_t *number, int32_t *, void *shared) {
         auto *all = static_cast<std::vector<Counts> *>(shared);
         entry<Fork>(teamForkSymbol)(nullptr, 1,
                                     reinterpret_cast<void *>(countIterations),
                                     &(*all)[*number]);
       }),
       &counts);
  for (const Counts &one : counts) {
    expectEachOnce(one);
    EXPECT_EQ(one.threads, 1);
  }
}

TEST_F(TeamTest, BarrierWaitsForAll) {
  struct Shared {
    std::atomic<int> before{0}, wrong{0};
  } shared;
  for (int i = 0; i < 200; ++i) {
    shared.before = 0;
    fork(nullptr, 1,
         reinterpret_cast<void *>(+[](int32_t *, int32_t *, void *argument) {
           auto *shared = static_cast<Shared *>(argument);
           ++shared->before;
           entry<Barrier>("__kmpc_barrier")(nullptr, 0);
           shared->wrong += shared->before != size;
         }),
         &shared);
  }
  EXPECT_EQ(shared.wrong, 0);
}

TEST_F(TeamTest, SharedPointersArriveInOrder) {
  int values[4] = {};
  fork(nullptr, 4,
       reinterpret_cast<void *>(
           +[](int32_t *number, int32_t *, void *a, void *b, void *c, void *d) {
             int value = 0;
             if (*number == 0)
               for (void *shared : {a, b, c, d})
                 *static_cast<int *>(shared) = ++value;
           }),
       &values[0], &values[1], &values[2], &values[3]);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(values[i], i + 1);
}

TEST_F(TeamTest, IterationsRunOnceEachHoweverTheyAreShaken) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    setTeamMode(TeamMode::Shaken, seed);
    Counts counts;
    counts.iterations = 10 + seed;
    fork(nullptr, 1, reinterpret_cast<void *>(countIterations), &counts);
    expectEachOnce(counts);
    EXPECT_EQ(counts.threads, size);
    EXPECT_EQ(counts.last, 1);
  }
}

//===----------------------------------------------------------------------===//
// Apart
//===----------------------------------------------------------------------===//

namespace {
/// What regions of the tests below share.
struct Cells {
  std::vector<int> values = std::vector<int>(12);

  std::vector<std::span<std::byte>> parts() {
    return {std::as_writable_bytes(std::span(values))};
  }
};

using Region = void (*)(int32_t *, int32_t *, void *);
} // namespace

/// The cells after a region that ran apart.
static std::vector<int> runApart(Fork *fork, Region region) {
  Cells cells;
  for (int i = 0; i < 12; ++i)
    cells.values[i] = i;
  setTeamMode(TeamMode::Apart, 0, cells.parts());
  fork(nullptr, 1, reinterpret_cast<void *>(region), &cells);
  return cells.values;
}

static void barrier() { entry<Barrier>("__kmpc_barrier")(nullptr, 0); }

TEST_F(TeamTest, RightKernelsStayRightApart) {
  // Each has cells of its own; neighbors are read after a barrier.
  auto region = +[](int32_t *number, int32_t *, void *shared) {
    std::vector<int> &values = static_cast<Cells *>(shared)->values;
    for (int i = 4 * *number; i < 4 * *number + 4; ++i)
      values[i] += 100;
    barrier();
    int next = values[(4 * *number + 4) % 12];
    barrier();
    values[4 * *number] = next;
    barrier();
  };
  EXPECT_EQ(runApart(fork, region),
            (std::vector<int>{104, 101, 102, 103, 108, 105, 106, 107, 100, 109,
                              110, 111}));
}

TEST_F(TeamTest, SumsThatRaceAreLostApart) {
  auto region = +[](int32_t *, int32_t *, void *shared) {
    for (int &value : static_cast<Cells *>(shared)->values)
      ++value;
    barrier();
  };
  // One of three each, always.
  EXPECT_EQ(runApart(fork, region),
            (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
}

TEST_F(TeamTest, ThreadsApartDoNotSeeOtherWrites) {
  // Without the barrier that it needs.
  auto region = +[](int32_t *number, int32_t *, void *shared) {
    std::vector<int> &values = static_cast<Cells *>(shared)->values;
    values[*number] = *number == 0 ? 50 : values[*number - 1] + 50;
  };
  std::vector<int> values = runApart(fork, region);
  EXPECT_EQ(values[0], 50);
  EXPECT_EQ(values[1], 50) << "cell 0 as it was";
  EXPECT_EQ(values[2], 51) << "cell 1 as it was";
}

TEST_F(TeamTest, AllocatedMemoryIsKnownApart) {
  auto *allocate = entry<void *(size_t)>("malloc");
  auto *aligned = entry<void *(size_t, size_t)>("aligned_alloc");
  auto *release = entry<void(void *)>("free");
  setTeamMode(TeamMode::Apart);
  int *sums[] = {static_cast<int *>(allocate(sizeof(int))),
                 static_cast<int *>(aligned(64, 64))};
  *sums[0] = *sums[1] = 0;
  fork(nullptr, 2,
       reinterpret_cast<void *>(+[](int32_t *, int32_t *, void *a, void *b) {
         // What a member allocates is its own.
         auto *own = static_cast<int *>(entry<void *(size_t)>("malloc")(4));
         *own = 1;
         *static_cast<int *>(a) += *own;
         *static_cast<int *>(b) += *own;
         entry<void(void *)>("free")(own);
       }),
       sums[0], sums[1]);
  EXPECT_EQ(*sums[0], 1);
  EXPECT_EQ(*sums[1], 1);
  release(sums[0]);
  // What was freed is no part of later regions.
  fork(nullptr, 0, reinterpret_cast<void *>(+[](int32_t *, int32_t *) {}));
  release(sums[1]);
}

TEST_F(TeamTest, LargeMemoryRunsFree) {
  std::vector<std::byte> large(40 << 20);
  setTeamMode(TeamMode::Apart, 0, {large});
  Counts counts;
  counts.iterations = 10;
  fork(nullptr, 1, reinterpret_cast<void *>(countIterations), &counts);
  expectEachOnce(counts);
  EXPECT_EQ(counts.threads, size);
}

TEST_F(TeamTest, RegionsWithinRegionsAreNotApart) {
  auto region = +[](int32_t *number, int32_t *, void *shared) {
    static thread_local int own;
    own = *number;
    entry<Fork>(teamForkSymbol)(
        nullptr, 1,
        reinterpret_cast<void *>(+[](int32_t *inner, int32_t *, void *cells) {
          barrier();
          static_cast<Cells *>(cells)->values[own] = 70 + *inner;
        }),
        shared);
  };
  std::vector<int> values = runApart(fork, region);
  for (int i = 0; i < size; ++i)
    EXPECT_EQ(values[i], 70);
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

using DispatchInit = void(void *, int32_t, int32_t, uint64_t, uint64_t,
                          uint64_t, uint64_t);
using DispatchNext = int32_t(void *, int32_t, int32_t *, uint64_t *, uint64_t *,
                             uint64_t *);

namespace {
/// A loop whose iterations are shared in chunks.
struct Chunks : Counts {
  int32_t kind = 0;
  uint64_t chunk = 1;
  /// Loops behind each other, without a barrier between them.
  int loops = 1;
  std::atomic<uint64_t> largest{0};
  void add(uint64_t lower, uint64_t upper, int32_t isLast) {
    for (uint64_t i = lower; i <= upper; ++i)
      ++seen[i];
    uint64_t before = largest;
    while (before < upper - lower + 1 &&
           !largest.compare_exchange_weak(before, upper - lower + 1)) {
    }
    last += isLast;
  }
};

constexpr int32_t staticChunked = 33, dynamicKind = 35, guidedKind = 36;
} // namespace

/// The region, as compilers make it.
static void countChunks(int32_t *, int32_t *, void *shared) {
  auto *chunks = static_cast<Chunks *>(shared);
  int32_t isLast = 0;
  uint64_t lower = 0, upper = chunks->iterations - 1, stride = 1;
  ++chunks->threads;
  for (int i = 0; i < chunks->loops; ++i) {
    if (chunks->kind == staticChunked) {
      lower = 0, upper = chunks->iterations - 1;
      entry<StaticInit>("__kmpc_for_static_init_8u")(nullptr, 0, chunks->kind,
                                                     &isLast, &lower, &upper,
                                                     &stride, 1, chunks->chunk);
      for (uint64_t first = lower; first < chunks->iterations; first += stride)
        chunks->add(first,
                    std::min(first + (upper - lower), chunks->iterations - 1),
                    0);
      chunks->last += isLast;
      continue;
    }
    // Compilers count from 1 here.
    entry<DispatchInit>("__kmpc_dispatch_init_8u")(
        nullptr, 0, chunks->kind | 1 << 30, 1, chunks->iterations, 1,
        chunks->chunk);
    while (entry<DispatchNext>("__kmpc_dispatch_next_8u")(
        nullptr, 0, &isLast, &lower, &upper, &stride))
      chunks->add(lower - 1, upper - 1, isLast);
  }
  barrier();
}

TEST_F(TeamTest, IterationsInChunksRunOnceEach) {
  for (int32_t kind : {staticChunked, dynamicKind, guidedKind})
    for (TeamMode mode : {TeamMode::Free, TeamMode::Shaken, TeamMode::Apart})
      for (uint64_t iterations : {0, 1, 5, 12, 100})
        for (uint64_t chunk : {1, 4, 7, 200}) {
          SCOPED_TRACE(testing::Message()
                       << kind << ", " << static_cast<int>(mode) << ", "
                       << iterations << ", " << chunk);
          Chunks chunks;
          chunks.kind = kind;
          chunks.iterations = iterations;
          chunks.chunk = chunk;
          setTeamMode(mode, 5);
          fork(nullptr, 1, reinterpret_cast<void *>(countChunks), &chunks);
          expectEachOnce(chunks);
          EXPECT_EQ(chunks.threads, size);
          EXPECT_EQ(chunks.last, iterations > 0 ? 1 : 0);
          if (kind != guidedKind)
            EXPECT_EQ(chunks.largest, std::min(iterations, chunk));
        }
}

TEST_F(TeamTest, LoopsInChunksNeedNoBarrier) {
  for (int32_t kind : {dynamicKind, guidedKind}) {
    Chunks chunks;
    chunks.kind = kind;
    chunks.iterations = 20;
    chunks.loops = 50;
    fork(nullptr, 1, reinterpret_cast<void *>(countChunks), &chunks);
    for (int i = 0; i < 20; ++i)
      EXPECT_EQ(chunks.seen[i], 50);
    EXPECT_EQ(chunks.last, 50);
  }
}

TEST_F(TeamTest, GuidedChunksShrink) {
  Chunks chunks;
  chunks.kind = guidedKind;
  chunks.iterations = 96;
  fork(nullptr, 1, reinterpret_cast<void *>(countChunks), &chunks);
  expectEachOnce(chunks);
  // Of what is left, half of a thread's part.
  EXPECT_EQ(chunks.largest, 96u / (2 * size));
}

TEST_F(TeamTest, ChunksApartAreSharedByTurns) {
  // All write the same cell: with the increments of one member, one is left.
  auto region = +[](int32_t *, int32_t *, void *shared) {
    int32_t isLast = 0;
    uint64_t lower = 0, upper = 0, stride = 0;
    entry<DispatchInit>("__kmpc_dispatch_init_8u")(nullptr, 0, dynamicKind, 1,
                                                   6, 1, 1);
    while (entry<DispatchNext>("__kmpc_dispatch_next_8u")(
        nullptr, 0, &isLast, &lower, &upper, &stride))
      ++static_cast<Cells *>(shared)->values[0];
    barrier();
  };
  EXPECT_EQ(runApart(fork, region)[0], 2);
}

TEST_F(TeamTest, UnsupportedCallsEndTheProcess) {
  EXPECT_DEATH(fork(nullptr, 5, nullptr), "so many shared variables");
}
