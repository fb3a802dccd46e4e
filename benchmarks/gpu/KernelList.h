//===- KernelList.h - Kernels to measure ------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What lower-variants.sh writes: one kernel per line, as
//
//   ID FILE KERNEL GX GY GZ BX BY BZ SHARED ARGUMENTS
//
// with the file of its PTX, relative to the list; grid and block; bytes of
// dynamic shared memory; and for each argument of the kernel which one of the
// function it is, such as `2,0,1`. Lines that begin with # are comments.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_GPU_KERNELLIST_H
#define BACO_BENCHMARKS_GPU_KERNELLIST_H

#include "baco/Device/CudaDriver.h"

#include <istream>
#include <string>
#include <vector>

namespace baco::bench {

struct ListedKernel {
  std::string id, file, name;
  runtime::LaunchSizes launch;
  std::vector<int> arguments;
};

/// Reads a list; `numArguments` is how many the function has. Corrupt, with the
/// number of the line, if it isn't one.
Result<std::vector<ListedKernel>> readKernelList(std::istream &stream,
                                                 int numArguments);

} // namespace baco::bench

#endif // BACO_BENCHMARKS_GPU_KERNELLIST_H
