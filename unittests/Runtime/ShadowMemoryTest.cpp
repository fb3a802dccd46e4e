//===- ShadowMemoryTest.cpp - Who accessed which byte ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatorFixture.h"

using namespace baco;
using namespace baco::runtime;

namespace {
using ShadowMemoryTest = EmulatorTest;
} // namespace

// A later phase writes what an earlier one reads: the second barrier is
// missing.
TEST_F(ShadowMemoryTest, FindsAMissingBarrierInAnyOrder) {
  std::vector<int> y(64);
  addBuffer("argument 0", y);
  int *row = shared<int>("row", 64);
  auto twice = [&](bool hasBarrier) {
    int sum = 0;
    for (int round = 0; round < 2; ++round) {
      store(row + thread(), round);
      barrier(1);
      sum += load(row + (thread() + 1) % 64);
      if (hasBarrier)
        barrier(2);
    }
    store(&y[thread()], sum);
  };
  expectRight([&] { twice(true); }, 64);
  expectInAllOrders("races: it ", [&] { twice(false); }, 64);
  EXPECT_EQ(failure->status, Status::WrongResult);
  EXPECT_EQ(run([&] { twice(false); }, 64),
            "kernel 'k', thread (1,0,0) of block (0,0,0) races: it writes "
            "shared memory 'row' at byte 4, which thread (0,0,0) read without "
            "a barrier between");
}

TEST_F(ShadowMemoryTest, FindsUninitializedSharedMemory) {
  int *row = shared<int>("row", 8);
  // What the block before has written is gone.
  auto body = [&] {
    if (block() == 0 || thread() != 7)
      store(row + thread(), 1);
    barrier();
    load(row + thread());
  };
  EXPECT_EQ(run(body, 8, 2),
            "kernel 'k', thread (7,0,0) of block (1,0,0) reads shared memory "
            "'row' at byte 28, which no thread has written");
}

TEST_F(ShadowMemoryTest, FindsRacesBetweenBlocks) {
  std::vector<int> x(4), count(1);
  addBuffer("argument 0", x);
  addBuffer("argument 1", count);
  expectRight(
      [&] {
        load(&x[0]);
        store(&x[1 + block()], 1);
        add(&count[0], 1);
      },
      1, 3);
  EXPECT_EQ(count[0], 3 * 4);
  expectInAllOrders("in the same launch", [&] { store(&x[0], 1); }, 1, 2);
  expectInAllOrders(
      "in the same launch",
      [&] {
        if (block() == 0)
          store(&x[0], 1);
        else
          load(&x[0]);
      },
      1, 2);
  expectInAllOrders(
      "in the same launch",
      [&] {
        if (block() == 0)
          store(&count[0], 1);
        else
          add(&count[0], 1);
      },
      1, 4);
  // A barrier orders threads of one block only.
  expectInAllOrders(
      "in the same launch",
      [&] {
        if (block() == 0)
          store(&x[0], 1);
        barrier();
        load(&x[0]);
      },
      1, 2);
}

TEST_F(ShadowMemoryTest, AtomicsRaceOnlyWithOthers) {
  int *sum = shared<int>("sum", 1);
  auto body = [&](bool hasBarrier) {
    if (thread() == 0)
      store(sum, 0);
    barrier(1);
    add(sum, 1);
    if (hasBarrier)
      barrier(2);
    load(sum);
  };
  expectRight([&] { body(true); }, 40);
  EXPECT_EQ(*sum, 40);
  expectInAllOrders("races", [&] { body(false); }, 40);
}
