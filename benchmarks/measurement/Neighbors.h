//===- Neighbors.h - Load on the CPUs that are not measured ----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a compiler does beside a measurement, and worse: threads that stay off
// the measured CPU, but go through memory without end. With them one sees
// whether compiling disturbs.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_MEASUREMENT_NEIGHBOURS_H
#define BACO_BENCHMARKS_MEASUREMENT_NEIGHBOURS_H

#include <atomic>
#include <thread>
#include <vector>

namespace baco::bench {

/// Runs as long as it lives.
class Neighbors {
public:
  /// `count` threads on all CPUs but `measuredCpu`, if there are others.
  Neighbors(int count, int measuredCpu);
  ~Neighbors();
  Neighbors(const Neighbors &) = delete;
  Neighbors &operator=(const Neighbors &) = delete;

private:
  std::atomic<bool> isOver = false;
  std::vector<std::thread> threads;
};

} // namespace baco::bench

#endif // BACO_BENCHMARKS_MEASUREMENT_NEIGHBOURS_H
