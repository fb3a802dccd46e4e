//===- CudaDriver.h - NVIDIA's driver, loaded at run time -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of CUDA's driver API that runs kernels, from libcuda.so.1 by dlopen:
// neither the build nor a machine without a GPU needs CUDA.
//
// Some errors, such as an access to unmapped memory, make all later calls of
// the process fail. They are said to be sticky: use a child process per device,
// and start another one after such an error. A process must not fork after it
// has opened a device.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DEVICE_CUDADRIVER_H
#define BACO_DEVICE_CUDADRIVER_H

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

/// Properties of a device; bytes, multiprocessors, kHz.
struct CudaDeviceFacts {
  std::string name;
  /// As nvidia-smi writes it: `GPU-` and 32 digits in groups, or `MIG-` for an
  /// instance of a part of a GPU.
  std::string uuid;
  /// The CUDA version that the driver supports, as it gives it: 13000 is 13.0.
  int driverVersion = 0;
  int capabilityMajor = 0, capabilityMinor = 0;
  int multiprocessors = 0;
  int64_t l2Bytes = 0, maxSharedBytes = 0;
  int clockKHz = 0, memoryClockKHz = 0;

  /// Whether the same kernel takes the same time on both, as far as the driver
  /// says.
  bool isSameModel(const CudaDeviceFacts &other) const;
};

/// Properties of a kernel that the driver compiled.
struct CudaKernelFacts {
  /// Per thread.
  int registers = 0, localBytes = 0;
  /// Static, per block.
  int sharedBytes = 0;
};

/// A failed call of the driver.
struct CudaFailure {
  /// CompileFailed, LaunchFailed, OutOfMemory or DeviceFault.
  Status status;
  /// The call and the driver's name of the error.
  std::string message;
  /// Whether all later calls in this process will fail, too.
  bool isSticky = false;
};

struct CudaLaunch {
  std::array<unsigned, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  unsigned dynamicSharedBytes = 0;
  bool operator==(const CudaLaunch &) const = default;
};

/// Launches that the device makes one after another without the host.
struct CudaGraph {
  void *executable = nullptr;
};

/// A kernel on a device.
struct CudaKernel {
  void *module = nullptr, *function = nullptr;
  CudaKernelFacts facts;
};

/// An address in a device's memory.
using CudaAddress = unsigned long long;

/// A device and its primary context, current in the thread that opened it. Not
/// thread safe.
class CudaDevice {
public:
  /// Opens device `index` through `library`. Fails with NotFound if there is no
  /// driver or no such device, with Unsupported if the driver is too old, and
  /// with IOError if it refuses.
  static Result<std::unique_ptr<CudaDevice>>
  open(int index = 0, const std::string &library = "libcuda.so.1");
  /// The same for the device with a UUID: indices change where a device fails.
  static Result<std::unique_ptr<CudaDevice>>
  openByUuid(const std::string &uuid,
             const std::string &library = "libcuda.so.1");
  /// The properties of all devices, in the driver's order, at least one. Opens
  /// none. Errors as `open`.
  static Result<std::vector<CudaDeviceFacts>>
  list(const std::string &library = "libcuda.so.1");
  ~CudaDevice();
  CudaDevice(const CudaDevice &) = delete;
  CudaDevice &operator=(const CudaDevice &) = delete;

  const CudaDeviceFacts &facts() const { return deviceFacts; }
  /// The stream of all launches and events, for libraries that take one.
  void *queue() const { return stream; }

  /// Memory of `bytes` bytes, aligned to 256, until it is freed or the device
  /// is closed.
  std::optional<CudaFailure> allocate(size_t bytes, CudaAddress &address);
  void free(CudaAddress address);
  /// Sets bytes after what was launched before.
  std::optional<CudaFailure> fill(CudaAddress to, unsigned char value,
                                  size_t bytes);
  std::optional<CudaFailure> write(CudaAddress to, const void *from,
                                   size_t bytes);
  /// Between any memory of the device and the host.
  std::optional<CudaFailure> copy(CudaAddress to, CudaAddress from,
                                  size_t bytes);
  /// Waits for what was launched before.
  std::optional<CudaFailure> read(void *to, CudaAddress from, size_t bytes);

  /// Loads machine code, or compiles PTX.
  std::optional<CudaFailure> load(const std::string &image, void *&module);
  /// Frees it, and its kernels.
  void unload(void *module);
  /// The kernel `name` of a module, for launches with up to
  /// `dynamicSharedBytes` bytes of dynamic shared memory.
  std::optional<CudaFailure> find(void *module, const std::string &name,
                                  unsigned dynamicSharedBytes,
                                  CudaKernel &kernel);
  /// Launches a kernel behind what was queued before. Each of `arguments` is
  /// an address, or a scalar in its first bytes.
  std::optional<CudaFailure> enqueue(const CudaKernel &kernel,
                                     const CudaLaunch &launch,
                                     const std::vector<CudaAddress> &arguments);
  /// `arguments[i]` points to the i-th one.
  std::optional<CudaFailure>
  enqueue(const CudaKernel &kernel, const CudaLaunch &launch, void **arguments);
  /// Makes a graph of what `enqueueAll` enqueues, which doesn't run yet. It may
  /// only launch kernels. The graph is to be destroyed.
  std::optional<CudaFailure>
  capture(const std::function<std::optional<CudaFailure>()> &enqueueAll,
          CudaGraph &graph);
  std::optional<CudaFailure> enqueue(const CudaGraph &graph);
  void destroy(CudaGraph &graph);
  std::optional<CudaFailure> synchronize();
  /// From the event that `startTiming` queues behind what was queued before to
  /// one that is behind all now. Neither is waited for before `stopTiming`, so
  /// that a device that is still busy doesn't wait for the host between.
  std::optional<CudaFailure> startTiming();
  std::optional<CudaFailure> stopTiming(float &milliseconds);

private:
  struct Api;
  CudaDevice();
  std::optional<CudaFailure> check(int code, const char *call,
                                   Status status) const;
  Result<int> connect(const std::string &library);
  Result<void> openContext(int index);
  Result<CudaDeviceFacts> readFacts(int index) const;

  std::unique_ptr<Api> api;
  void *library = nullptr;
  int device = -1;
  void *context = nullptr;
  /// It has all launches and events; copies wait for it, and it for them.
  void *stream = nullptr;
  void *before = nullptr, *behind = nullptr;
  CudaDeviceFacts deviceFacts;
};

} // namespace baco::runtime

#endif // BACO_DEVICE_CUDADRIVER_H
