//===- HostileCandidates.h - Candidates that do harm ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels and compilations of the test worker that go for the harness: its
// processes, descriptors, signals, limits, files, and memory. What they may get
// is in HostileCandidatesTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_RUNTIME_HOSTILECANDIDATES_H
#define BACO_UNITTESTS_RUNTIME_HOSTILECANDIDATES_H

#include <map>
#include <string>

namespace baco::test {

/// A right kernel, which the hostile ones run beside what else they do.
using Kernel = void (*)(void **arguments);
void setRightKernel(Kernel kernel);

/// By their names.
extern const std::map<std::string, Kernel> hostileKernels;

/// Each does its deed in the compiler, and returns the kernel that then runs;
/// null and a message if it found that the deed cannot be done.
using Compilation = Kernel (*)(std::string &message);
extern const std::map<std::string, Compilation> hostileCompilations;

} // namespace baco::test

#endif // BACO_UNITTESTS_RUNTIME_HOSTILECANDIDATES_H
