//===- SubtleCandidates.h - Candidates that are nearly right ----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Candidates of the test worker that compute what the plain kernel computes but
// for rare values, some of their calls, some addresses, or what memory holds
// that nobody has written. The kernel: c[i] += sum over k of a[i][k] * b[k], 32
// x 64, of floats or doubles.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_RUNTIME_SUBTLECANDIDATES_H
#define BACO_UNITTESTS_RUNTIME_SUBTLECANDIDATES_H

#include "HostileCandidates.h"

#include "baco/Protocol/Candidate.h"

#include <map>
#include <string>

namespace baco::test {

/// By name: the right kernel is `right`, those that must be noticed begin with
/// `wrong-` or `unwritten-`, those that are right with `right-`.
const std::map<std::string, Kernel> &subtleKernels(runtime::ElementType type);

runtime::Signature subtleSignature(runtime::ElementType type);

} // namespace baco::test

#endif // BACO_UNITTESTS_RUNTIME_SUBTLECANDIDATES_H
