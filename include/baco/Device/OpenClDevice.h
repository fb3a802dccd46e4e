//===- OpenClDevice.h - A device of OpenCL ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenCL 1.2 has buffers, but no addresses in them that the host knows. So
// addresses are numbers of ours, and a kernel takes a buffer and a distance
// from its beginning, as `baco-lower-to-opencl` writes it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DEVICE_OPENCLDEVICE_H
#define BACO_DEVICE_OPENCLDEVICE_H

#include "baco/Device/ComputeDevice.h"
#include "baco/Device/OpenClDriver.h"

#include <map>
#include <span>

namespace baco::runtime {

/// Facts that a device reports; sizes in bytes.
struct OpenClDeviceFacts {
  std::string name, platform, version, driver;
  /// Work-items of a work-group, and along each dimension.
  uint64_t threads = 0;
  std::array<uint64_t, 3> items = {};
  uint64_t localBytes = 0, cacheBytes = 0;
  uint32_t units = 0;
  /// Whether kernels have the types `half` and `double`; and whether divisions
  /// and square roots of floats can be rounded correctly.
  bool half = false, doubles = false, roundsDivisions = false;
};

/// The facts of the first device whose name contains `name`. Errors are those
/// of OpenClApi::load and findOpenClDevice, and IOError. Drivers have threads,
/// after which a process must not fork: a child asks.
Result<OpenClDeviceFacts>
describeOpenClDevice(const std::string &name,
                     const std::string &library = "libOpenCL.so.1");

class OpenClDevice final : public ComputeDevice {
public:
  /// Opens the first device whose name contains `name`, and that of whose
  /// platform `platform`. Errors as above.
  static Result<std::unique_ptr<OpenClDevice>>
  open(const std::string &name, const std::string &library = "libOpenCL.so.1",
       const std::string &platform = "");
  ~OpenClDevice() override;
  OpenClDevice(const OpenClDevice &) = delete;
  OpenClDevice &operator=(const OpenClDevice &) = delete;

  const OpenClDeviceFacts &facts() const { return deviceFacts; }

  DeviceIdentity identity() const override;
  int64_t cacheBytes() const override;
  MemoryReader memoryReader() const override;
  Failure allocate(size_t bytes, DeviceAddress &address) override;
  void free(DeviceAddress address) override;
  Failure fill(DeviceAddress to, unsigned char value, size_t bytes) override;
  Failure write(DeviceAddress to, const void *from, size_t bytes) override;
  Failure read(void *to, DeviceAddress from, size_t bytes) override;
  Failure copy(DeviceAddress to, DeviceAddress from, size_t bytes) override;
  Failure load(const std::string &image, void *&module) override;
  /// The same, with these options of the compiler.
  Failure build(const std::string &source, const std::string &options,
                void *&module);
  void unload(void *module) override;
  Failure find(void *module, const std::string &name,
               unsigned dynamicSharedBytes, DeviceKernel &kernel) override;
  Failure enqueue(const DeviceKernel &kernel, const LaunchSizes &launch,
                  const std::vector<LaunchOperand> &operands) override;
  /// For kernels with any arguments: how many there are, and their values. A
  /// null `value` is local memory.
  uint32_t numArguments(const DeviceKernel &kernel) const;
  Failure pass(const DeviceKernel &kernel, uint32_t index, size_t bytes,
               const void *value);
  /// The same for the memory that begins at an address.
  Failure pass(const DeviceKernel &kernel, uint32_t index,
               DeviceAddress address);
  /// Launches it with the values that were passed last, in as many dimensions
  /// as there are sizes; the driver chooses `local` if it is empty.
  Failure enqueue(const DeviceKernel &kernel, std::span<const size_t> global,
                  std::span<const size_t> local);
  /// Fails, naming it, if a kernel whose arguments were passed needs more than
  /// the device allows; drivers don't all refuse it.
  Failure checkSizes(const DeviceKernel &kernel,
                     std::span<const size_t> local) const;
  bool hasGraphs() const override { return false; }
  Failure capture(const std::function<Failure()> &enqueueAll,
                  DeviceGraph &graph) override;
  Failure enqueue(const DeviceGraph &graph) override;
  void destroy(DeviceGraph &graph) override {}
  /// The time is the sum of those that the device took for each kernel, by
  /// profiling events.
  Failure startTiming() override;
  Failure stopTiming(float &milliseconds) override;

private:
  struct Buffer {
    ClMemory memory;
    size_t bytes;
  };
  /// An address as a buffer and the distance in it.
  struct Place {
    ClMemory memory;
    uint64_t offset;
  };

  OpenClDevice() = default;
  Failure check(int32_t code, const char *call, Status status) const;
  Failure checkLocalMemory(ClKernel kernel, uint64_t &bytes) const;
  Place find(DeviceAddress address) const;
  void releaseEvents();

  OpenClApi api = {};
  OpenClDeviceName named;
  OpenClDeviceFacts deviceFacts;
  ClContext context = nullptr;
  ClQueue queue = nullptr;
  /// By address. The next one that is free.
  std::map<DeviceAddress, Buffer> buffers;
  DeviceAddress next = 1 << 20;
  /// Of modules, which are freed with them.
  std::multimap<void *, ClKernel> kernels;
  bool isTiming = false;
  std::vector<ClEvent> events;
};

} // namespace baco::runtime

#endif // BACO_DEVICE_OPENCLDEVICE_H
