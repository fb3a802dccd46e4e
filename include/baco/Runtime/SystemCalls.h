//===- SystemCalls.h - Which system calls a candidate may make --*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two filters that the kernel of the system applies to a child for the rest of
// its life: one around the compiler, so that nothing of a candidate outlives
// its process, and a narrower one around the kernel that it made. Linux on
// x86-64 and AArch64.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_SYSTEMCALLS_H
#define BACO_RUNTIME_SYSTEMCALLS_H

#include "baco/Runtime/ControlBlock.h"

#include <cstddef>
#include <span>
#include <string>

namespace baco::runtime {

/// From here on the candidate is confined to this process and can't change
/// anything outside of it:
///
/// * it cannot start processes or programs, signal, trace or write to other
///   processes, leave its session, change its identity, or shake off the
///   parent-death signal. These calls end it, with the call's number in the
///   control block. Threads are admitted.
/// * files cannot be made, written, renamed or removed, nor kernel objects
///   with names made: EROFS, as on a medium that is write-protected, which
///   libraries expect. Descriptors that are open can be written to.
/// * limits can be read, but not changed, and no POSIX timers made, which would
///   outlast the compiler: EPERM.
///
/// If the system refuses, false, and why in `control`.
bool confineCompiler(ControlBlock &control);

/// From here on the process can compute, allocate, write to open descriptors,
/// read the time and end itself; any other system call ends it, with the call's
/// number in the control block. Memory protection is among the others, and so
/// are mappings at given places: guard pages stay what they are. Only what is
/// `protectable` (the first 64) may become read-only and writable again. If the
/// system refuses, false, and why in `control`.
bool confineKernel(ControlBlock &control,
                   std::span<const std::span<std::byte>> protectable = {});

/// `57 (fork)`, or the number alone for unknown calls.
std::string describeSystemCall(int64_t number);

} // namespace baco::runtime

#endif // BACO_RUNTIME_SYSTEMCALLS_H
