//===- Stopwatch.h - Wall time of consecutive steps ----------- -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the profile of a compilation; kernels are timed by the worker.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_STOPWATCH_H
#define BACO_LIB_TARGET_STOPWATCH_H

#include <chrono>

namespace baco::target {

class Stopwatch {
public:
  /// Milliseconds since the last call, or since construction.
  double lapMs() {
    auto now = std::chrono::steady_clock::now();
    std::chrono::duration<double, std::milli> lap = now - last;
    last = now;
    return lap.count();
  }

private:
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

} // namespace baco::target

#endif // BACO_LIB_TARGET_STOPWATCH_H
