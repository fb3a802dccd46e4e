//===- PhaseClock.h - Times of the steps of a compilation -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the time of compiling a candidate goes, for benchmarks.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_PHASECLOCK_H
#define BACO_TARGET_CPU_PHASECLOCK_H

#include "baco/Protocol/Clock.h"

#include <utility>
#include <vector>

namespace baco::target {

/// Splits the time since its construction into named phases.
class PhaseClock {
public:
  PhaseClock() : lastNs(runtime::threadCpuNs()) {}

  /// Ends a phase. A null clock costs nothing, so that callers needn't ask.
  /// \param name  a string literal
  static void lap(PhaseClock *clock, const char *name) {
    if (!clock)
      return;
    int64_t now = runtime::threadCpuNs();
    clock->laps.emplace_back(name, now - clock->lastNs);
    clock->lastNs = now;
  }

  /// Name and CPU time in nanoseconds of each phase, in order.
  const std::vector<std::pair<const char *, int64_t>> &phases() const {
    return laps;
  }

private:
  int64_t lastNs;
  std::vector<std::pair<const char *, int64_t>> laps;
};

} // namespace baco::target

#endif // BACO_TARGET_CPU_PHASECLOCK_H
