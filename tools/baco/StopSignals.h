//===- StopSignals.h - Signals that ask to stop -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_BACO_STOPSIGNALS_H
#define BACO_TOOLS_BACO_STOPSIGNALS_H

#include <atomic>

namespace baco::tool {

/// Becomes true when the user wants to stop.
extern std::atomic<bool> stopRequested;

/// The first SIGINT, SIGTERM or SIGHUP asks to stop, the second ends the
/// program. Ignored signals stay ignored. With `interruptsReads`, a read that
/// waits for a client fails then.
void stopBySignals(bool interruptsReads = false);

} // namespace baco::tool

#endif // BACO_TOOLS_BACO_STOPSIGNALS_H
