//===- IdleCandidates.h - Candidates that do nothing if they can *- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What no check of outputs notices, and the time does: a candidate that takes
// too little. The kernel: c[i] += sum over k of a[i][k] * b[k], f32, in a size
// that matters, and slow enough for the checks that would notice it to be left
// out.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_RUNTIME_IDLECANDIDATES_H
#define BACO_UNITTESTS_RUNTIME_IDLECANDIDATES_H

#include "HostileCandidates.h"

#include "baco/Protocol/Candidate.h"

#include <string>

namespace baco::test {

/// Of a kernel of this size, which the candidates have from here on.
runtime::Signature idleSignature(int64_t rows, int64_t columns);

/// `idle-never`, the plain kernel; `idle-right`, which is fast; `idle-later`,
/// which does nothing if its outputs are as it left them two executions ago. Or
/// null.
Kernel findIdleKernel(const std::string &name);

/// Of a kernel that overwrites its result.
runtime::Signature shirkSignature();

/// `shirk-never`, the plain kernel, and those that do nothing, or give an old
/// result, where they find that they are timed: `shirk-unpainted`,
/// `shirk-known-output`, `shirk-known-input`, `shirk-in-turn`. They are wrong
/// only if something has changed that they don't look at. Or null.
Kernel findShirkingKernel(const std::string &name);

} // namespace baco::test

#endif // BACO_UNITTESTS_RUNTIME_IDLECANDIDATES_H
