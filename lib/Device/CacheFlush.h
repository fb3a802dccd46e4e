//===- CacheFlush.h - Takes data out of a GPU's L2 cache --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads other memory of twice the cache's size. What was changed is written
// back then, and what the cache holds afterward isn't changed, so that the
// kernel behind has nothing to write back but its own. Setting memory would
// leave a cache full of changed lines to it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DEVICE_CACHEFLUSH_H
#define BACO_LIB_DEVICE_CACHEFLUSH_H

#include "baco/Device/ComputeDevice.h"

namespace baco::runtime {

class CacheFlush {
public:
  /// `device` must outlive this.
  explicit CacheFlush(ComputeDevice &device) : device(device) {}

  /// Queues the reads behind what was queued before, and doesn't wait for them.
  std::optional<DeviceFailure> enqueue();

private:
  std::optional<DeviceFailure> prepare();

  ComputeDevice &device;
  /// With the first flush.
  std::optional<DeviceKernel> kernel;
  DeviceAddress memory = 0;
  LaunchSizes launch;
};

} // namespace baco::runtime

#endif // BACO_LIB_DEVICE_CACHEFLUSH_H
