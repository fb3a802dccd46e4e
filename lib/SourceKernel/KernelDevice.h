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

#include "baco/Device/ComputeDevice.h"
#include "baco/Measure/EnergyCounter.h"

namespace baco::kernels {

/// A device and the kernel that was built on it last.
class KernelDevice {
public:
  /// After a sticky one nothing works any more in this process.
  using Failure = runtime::ComputeDevice::Failure;

  virtual ~KernelDevice();

  /// Name, platform and driver.
  virtual std::string describe() const = 0;
  /// The counters of the energy that kernels take; see
  /// KernelOptions::energyCounters.
  virtual Result<measure::EnergyCounter>
  openEnergyCounter(const std::string &place) const = 0;
  virtual runtime::ComputeDevice &memory() = 0;

  /// Compiles `source`, with the macros, and frees what was built before.
  /// CompileFailed has the compiler's first error.
  virtual Failure build(const KernelCode &code, const std::string &source) = 0;
  /// Takes sizes and arguments for the launches that follow. LaunchFailed or
  /// OutOfMemory, if the device can't launch that.
  ///
  /// \param buffers  for each argument; that of what is no buffer isn't read
  virtual Failure
  prepare(const KernelTask &task, const LaunchPlan &plan,
          const std::vector<runtime::DeviceAddress> &buffers) = 0;
  /// Launches it once, and waits for its end.
  ///
  /// \param elapsedNs  by the device's own events
  Failure launch(double &elapsedNs);

protected:
  virtual Failure enqueue() = 0;
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
