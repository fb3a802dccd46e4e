//===- NativeCandidates.h - Candidates of the test worker -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Right kernels, and ones that fail in every way that the harness must survive.
// The kernel: c[i] += sum over k of a[i][k] * b[k], 8 x 16, f32.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_RUNTIME_NATIVECANDIDATES_H
#define BACO_UNITTESTS_RUNTIME_NATIVECANDIDATES_H

#include "HostileCandidates.h"

#include <cstdint>
#include <map>
#include <string>

namespace baco::test {

inline constexpr int64_t rows = 8, columns = 16;
/// Of "every-stride", in elements.
inline constexpr int64_t stride = 1 << 16;

/// By their names.
extern const std::map<std::string, Kernel> nativeKernels;
/// Run by a team of threads.
extern const std::map<std::string, Kernel> parallelKernels;

void good(void **arguments);
void segfault(void **);
/// Prints to stderr and aborts.
void complains(void **);
void exits(void **);
void hangs(void **);
/// Allocates until that fails.
void allocatesNew(void **);
/// Prints megabytes.
void pour();

} // namespace baco::test

#endif // BACO_UNITTESTS_RUNTIME_NATIVECANDIDATES_H
