//===- StopScope.h - A request to stop, for deep calls ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_STOPSCOPE_H
#define BACO_SUPPORT_STOPSCOPE_H

#include <atomic>

namespace baco {

/// While it lives, what its thread does for long looks at `stop`, which may be
/// null, and gives up soon after that becomes true. So do the limits on isl
/// (polyhedral::Context), between which and the user there are other libraries.
class StopScope {
public:
  explicit StopScope(const std::atomic<bool> *stop);
  ~StopScope();
  StopScope(const StopScope &) = delete;
  StopScope &operator=(const StopScope &) = delete;

  /// Whether the thread's innermost scope, if there is one, is to stop.
  static bool isStopped();

private:
  const std::atomic<bool> *outer;
};

} // namespace baco

#endif // BACO_SUPPORT_STOPSCOPE_H
