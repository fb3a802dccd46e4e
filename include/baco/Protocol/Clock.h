//===- Clock.h - The clocks of the harness ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Monotonic time for deadlines, and the CPU time of a thread for measuring.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_PROTOCOL_CLOCK_H
#define BACO_PROTOCOL_CLOCK_H

#include <cstdint>
#include <time.h>

namespace baco::runtime {

/// Nanoseconds of a clock of the system.
inline int64_t readClockNs(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return time.tv_sec * int64_t{1000000000} + time.tv_nsec;
}

/// Monotonic time, for deadlines and wall times.
inline int64_t nowNs() { return readClockNs(CLOCK_MONOTONIC); }
inline int64_t nowMs() { return nowNs() / 1000000; }

/// Time that the calling thread spent on a CPU: interruptions by other
/// processes do not count.
inline int64_t threadCpuNs() { return readClockNs(CLOCK_THREAD_CPUTIME_ID); }

} // namespace baco::runtime

#endif // BACO_PROTOCOL_CLOCK_H
