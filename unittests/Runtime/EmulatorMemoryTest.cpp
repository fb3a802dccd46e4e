//===- EmulatorMemoryTest.cpp - The emulator's memory ---------------------===//
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

namespace {
using EmulatorMemoryTest = EmulatorTest;
} // namespace

TEST_F(EmulatorMemoryTest, FindsAccessesOutOfBounds) {
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

TEST_F(EmulatorMemoryTest, FindsMisalignedAccesses) {
  int *row = shared<int>("row", 8);
  EXPECT_EQ(
      run([&] { emulator.access(row + 1, 16, AccessKind::Write, 16, 0); }, 1),
      "kernel 'k', thread (0,0,0) of block (0,0,0) writes 16 bytes at an "
      "address that isn't a multiple of 16: shared memory 'row' at byte 4");
}

TEST_F(EmulatorMemoryTest, HasLocalMemory) {
  int sums[4] = {};
  unsigned frame = emulator.addFrame(
      {{"local memory 'row'", 0, 16}, {"local memory 'end'", 64, 4}});
  auto enter = [&] { return reinterpret_cast<int *>(emulator.enter(frame)); };
  auto body = [&] {
    int *local = enter();
    for (int i = 0; i < 4; ++i)
      store(local + i, int(thread()));
    barrier();
    for (int i = 0; i < 4; ++i)
      sums[thread()] += load(local + i);
    emulator.leave();
  };
  EXPECT_EQ(run(body, 4), "");
  EXPECT_EQ(sums[3], 12);
  std::string before = "kernel 'k', thread (0,0,0) of block (0,0,0) ";
  EXPECT_EQ(run([&] { store(enter() + 4, 1); }, 1),
            before + "writes 4 bytes out of bounds: byte 16 of local memory "
                     "'row', which has 16");
  EXPECT_EQ(run([&] { store(enter() - 1, 1); }, 1),
            before + "writes 4 bytes out of bounds: byte -4 of local memory "
                     "'row', which has 16");
  EXPECT_EQ(run([&] { store(enter() + 15, 1); }, 1),
            before + "writes 4 bytes out of bounds: byte -4 of local memory "
                     "'end', which has 4");
  EXPECT_EQ(
      run([&] { emulator.access(enter() + 1, 8, AccessKind::Write, 8, 0); }, 1),
      before + "writes 8 bytes at an address that isn't a multiple of "
               "8: local memory 'row' at byte 4");
  EXPECT_EQ(run(
                [&] {
                  int *local = enter();
                  store(local, 1);
                  emulator.access(local, 8, AccessKind::Read, 4, 0);
                },
                1),
            before + "reads 8 bytes of local memory 'row', of which it has "
                     "not written byte 4");
  // What another call has written is gone, and so is its memory.
  EXPECT_EQ(run(
                [&] {
                  store(enter(), 1);
                  emulator.leave();
                  load(enter());
                },
                1),
            before + "reads 4 bytes of local memory 'row', of which it has "
                     "not written byte 0");
  EXPECT_NE(run(
                [&] {
                  int *local = enter();
                  emulator.leave();
                  load(local);
                },
                1),
            "");
}

TEST_F(EmulatorMemoryTest, RunsWrongKernelsAsGpusDo) {
  std::vector<int> y(8);
  addBuffer("argument 0", y);
  int *row = shared<int>("row", 8);
  // A barrier is missing: with it, each thread gets its neighbor's number.
  auto body = [&](bool hasBarrier) {
    store(row + thread(), int(thread()));
    if (hasBarrier)
      barrier();
    store(&y[thread()], load(row + (thread() + 1) % 8));
  };
  emulator.setFindsRaces(false);
  EXPECT_EQ(run([&] { body(false); }, 8), "");
  EXPECT_EQ(y[0], -1) << "nobody has written it";
  EXPECT_EQ(run([&] { body(true); }, 8), "");
  EXPECT_EQ(y[0], 1);
  EXPECT_NE(run([&] { load(y.data() + 8); }, 8), "") << "bounds are checked";
  emulator.setFindsRaces(true);
  EXPECT_NE(run([&] { body(false); }, 8), "");
}

TEST_F(EmulatorMemoryTest, HasDynamicSharedMemory) {
  shared<int>("a", 8);
  auto *all = reinterpret_cast<int *>(emulator.dynamicShared());
  LaunchSizes launch;
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

TEST_F(EmulatorMemoryTest, CopiesAsynchronously) {
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
