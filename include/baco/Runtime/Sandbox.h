//===- Sandbox.h - What a candidate may do ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The limits of a child process: what it may use up, which system calls its
// kernel may make, and how it leaves word of the way it died. Linux on x86-64
// and AArch64.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_SANDBOX_H
#define BACO_RUNTIME_SANDBOX_H

#include "baco/Runtime/ControlBlock.h"

#include <string>
#include <sys/types.h>

namespace baco::runtime {

/// Whether this build is instrumented: then the address space is not limited,
/// as the sanitizer's shadow takes all of it.
extern const bool isAddressSanitized;

/// Resources of a child.
struct ResourceLimits {
  /// Whole address space, in bytes.
  uint64_t addressSpace = 0;
  uint64_t cpuSeconds = 0;
};

/// To be called by a child right after the fork. From then on it dies with
/// `parent`, is the first to be killed when the system has no memory left, is a
/// process group of its own, cannot be traced, is limited (by the limits that
/// this process has itself, if they are lower), and holds no descriptor but 0
/// (/dev/null), 1 and 2 (`output`) and 3 (`socket`). If the system refuses,
/// false, and the step in `control`.
bool enterChild(pid_t parent, int socket, int output,
                const ResourceLimits &limits, ControlBlock &control);

/// Lets failed allocations, fatal signals and forbidden calls leave word in
/// `control` before they end the process. `memoryLimit`: bytes that the child
/// may allocate; a child that dies when more than half of it is in use is held
/// to have run out of memory (a failed allocation is followed by many kinds of
/// death).
void installDeathHandlers(ControlBlock &control, uint64_t memoryLimit);

/// From here on the process can compute, allocate, write to open descriptors,
/// read the time and end itself; any other system call ends it, with the call's
/// number in the control block. If the system refuses, false, and why in
/// `control`.
bool forbidSystemCalls(ControlBlock &control);

/// Whether forbidSystemCalls leaves the call (tgkill, too, to the process
/// itself).
bool isSystemCallAllowed(int64_t number);

/// `57 (fork)`, or the number alone for calls that nobody tries.
std::string describeSystemCall(int64_t number);

/// Bytes of address space that this process has mapped.
uint64_t addressSpaceInUse();

} // namespace baco::runtime

#endif // BACO_RUNTIME_SANDBOX_H
