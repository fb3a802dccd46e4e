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

std::optional<DeviceFailure> CacheFlush::prepare() {
  void *module = nullptr;
  MemoryReader reader = device.memoryReader();
  if (auto failure = device.load(reader.program, module))
    return failure;
  DeviceKernel found;
  if (auto failure = device.find(module, reader.kernel, 0, found))
    return failure;
  int64_t blocks = (2 * device.cacheBytes() + bytesOfBlock - 1) / bytesOfBlock;
  launch.grid[0] = static_cast<unsigned>(std::max<int64_t>(1, blocks));
  launch.block[0] = threads;
  if (auto failure =
          device.allocate(size_t(launch.grid[0]) * bytesOfBlock, memory))
    return failure;
  kernel = found;
  return std::nullopt;
}

std::optional<DeviceFailure> CacheFlush::enqueue() {
  if (!kernel)
    if (auto failure = prepare())
      return failure;
  return device.enqueue(*kernel, launch,
                        std::vector<LaunchOperand>{{true, memory}});
}
