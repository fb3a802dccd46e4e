//===- Limits.h - How fast a GPU can be -------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Limits that times of kernels are held against: the bandwidth of a copy by the
// driver, rates that follow from the chip, and cuBLAS, if its library is there.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_GPU_LIMITS_H
#define BACO_BENCHMARKS_GPU_LIMITS_H

#include "baco/Device/CudaDriver.h"

#include <ostream>

namespace baco::bench {

struct LimitOptions {
  /// Extents of cuBLAS' product of f32, and of those on tensor cores.
  int size = 1024, tensorSize = 4096;
  int repeats = 21;
  /// The library of cuBLAS; empty: the one that the system has.
  std::string cublas;
};

/// Writes lines `limit,value,unit`. Errors are those of the driver; without
/// cuBLAS, a comment says so.
Result<void> writeLimits(runtime::CudaDevice &device,
                         const LimitOptions &options, std::ostream &out);

} // namespace baco::bench

#endif // BACO_BENCHMARKS_GPU_LIMITS_H
