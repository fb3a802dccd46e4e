//===- KernelDevice.h - A device that compiles source texts -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What OpenCL and CUDA have in common, for the process that has the device.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SOURCEKERNEL_KERNELDEVICE_H
#define BACO_LIB_SOURCEKERNEL_KERNELDEVICE_H

#include "LaunchPlan.h"

#include "baco/Measure/EnergyCounter.h"
#include "baco/Support/Outcome.h"

#include <memory>

namespace baco::kernels {

/// A failed call, in one line. After a sticky one nothing works any more in
/// this process.
struct KernelFailure {
  Status status;
  std::string message;
  bool isSticky = false;
};

class KernelDevice {
public:
  using Failure = std::optional<KernelFailure>;
  /// The number of a buffer, and of a kernel that was built.
  using Handle = unsigned long long;

  virtual ~KernelDevice();

  /// Name, platform and driver.
  virtual std::string describe() const = 0;
  /// The counters of the energy that kernels take; see
  /// KernelOptions::energyCounters.
  virtual Result<measure::EnergyCounter>
  openEnergyCounter(const std::string &place) const = 0;

  virtual Failure allocate(size_t bytes, Handle &buffer) = 0;
  /// Copies wait for what was launched before.
  virtual Failure write(Handle buffer, std::span<const std::byte> bytes) = 0;
  virtual Failure read(std::span<std::byte> bytes, Handle buffer) = 0;
  virtual Failure copy(Handle to, Handle from, size_t bytes) = 0;

  /// Compiles `source`, with the macros. CompileFailed has the compiler's first
  /// error.
  virtual Failure build(const KernelCode &code, const std::string &source,
                        Handle &kernel) = 0;
  virtual void release(Handle kernel) = 0;

  /// Takes sizes and arguments for the launches that follow. LaunchFailed or
  /// OutOfMemory, if the device can't launch that.
  ///
  /// \param buffers  for each argument; that of what is no buffer isn't read
  virtual Failure prepare(Handle kernel, const KernelTask &task,
                          const LaunchPlan &plan,
                          const std::vector<Handle> &buffers) = 0;
  /// Launches it once, and waits for its end.
  ///
  /// \param elapsedNs  by the device's own events
  virtual Failure launch(Handle kernel, double &elapsedNs) = 0;
};

/// The device that the task names. Errors as KernelEvaluator::create.
Result<std::unique_ptr<KernelDevice>> openOpenCl(const KernelTask &task,
                                                 const std::string &library);

/// The same by CUDA's driver, and NVRTC.
Result<std::unique_ptr<KernelDevice>>
openCuda(const KernelTask &task, const std::string &library,
         const std::string &compilerLibrary);

} // namespace baco::kernels

#endif // BACO_LIB_SOURCEKERNEL_KERNELDEVICE_H
