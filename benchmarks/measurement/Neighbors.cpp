//===- Neighbors.cpp - Load on the CPUs that are not measured ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Neighbors.h"

#include <sched.h>

using namespace baco::bench;

/// More than the second level cache of any CPU, as a compiler's data are.
static constexpr size_t numWords = size_t{64} << 17;

static void keepBusy(int measuredCpu, const std::atomic<bool> &isOver) {
  cpu_set_t cpus;
  sched_getaffinity(0, sizeof cpus, &cpus);
  CPU_CLR(measuredCpu, &cpus);
  if (CPU_COUNT(&cpus) > 0)
    sched_setaffinity(0, sizeof cpus, &cpus);
  std::vector<uint64_t> words(numWords, 1);
  // A line at a time.
  constexpr size_t stride = 8;
  while (!isOver)
    for (size_t i = 0; i < numWords && !isOver; i += stride)
      ++words[i];
}

Neighbors::Neighbors(int count, int measuredCpu) {
  for (int i = 0; i < count; ++i)
    threads.emplace_back(
        [this, measuredCpu] { keepBusy(measuredCpu, isOver); });
}

Neighbors::~Neighbors() {
  isOver = true;
  for (std::thread &thread : threads)
    thread.join();
}
