//===- ComputeDevice.h - A device that runs kernels -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface of a device to the process that has it, for all drivers.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DEVICE_COMPUTEDEVICE_H
#define BACO_DEVICE_COMPUTEDEVICE_H

#include "baco/Support/Outcome.h"
#include "baco/Support/Result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace baco::runtime {

/// Properties of a kernel that the driver compiled; 0 where it doesn't say.
struct DeviceKernelFacts {
  /// Per thread.
  int registers = 0, localBytes = 0;
  /// Static, per block.
  int sharedBytes = 0;
};

/// A failed call of the driver.
struct DeviceFailure {
  /// CompileFailed, LaunchFailed, OutOfMemory or DeviceFault.
  Status status;
  /// The call and the driver's name of the error.
  std::string message;
  /// Whether all later calls in this process will fail, too.
  bool isSticky = false;
};

struct LaunchSizes {
  std::array<unsigned, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  unsigned dynamicSharedBytes = 0;
  bool operator==(const LaunchSizes &) const = default;
};

/// Launches that the device makes one after another without the host.
struct DeviceGraph {
  void *executable = nullptr;
};

/// A kernel on a device.
struct DeviceKernel {
  void *module = nullptr, *function = nullptr;
  DeviceKernelFacts facts;
};

/// An address in a device's memory.
using DeviceAddress = unsigned long long;

/// An argument: an address, or a scalar in the first bytes of `word`.
struct LaunchOperand {
  bool isAddress = false;
  DeviceAddress word = 0;
};

/// A program whose kernel `kernel` reads memory: a block of 256 threads reads
/// 16 bytes by each, and takes the address.
struct MemoryReader {
  const char *program;
  std::string kernel;
};

/// How a device is called.
struct DeviceIdentity {
  /// Name and driver, as one line.
  std::string text;
  /// The same for all processes.
  std::string id;
  /// CUDA's; else 0.
  int capabilityMajor = 0, capabilityMinor = 0;
};

/// A device that is open in this process. Not thread safe.
class ComputeDevice {
public:
  using Failure = std::optional<DeviceFailure>;

  virtual ~ComputeDevice() = default;

  virtual DeviceIdentity identity() const = 0;
  /// The size of the last cache before its memory.
  virtual int64_t cacheBytes() const = 0;
  virtual MemoryReader memoryReader() const = 0;

  /// Memory of `bytes` bytes, aligned to 256, until it is freed or the device
  /// is closed.
  virtual Failure allocate(size_t bytes, DeviceAddress &address) = 0;
  virtual void free(DeviceAddress address) = 0;
  /// Sets bytes after what was launched before.
  virtual Failure fill(DeviceAddress to, unsigned char value, size_t bytes) = 0;
  virtual Failure write(DeviceAddress to, const void *from, size_t bytes) = 0;
  /// Waits for what was launched before.
  virtual Failure read(void *to, DeviceAddress from, size_t bytes) = 0;
  /// Behind what was launched before; later calls see it.
  virtual Failure copy(DeviceAddress to, DeviceAddress from, size_t bytes) = 0;

  /// Compiles a program, or loads it.
  virtual Failure load(const std::string &image, void *&module) = 0;
  /// Frees it, and its kernels.
  virtual void unload(void *module) = 0;
  /// The kernel `name` of a module, for launches with up to
  /// `dynamicSharedBytes` bytes of dynamic shared memory.
  virtual Failure find(void *module, const std::string &name,
                       unsigned dynamicSharedBytes, DeviceKernel &kernel) = 0;
  /// Launches a kernel behind what was queued before.
  virtual Failure enqueue(const DeviceKernel &kernel, const LaunchSizes &launch,
                          const std::vector<LaunchOperand> &operands) = 0;
  /// Whether `capture` works.
  virtual bool hasGraphs() const = 0;
  /// Makes a graph of what `enqueueAll` enqueues, which doesn't run yet. It may
  /// only launch kernels. The graph is to be destroyed.
  virtual Failure capture(const std::function<Failure()> &enqueueAll,
                          DeviceGraph &graph) = 0;
  virtual Failure enqueue(const DeviceGraph &graph) = 0;
  virtual void destroy(DeviceGraph &graph) = 0;
  /// From what is queued behind `startTiming` to what is queued before
  /// `stopTiming`, which waits.
  virtual Failure startTiming() = 0;
  virtual Failure stopTiming(float &milliseconds) = 0;
};

} // namespace baco::runtime

#endif // BACO_DEVICE_COMPUTEDEVICE_H
