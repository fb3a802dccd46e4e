//===- CodeSampler.h - Samples of executed code -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The signal SIGALRM of a timer tells where the main thread of the process is.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_CODESAMPLER_H
#define BACO_RUNTIME_CODESAMPLER_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <sys/time.h>

namespace baco::runtime {

/// Handles the signal from now on; a sandbox doesn't allow that later.
void prepareToSample();

/// Until stopSampling, stores the address of the next instruction, less
/// `origin`, each `periodUs` (1 to 999,999) in the next one of `places`, which
/// outlive that; nothing if there is none left. It begins with a pause.
void startSampling(std::span<int64_t> places, const void *origin,
                   int64_t periodUs);

/// Begins or ends a pause, in which nothing is stored.
void pauseSampling(bool isPaused);

/// Ends it; returns how many places were stored.
size_t stopSampling();

/// The values with which these call setitimer, by address.
std::array<const itimerval *, 2> samplingTimers();

} // namespace baco::runtime

#endif // BACO_RUNTIME_CODESAMPLER_H
