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
  LaunchSizes launch;
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
