//===- EmulatorFixture.h - Kernels in C++ for tests of the emulator -*- C++
//-*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BACO_UNITTESTS_RUNTIME_EMULATORFIXTURE_H
#define BACO_UNITTESTS_RUNTIME_EMULATORFIXTURE_H

#include "baco/GpuEmulator/Emulator.h"

#include <gtest/gtest.h>

namespace baco::runtime {

/// A kernel is a function that reaches memory by `load` and `store`. Frames of
/// kernels that fail are never unwound, so that these must own nothing.
class EmulatorTest : public ::testing::Test {
protected:
  template <typename T>
  T load(const T *at) {
    emulator.access(at, sizeof(T), AccessKind::Read, alignof(T), 0);
    return *at;
  }
  template <typename T>
  void store(T *at, T value) {
    emulator.access(at, sizeof(T), AccessKind::Write, alignof(T), 0);
    *at = value;
  }
  template <typename T>
  void add(T *at, T value) {
    emulator.access(at, sizeof(T), AccessKind::Atomic, alignof(T), 0);
    *at += value;
  }
  void barrier(unsigned place = 0) { emulator.barrier(0, 0, place); }
  unsigned thread() {
    return emulator.specialRegister(SpecialRegister::ThreadX);
  }
  unsigned block() { return emulator.specialRegister(SpecialRegister::BlockX); }

  template <typename T>
  void addBuffer(const std::string &name, std::vector<T> &values) {
    buffers.push_back({name, reinterpret_cast<std::byte *>(values.data()),
                       values.size() * sizeof(T)});
  }
  template <typename T>
  T *shared(const std::string &name, size_t count) {
    return reinterpret_cast<T *>(
        emulator.addShared(name, count * sizeof(T), 16));
  }

  /// The message; "" if nothing is wrong.
  std::string run(const std::function<void()> &body, unsigned threads,
                  unsigned blocks = 1, EmulatedOrder order = {}) {
    LaunchSizes launch;
    launch.grid[0] = blocks;
    launch.block[0] = threads;
    failure = emulator.launch("k", body, launch, buffers, order);
    return failure ? failure->message : "";
  }
  /// The same in several orders, in which the message must be the same, but for
  /// the threads that it names.
  void expectInAllOrders(const std::string &part,
                         const std::function<void()> &body, unsigned threads,
                         unsigned blocks = 1) {
    for (EmulatedOrder order : allOrders()) {
      std::string message = run(body, threads, blocks, order);
      EXPECT_NE(message.find(part), std::string::npos)
          << orderName(order) << ": " << message;
    }
  }
  void expectRight(const std::function<void()> &body, unsigned threads,
                   unsigned blocks = 1) {
    for (EmulatedOrder order : allOrders())
      EXPECT_EQ(run(body, threads, blocks, order), "") << orderName(order);
  }
  static std::vector<EmulatedOrder> allOrders() {
    return {{EmulatedOrder::Forward, 0},
            {EmulatedOrder::Reverse, 0},
            {EmulatedOrder::Seeded, 1},
            {EmulatedOrder::Seeded, 2}};
  }

  Emulator emulator;
  std::vector<EmulatedBuffer> buffers;
  std::optional<EmulatedFailure> failure;
};

} // namespace baco::runtime

#endif // BACO_UNITTESTS_RUNTIME_EMULATORFIXTURE_H
