//===- EmulatorBlockTest.cpp - Barriers of a block ------------------------===//
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
using EmulatorBlockTest = EmulatorTest;
} // namespace

TEST_F(EmulatorBlockTest, FindsDivergentBarriers) {
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

TEST_F(EmulatorBlockTest, ReducesAtBarriers) {
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
