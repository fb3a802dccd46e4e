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

#include "baco/Device/ComputeDevice.h"

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

/// A device and its primary context, current in the thread that opened it. Not
/// thread safe.
class CudaDevice final : public ComputeDevice {
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
  ~CudaDevice() override;
  CudaDevice(const CudaDevice &) = delete;
  CudaDevice &operator=(const CudaDevice &) = delete;

  const CudaDeviceFacts &facts() const { return deviceFacts; }
  /// The stream of all launches and events, for libraries that take one.
  void *queue() const { return stream; }

  DeviceIdentity identity() const override;
  int64_t cacheBytes() const override { return deviceFacts.l2Bytes; }
  MemoryReader memoryReader() const override;
  Failure allocate(size_t bytes, DeviceAddress &address) override;
  void free(DeviceAddress address) override;
  Failure fill(DeviceAddress to, unsigned char value, size_t bytes) override;
  Failure write(DeviceAddress to, const void *from, size_t bytes) override;
  Failure read(void *to, DeviceAddress from, size_t bytes) override;
  /// Also between the device and the host.
  Failure copy(DeviceAddress to, DeviceAddress from, size_t bytes) override;

  /// Loads machine code, or compiles PTX.
  Failure load(const std::string &image, void *&module) override;
  void unload(void *module) override;
  Failure find(void *module, const std::string &name,
               unsigned dynamicSharedBytes, DeviceKernel &kernel) override;
  Failure enqueue(const DeviceKernel &kernel, const LaunchSizes &launch,
                  const std::vector<LaunchOperand> &operands) override;
  /// `arguments[i]` points to the i-th one.
  Failure enqueue(const DeviceKernel &kernel, const LaunchSizes &launch,
                  void **arguments);
  bool hasGraphs() const override { return true; }
  Failure capture(const std::function<Failure()> &enqueueAll,
                  DeviceGraph &graph) override;
  Failure enqueue(const DeviceGraph &graph) override;
  void destroy(DeviceGraph &graph) override;
  Failure synchronize();
  /// Between two events, neither of which is waited for before `stopTiming`, so
  /// that a device that is still busy doesn't wait for the host between.
  Failure startTiming() override;
  Failure stopTiming(float &milliseconds) override;

private:
  struct Api;
  CudaDevice();
  std::optional<DeviceFailure> check(int code, const char *call,
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
