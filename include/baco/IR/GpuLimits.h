//===- GpuLimits.h - What all NVIDIA GPUs have in common --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Limits of every compute capability from 5.0 on: CUDA C++ Programming Guide,
// "Compute Capabilities".
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_GPULIMITS_H
#define BACO_IR_GPULIMITS_H

#include <cstdint>

namespace baco {

/// Threads of a block: in all, and along z.
inline constexpr int64_t maxBlockThreads = 1024, maxBlockThreadsZ = 64;
/// Blocks of a grid along y and z.
inline constexpr int64_t maxGridYZ = 65535;
/// Threads of a warp.
inline constexpr int64_t warpSize = 32;
/// The longest vector that one instruction loads or stores, in bytes.
inline constexpr int64_t maxVectorBytes = 16;
/// The shortest vector that `cp.async` copies, in bytes; others are of twice or
/// four times as many.
inline constexpr int64_t minAsyncBytes = 4;

} // namespace baco

#endif // BACO_IR_GPULIMITS_H
