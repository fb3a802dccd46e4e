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
#include <cstdint>
#include <sched.h>
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

TEST_F(TeamTest, WhatIsNotSupportedEndsTheProcess) {
  EXPECT_DEATH(fork(nullptr, 5, nullptr), "share so much");
}
