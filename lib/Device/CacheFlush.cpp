//===- CacheFlush.cpp - Takes data out of a GPU's L2 cache ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheFlush.h"

#include <algorithm>

using namespace baco;
using namespace baco::runtime;

/// Threads of a block, each of which reads 16 bytes.
static constexpr unsigned threads = 256, bytesOfBlock = 16 * threads;

/// Thread i reads the i-th 16 bytes. Volatile, because nothing uses them.
static constexpr const char *ptx = R"(.version 6.0
.target sm_70
.address_size 64
.visible .entry baco_read(.param .u64 memory)
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [memory];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.u32 %r1, %r2, 256, %r1;
  mul.wide.u32 %rd2, %r1, 16;
  add.u64 %rd3, %rd1, %rd2;
  ld.volatile.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd3];
  ret;
}
)";

std::optional<CudaFailure> CacheFlush::prepare() {
  void *module = nullptr;
  if (auto failure = device.load(ptx, module))
    return failure;
  CudaKernel found;
  if (auto failure = device.find(module, "baco_read", 0, found))
    return failure;
  int64_t blocks =
      (2 * device.facts().l2Bytes + bytesOfBlock - 1) / bytesOfBlock;
  launch.grid[0] = static_cast<unsigned>(std::max<int64_t>(1, blocks));
  launch.block[0] = threads;
  if (auto failure =
          device.allocate(size_t(launch.grid[0]) * bytesOfBlock, memory))
    return failure;
  kernel = found;
  return std::nullopt;
}

std::optional<CudaFailure> CacheFlush::enqueue() {
  if (!kernel)
    if (auto failure = prepare())
      return failure;
  return device.enqueue(*kernel, launch, std::vector<CudaAddress>{memory});
}
