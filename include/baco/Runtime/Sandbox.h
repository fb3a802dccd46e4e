//===- Sandbox.h - Limits and confinement of candidates ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The resource limits of a child process, and the record of how it died.
// SystemCalls.h restricts its system calls.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_SANDBOX_H
#define BACO_RUNTIME_SANDBOX_H

#include "baco/Runtime/ControlBlock.h"

#include <cstdint>
#include <string>
#include <sys/types.h>

namespace baco::runtime {

class Operands;

/// Records in `control` that the system refuses a step of the child's set-up,
/// and the errno. Returns false.
bool refuse(ControlBlock &control, const char *step);
/// The same with a reason.
void refuseBecause(ControlBlock &control, const std::string &why);

/// Resources of a child.
struct ResourceLimits {
  /// Whole address space, in bytes.
  uint64_t addressSpace = 0;
  uint64_t cpuSeconds = 0;
};

/// To be called by a child right after the fork. From then on it dies with
/// `parent`, is the first to be killed when the system has no memory left,
/// cannot be traced, is limited (by the limits that this process has itself, if
/// they are lower), and holds no descriptor but 0 (/dev/null), 1 and 2
/// (`output`), 3 (`socket`) and, if it isn't -1, 4 (`device`). If the system
/// refuses, false, and the step in `control`.
bool enterChild(pid_t parent, int socket, int output,
                const ResourceLimits &limits, ControlBlock &control,
                int device = -1);

/// Makes failed allocations, fatal signals and forbidden calls be recorded in
/// `control` before they end the process. `memoryLimit`: bytes that the child
/// may allocate; a child that dies when more than half of it is in use is held
/// to have run out of memory (a failed allocation is followed by many kinds of
/// death).
void installDeathHandlers(ControlBlock &control, uint64_t memoryLimit);

/// From here on a write to protected memory of `operands` records the argument.
void blameWritesTo(const Operands &operands);

/// No signal is handled, ignored or blocked any more, and no interval timer
/// runs.
void resetSignals();

/// How many threads this process has; 1 where /proc is not mounted.
int countThreads();

/// Bytes of address space that this process has mapped.
uint64_t addressSpaceInUse();

} // namespace baco::runtime

#endif // BACO_RUNTIME_SANDBOX_H
