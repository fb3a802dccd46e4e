//===- SharedMemory.cpp - Memory between threads run in turn --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Changed bytes count as written: writing the old value is harmless.
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/SharedMemory.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace baco;
using namespace baco::runtime;

/// The block that is compared at once before single bytes are.
static constexpr size_t blockBytes = 256;

SharedMemory::SharedMemory(std::vector<std::span<std::byte>> p)
    : parts(std::move(p)) {
  before.reserve(sizeOf(parts));
  for (std::span<std::byte> part : parts)
    before.insert(before.end(), part.begin(), part.end());
  after = before;
}

void SharedMemory::takeBack() {
  std::byte *old = before.data(), *merged = after.data();
  for (std::span<std::byte> part : parts) {
    for (size_t at = 0; at < part.size(); at += blockBytes) {
      size_t size = std::min(blockBytes, part.size() - at);
      std::byte *now = part.data() + at;
      if (std::memcmp(now, old + at, size) == 0)
        continue;
      for (size_t i = 0; i < size; ++i)
        if (now[i] != old[at + i])
          merged[at + i] = now[i];
      std::memcpy(now, old + at, size);
    }
    old += part.size();
    merged += part.size();
  }
}

void SharedMemory::join() {
  const std::byte *merged = after.data();
  for (std::span<std::byte> part : parts) {
    std::copy_n(merged, part.size(), part.data());
    merged += part.size();
  }
  before = after;
}

size_t SharedMemory::sizeOf(std::span<const std::span<std::byte>> parts) {
  size_t size = 0;
  for (std::span<std::byte> part : parts)
    size += part.size();
  return size;
}
