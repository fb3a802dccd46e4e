//===- FakeGpu.h - How long a GPU that isn't there takes --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A host that queues, a GPU that works through the queue, and an L2 cache.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_FAKECUDA_FAKEGPU_H
#define BACO_UNITTESTS_FAKECUDA_FAKEGPU_H

#include "PtxModule.h"

#include <cstdlib>
#include <list>
#include <unordered_map>

namespace baco::fake {

/// The number that an environment variable has.
inline int64_t numberFrom(const char *variable, int64_t otherwise) {
  const char *text = std::getenv(variable);
  return text ? std::strtoll(text, nullptr, 10) : otherwise;
}

/// Lines of 128 bytes, of which the least recently used one is evicted.
class FakeCache final : public PtxObserver {
public:
  explicit FakeCache(int64_t bytes) : capacity(bytes / lineBytes) {}

  void access(const std::byte *address, size_t bytes, bool isWrite) override {
    if (bytes == 0)
      return;
    auto first = reinterpret_cast<uintptr_t>(address) / lineBytes;
    auto last = (reinterpret_cast<uintptr_t>(address) + bytes - 1) / lineBytes;
    for (uintptr_t line = first; line <= last; ++line)
      touch(line, isWrite);
  }

  /// Lines that weren't there, and lines that had to be written to memory.
  int64_t misses = 0, writeBacks = 0;

private:
  static constexpr uintptr_t lineBytes = 128;
  struct Line {
    uintptr_t number;
    bool isDirty;
  };
  void touch(uintptr_t number, bool isWrite) {
    auto found = places.find(number);
    if (found == places.end()) {
      ++misses;
      if (static_cast<int64_t>(lines.size()) >= capacity) {
        writeBacks += lines.back().isDirty ? 1 : 0;
        places.erase(lines.back().number);
        lines.pop_back();
      }
      lines.push_front({number, false});
      places[number] = lines.begin();
    } else {
      lines.splice(lines.begin(), lines, found->second);
    }
    lines.front().isDirty |= isWrite;
  }

  int64_t capacity;
  /// The last one that was used first.
  std::list<Line> lines;
  std::unordered_map<uintptr_t, std::list<Line>::iterator> places;
};

/// In nanoseconds since the beginning.
class FakeClock {
public:
  /// The host queues something that takes so long.
  void queue(int64_t durationNs) {
    hostNs += numberFrom("FAKE_CUDA_LAUNCH", 0);
    gpuNs = std::max(gpuNs, hostNs + numberFrom("FAKE_CUDA_LATENCY", 0));
    gpuNs += durationNs;
  }
  /// What is behind that without the host, as in a graph.
  void follow(int64_t durationNs) { gpuNs += durationNs; }
  /// When an event behind all of this happens.
  int64_t eventNs() const { return std::max(gpuNs, hostNs); }
  void synchronize() { hostNs = eventNs(); }

private:
  /// When the host is, and when the GPU has nothing to do.
  int64_t hostNs = 0, gpuNs = 0;
};

} // namespace baco::fake

#endif // BACO_UNITTESTS_FAKECUDA_FAKEGPU_H
