//===- TimeShares.h - Parts of the time of a kernel -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_TIMESHARES_H
#define BACO_SUPPORT_TIMESHARES_H

namespace baco {

/// Parts of the time of a kernel's executions, by samples; their sum is 1.
struct TimeShares {
  /// In loops that multiply, add or subtract floats or vectors.
  double computing = 0;
  /// In other code of the kernel: it moves data, or finds out where they are.
  double moving = 0;
  /// In functions that it calls and in the system.
  double elsewhere = 0;

  bool operator==(const TimeShares &) const = default;
};

} // namespace baco

#endif // BACO_SUPPORT_TIMESHARES_H
