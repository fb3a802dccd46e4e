//===- SharedBlock.h - Memory shared with children --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Anonymous memory that is shared across forks and freed with the last process.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_PROTOCOL_SHAREDBLOCK_H
#define BACO_PROTOCOL_SHAREDBLOCK_H

#include <algorithm>
#include <cstddef>
#include <sys/mman.h>

namespace baco::runtime {

class SharedBlock {
public:
  SharedBlock() = default;
  SharedBlock(const SharedBlock &) = delete;
  SharedBlock &operator=(const SharedBlock &) = delete;
  ~SharedBlock() {
    if (memory)
      munmap(memory, size);
  }

  /// Gets `byteSize` zeros; to be called once. False if the system has no
  /// memory.
  [[nodiscard]] bool allocate(size_t byteSize) {
    size = std::max<size_t>(byteSize, 1);
    void *mapping = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED)
      return false;
    memory = static_cast<std::byte *>(mapping);
    return true;
  }

  /// Children that are forked from now on do not get it.
  void hideFromForks() { madvise(memory, size, MADV_DONTFORK); }

  /// Null before allocate; aligned to a page.
  std::byte *data() const { return memory; }

private:
  std::byte *memory = nullptr;
  size_t size = 0;
};

} // namespace baco::runtime

#endif // BACO_PROTOCOL_SHAREDBLOCK_H
