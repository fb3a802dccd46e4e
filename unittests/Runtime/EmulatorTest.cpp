//===- EmulatorTest.cpp - What is wrong with kernels ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatorFixture.h"

#include <numeric>

using namespace baco;
using namespace baco::runtime;

TEST_F(EmulatorTest, ReversesThroughSharedMemory) {
  std::vector<int> x(256), y(256);
  std::iota(x.begin(), x.end(), 0);
  addBuffer("argument 0", x);
  addBuffer("argument 1", y);
  int *row = shared<int>("row", 64);
  emulator.setGranule(4);
  auto reverse = [&] {
    unsigned first = 64 * block();
    store(row + thread(), load(&x[first + thread()]));
    barrier();
    store(&y[first + thread()], load(row + 63 - thread()));
  };
  for (EmulatedOrder order : allOrders()) {
    std::ranges::fill(y, -1);
    ASSERT_EQ(run(reverse, 64, 4, order), "");
    for (int i = 0; i < 256; ++i)
      ASSERT_EQ(y[i], i / 64 * 64 + 63 - i % 64) << orderName(order);
  }
}

// A later phase writes what an earlier one reads: the second barrier is
// missing.
TEST_F(EmulatorTest, FindsAMissingBarrierInAnyOrder) {
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

TEST_F(EmulatorTest, FindsUninitializedSharedMemory) {
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

TEST_F(EmulatorTest, FindsAccessesOutOfBounds) {
  std::vector<int> x(8);
  addBuffer("argument 0", x);
  int *first = shared<int>("first", 8), *second = shared<int>("second", 8);
  EXPECT_GE(second - first, 9);
  std::string before = "kernel 'k', thread (0,0,0) of block (0,0,0) ";
  EXPECT_EQ(run([&] { load(x.data() + 8); }, 1),
            before + "reads 4 bytes out of bounds: byte 32 of argument 0, "
                     "which has 32");
  EXPECT_EQ(failure->status, Status::DeviceFault);
  EXPECT_EQ(run([&] { store(x.data() - 1, 0); }, 1),
            before + "writes 4 bytes out of bounds: byte -4 of argument 0, "
                     "which has 32");
  EXPECT_EQ(run([&] { add(first + 8, 1); }, 1),
            before + "changes atomically 4 bytes out of bounds: byte 32 of "
                     "shared memory 'first', which has 32");
  EXPECT_EQ(run([&] { load(static_cast<int *>(nullptr)); }, 1),
            before + "reads 4 bytes out of bounds of all buffers");
  // Across the end.
  EXPECT_EQ(
      run([&] { emulator.access(x.data() + 6, 16, AccessKind::Read, 4, 0); },
          1),
      before + "reads 16 bytes out of bounds: byte 24 of argument 0, "
               "which has 32");
}

TEST_F(EmulatorTest, FindsMisalignedAccesses) {
  int *row = shared<int>("row", 8);
  EXPECT_EQ(
      run([&] { emulator.access(row + 1, 16, AccessKind::Write, 16, 0); }, 1),
      "kernel 'k', thread (0,0,0) of block (0,0,0) writes 16 bytes at an "
      "address that isn't a multiple of 16: shared memory 'row' at byte 4");
}

TEST_F(EmulatorTest, FindsDivergentBarriers) {
  emulator.setPlaces({"", "a.mlir:1:2", "a.mlir:3:4"});
  auto part = [&] {
    if (thread() < 3)
      barrier(1);
  };
  expectInAllOrders("waits at barrier 0, at a.mlir:1:2, but thread (3,0,0) "
                    "has ended",
                    part, 4);
  EXPECT_EQ(failure->status, Status::DeviceFault);
  auto both = [&] { barrier(thread() < 3 ? 1 : 2); };
  expectInAllOrders("waits at barrier 0, at a.mlir:1:2, but thread (3,0,0) "
                    "waits at barrier 0, at a.mlir:3:4",
                    both, 4);
  // The emulator goes on with the next launch.
  expectRight([&] { barrier(1); }, 4);
}

TEST_F(EmulatorTest, ReducesAtBarriers) {
  unsigned counts[8], all[8], any[8];
  auto body = [&] {
    unsigned i = thread();
    counts[i] = emulator.barrier(0, 0, 0, BarrierReduction::Count, i < 3);
    all[i] = emulator.barrier(1, 8, 1, BarrierReduction::And, i < 7);
    any[i] = emulator.barrier(0, 0, 2, BarrierReduction::Or, i == 7);
  };
  expectRight(body, 8);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(counts[i], 3u);
    EXPECT_EQ(all[i], 0u);
    EXPECT_EQ(any[i], 1u);
  }
  EXPECT_NE(run([&] { emulator.barrier(16, 0, 0); }, 1), "");
  EXPECT_NE(run([&] { emulator.barrier(0, 4, 0); }, 8), "");
}

TEST_F(EmulatorTest, FindsRacesBetweenBlocks) {
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

TEST_F(EmulatorTest, AtomicsRaceOnlyWithOthers) {
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

TEST_F(EmulatorTest, MergesBuffersThatOverlap) {
  std::vector<int> x(8);
  addBuffer("argument 0", x);
  addBuffer("argument 1", x);
  buffers.push_back(
      {"argument 2", reinterpret_cast<std::byte *>(x.data() + 4), 16});
  std::string message = run([&] { store(&x[5], 0); }, 2);
  EXPECT_NE(message.find("argument 2 at byte 20"), std::string::npos)
      << message;
}

TEST_F(EmulatorTest, HasLocalMemory) {
  int sums[4] = {};
  auto body = [&] {
    auto *local = reinterpret_cast<int *>(emulator.enter(16));
    for (int i = 0; i < 4; ++i)
      store(local + i, int(thread()));
    barrier();
    for (int i = 0; i < 4; ++i)
      sums[thread()] += load(local + i);
    emulator.leave();
  };
  EXPECT_EQ(run(body, 4), "");
  EXPECT_EQ(sums[3], 12);
  EXPECT_NE(run(
                [&] {
                  auto *local = reinterpret_cast<int *>(emulator.enter(16));
                  load(local + 4);
                },
                1),
            "");
  EXPECT_NE(run(
                [&] {
                  auto *local = reinterpret_cast<int *>(emulator.enter(16));
                  emulator.leave();
                  load(local);
                },
                1),
            "");
}

TEST_F(EmulatorTest, StopsEndlessKernels) {
  emulator.setStepLimit(1000);
  EXPECT_EQ(run(
                [&] {
                  for (;;)
                    emulator.step();
                },
                2),
            "kernel 'k', thread (0,0,0) of block (0,0,0) still runs when the "
            "launch has made 1000 steps; reduce the extents if it isn't a loop "
            "without an end");
  EXPECT_EQ(failure->status, Status::TimedOut);
}

TEST_F(EmulatorTest, ChecksLaunches) {
  auto nothing = [] {};
  EXPECT_EQ(run(nothing, 1024), "");
  EXPECT_EQ(run(nothing, 1025),
            "kernel 'k': a block has at most 1024 threads along x, but it is "
            "1025");
  EXPECT_EQ(failure->status, Status::LaunchFailed);
  EXPECT_NE(run(nothing, 0), "");
  EXPECT_NE(run(nothing, 1, 0), "");
  EXPECT_NE(run(nothing, 1, (1 << 24) + 1), "");
  CudaLaunch launch;
  launch.block = {64, 32, 1};
  EXPECT_EQ(emulator.launch("k", nothing, launch, {}, {})->message,
            "kernel 'k': a block has at most 1024 threads, but it is 2048");
  launch.block = {1, 1, 1};
  launch.grid = {1, 65536, 1};
  EXPECT_EQ(emulator.launch("k", nothing, launch, {}, {})->message,
            "kernel 'k': a grid has at most 65535 blocks along y, but it is "
            "65536");
  launch.grid = {1, 1, 1};
  launch.dynamicSharedBytes = 227 * 1024 + 1;
  EXPECT_NE(emulator.launch("k", nothing, launch, {}, {})
                ->message.find("232448 bytes of shared memory"),
            std::string::npos);
  EXPECT_EQ(emulator.addShared("a", 48 * 1024 + 1, 16), nullptr);
  EXPECT_NE(emulator.addShared("a", 48 * 1024, 16), nullptr);
  EXPECT_EQ(emulator.addShared("b", 1, 16), nullptr);
}

TEST_F(EmulatorTest, HasDynamicSharedMemory) {
  shared<int>("a", 8);
  auto *all = reinterpret_cast<int *>(emulator.dynamicShared());
  CudaLaunch launch;
  launch.block[0] = 4;
  launch.dynamicSharedBytes = 227 * 1024 - 32;
  int sum = 0;
  unsigned last = launch.dynamicSharedBytes / 4 - 1;
  auto body = [&](unsigned at) {
    if (thread() == 0)
      store(all + at, 7);
    barrier();
    sum += load(all + at);
  };
  EXPECT_FALSE(emulator.launch("k", [&] { body(last); }, launch, {}, {}));
  EXPECT_EQ(sum, 28);
  EXPECT_TRUE(emulator.launch("k", [&] { body(last + 1); }, launch, {}, {}));
}

TEST_F(EmulatorTest, CopiesAsynchronously) {
  std::vector<int> x(32), y(32);
  std::iota(x.begin(), x.end(), 1);
  addBuffer("argument 0", x);
  addBuffer("argument 1", y);
  int *row = shared<int>("row", 64);
  auto body = [&](bool waits, bool hasBarrier) {
    unsigned i = 4 * thread();
    emulator.copyAsync(row + i, &x[i], 16, 12, 0);
    emulator.commitCopies();
    emulator.copyAsync(row + 32 + i, &x[i], 16, 16, 0);
    emulator.commitCopies();
    if (waits)
      emulator.waitForCopies(1);
    if (hasBarrier)
      barrier();
    for (int j = 0; j < 4; ++j)
      store(&y[i + j], load(row + (i + 4) % 32 + j));
    emulator.waitForCopies(0);
  };
  expectRight([&] { body(true, true); }, 8);
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(y[i], i % 4 == 3 ? 0 : x[(i + 4) % 32]);
  expectInAllOrders(
      "is under way that hasn't been waited for", [&] { body(false, true); },
      8);
  // In some orders nobody has written yet.
  for (EmulatedOrder order : allOrders())
    EXPECT_NE(run([&] { body(true, false); }, 8, 1, order), "");
  EXPECT_NE(run([&] { emulator.copyAsync(row + 1, &x[0], 16, 16, 0); }, 1), "");
  EXPECT_NE(run([&] { emulator.copyAsync(row, &x[1], 16, 16, 0); }, 1), "");
  EXPECT_NE(run([&] { emulator.copyAsync(row, &x[32], 4, 4, 0); }, 1), "");
  EXPECT_NE(run([&] { emulator.copyAsync(row + 64, &x[0], 4, 4, 0); }, 1), "");
}
