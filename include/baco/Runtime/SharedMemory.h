//===- SharedMemory.h - Memory between threads run in turn ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs threads one after another, each on the memory as it was before all of
// them, and merges their writes. The result is that of a parallel run if, and
// only if, no thread reads what another one writes, and no two write to the
// same place. So a race shows deterministically on every machine.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_SHAREDMEMORY_H
#define BACO_RUNTIME_SHAREDMEMORY_H

#include <cstddef>
#include <span>
#include <vector>

namespace baco::runtime {

/// Not thread safe: the threads take turns.
class SharedMemory {
public:
  /// Begins with the contents that `parts` have now; they stay where they are
  /// until the last `join`, and don't overlap.
  explicit SharedMemory(std::vector<std::span<std::byte>> parts);

  /// Ends the turn of a thread: records what it wrote, and restores the memory
  /// for the next thread. O(size of all parts).
  void takeBack();

  /// Ends the turns of all threads: the parts then hold the writes of all
  /// threads (the last thread's where several wrote), with which the next
  /// threads begin. O(size of all parts).
  void join();

  /// Bytes of all parts.
  static size_t sizeOf(std::span<const std::span<std::byte>> parts);

private:
  std::vector<std::span<std::byte>> parts;
  /// The contents of all parts, one after another: as of the last join, and
  /// with the threads' writes since.
  std::vector<std::byte> before, after;
};

} // namespace baco::runtime

#endif // BACO_RUNTIME_SHAREDMEMORY_H
