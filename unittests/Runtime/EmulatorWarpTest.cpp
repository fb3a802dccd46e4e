//===- EmulatorWarpTest.cpp - Operations of warps -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatorFixture.h"
#include "baco/Support/Random.h"
#include "baco/Verification/Floats.h"

using namespace baco;
using namespace baco::runtime;

namespace {
constexpr uint32_t all = 0xffffffff;
using EmulatorWarpTest = EmulatorTest;
} // namespace

TEST_F(EmulatorWarpTest, Shuffles) {
  uint32_t got[4][32];
  bool valid[4][32];
  auto body = [&] {
    unsigned i = thread();
    auto shuffle = [&](ShuffleMode mode, uint32_t lane, uint32_t clamp) {
      auto kind = static_cast<unsigned>(mode);
      std::tie(got[kind][i], valid[kind][i]) =
          emulator.shuffle(mode, all, 100 + i, lane, clamp, kind);
    };
    shuffle(ShuffleMode::Up, 3, 0);
    shuffle(ShuffleMode::Down, 5, 31);
    shuffle(ShuffleMode::Butterfly, 6, 31);
    // Segments of eight lanes.
    shuffle(ShuffleMode::Index, 2, 24 << 8 | 31);
  };
  expectRight(body, 32);
  for (unsigned i = 0; i < 32; ++i) {
    EXPECT_EQ(got[0][i], 100 + (i < 3 ? i : i - 3));
    EXPECT_EQ(valid[0][i], i >= 3);
    EXPECT_EQ(got[1][i], 100 + (i + 5 > 31 ? i : i + 5));
    EXPECT_EQ(valid[1][i], i + 5 <= 31);
    EXPECT_EQ(got[2][i], 100 + (i ^ 6));
    EXPECT_EQ(got[3][i], 100 + i / 8 * 8 + 2);
  }
}

TEST_F(EmulatorWarpTest, Reduces) {
  using W = WarpOperation;
  std::vector<std::pair<W, uint32_t>> expected = {
      {W::Add, 31 * 32 / 2}, {W::UnsignedMin, 0}, {W::UnsignedMax, 31},
      {W::SignedMin, 0},     {W::SignedMax, 31},  {W::And, 0},
      {W::Or, 31},           {W::Xor, 0},         {W::All, 0},
      {W::Any, 1},           {W::Uniform, 0},     {W::Ballot, all - 1}};
  for (auto [operation, value] : expected) {
    uint32_t got[64];
    auto body = [&, operation = operation] {
      got[thread()] = emulator.warp(operation, all, thread() % 32, 0);
    };
    expectRight(body, 64);
    for (uint32_t result : got)
      EXPECT_EQ(result, value) << int(operation);
  }
  uint32_t got[32];
  expectRight(
      [&] { got[thread()] = emulator.warp(W::MatchAny, all, thread() % 4, 0); },
      32);
  EXPECT_EQ(got[5], 0x22222222u);
  // Signed and unsigned minima differ.
  expectRight(
      [&] {
        got[thread()] = emulator.warp(W::SignedMin, all, 0 - thread(), 0);
      },
      32);
  EXPECT_EQ(got[0], 0u - 31);
  // The last warp of a block may be smaller.
  uint32_t counts[40];
  expectRight([&] { counts[thread()] = emulator.warp(W::Add, all, 1, 0); }, 40);
  EXPECT_EQ(counts[0], 32u);
  EXPECT_EQ(counts[39], 8u);
}

TEST_F(EmulatorWarpTest, FindsLanesThatAreMissing) {
  emulator.setPlaces({"here", "there"});
  using W = WarpOperation;
  expectInAllOrders(
      "waits for its warp, at here, but thread (9,0,0) has ended",
      [&] {
        if (thread() != 9)
          emulator.warp(W::Any, all, 0, 0);
      },
      32);
  expectInAllOrders(
      "but thread (9,0,0) waits for its warp, at there",
      [&] { emulator.warp(W::Any, all, 0, thread() == 9 ? 1 : 0); }, 32);
  expectInAllOrders(
      "but thread (9,0,0) waits at barrier 0",
      [&] {
        if (thread() == 9)
          barrier(1);
        emulator.warp(W::Any, all, 0, 0);
      },
      32);
  expectInAllOrders(
      "whose mask is without it", [&] { emulator.warp(W::Any, 1, 0, 0); }, 32);
  expectInAllOrders(
      "shuffles from a lane that takes no part",
      [&] {
        if (thread() < 16)
          emulator.shuffle(ShuffleMode::Down, 0xffff, 0, 1, 31, 0);
      },
      32);
  // Lanes that the mask is without may do something else.
  expectRight(
      [&] {
        if (thread() < 16)
          emulator.warp(W::Any, 0xffff, 0, 0);
      },
      32);
}

// Only bar.warp.sync orders accesses to memory, and only those of its warp.
TEST_F(EmulatorWarpTest, SynchronizesAWarp) {
  using W = WarpOperation;
  int *row = shared<int>("row", 64);
  auto body = [&](W operation, unsigned distance, uint32_t mask = all) {
    unsigned i = thread();
    for (int round = 0; round < 3; ++round) {
      store(row + i, round);
      if (mask >> (i % 32) & 1)
        emulator.warp(operation, mask, 0, 0);
      load(row + (i + distance) % 64);
      if (mask >> (i % 32) & 1)
        emulator.warp(operation, mask, 0, 1);
    }
  };
  expectRight([&] { body(W::Synchronize, 0); }, 64);
  auto neighbors = [&](W operation) {
    unsigned i = thread(), first = i / 32 * 32;
    for (int round = 0; round < 3; ++round) {
      store(row + i, round);
      emulator.warp(operation, all, 0, 0);
      load(row + first + (i + 1) % 32);
      load(row + first + (i + 2) % 32);
      emulator.warp(operation, all, 0, 1);
    }
  };
  expectRight([&] { neighbors(W::Synchronize); }, 64);
  for (EmulatedOrder order : allOrders()) {
    EXPECT_NE(run([&] { neighbors(W::Any); }, 64, 1, order), "");
    EXPECT_NE(run([&] { body(W::Synchronize, 32); }, 64, 1, order), "");
    EXPECT_NE(run([&] { body(W::Synchronize, 1, 0xffff); }, 64, 1, order), "");
  }
}
