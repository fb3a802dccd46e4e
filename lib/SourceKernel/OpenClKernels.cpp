//===- OpenClKernels.cpp - Kernels in OpenCL C ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelDevice.h"

#include "baco/Device/OpenClDevice.h"

using namespace baco;
using namespace baco::kernels;
using namespace baco::runtime;

namespace {
class OpenClKernels final : public KernelDevice {
public:
  explicit OpenClKernels(std::unique_ptr<OpenClDevice> device)
      : device(std::move(device)) {}

  /// The counters of the processors, on which PoCL computes.
  Result<measure::EnergyCounter>
  openEnergyCounter(const std::string &place) const override {
    return measure::EnergyCounter::open(place);
  }
  std::string describe() const override { return device->identity().text; }
  ComputeDevice &memory() override { return *device; }
  Failure build(const KernelCode &code, const std::string &source) override;
  Failure prepare(const KernelTask &task, const LaunchPlan &plan,
                  const std::vector<DeviceAddress> &buffers) override;

protected:
  Failure enqueue() override { return device->enqueue(kernel, global, local); }

private:
  std::unique_ptr<OpenClDevice> device;
  DeviceKernel kernel;
  std::vector<size_t> global, local;
};
} // namespace

Result<std::unique_ptr<KernelDevice>>
kernels::openOpenCl(const KernelTask &task, const std::string &library) {
  auto device = OpenClDevice::open(
      task.device, library.empty() ? "libOpenCL.so.1" : library, task.platform);
  if (!device)
    return device.error();
  return std::unique_ptr<KernelDevice>(
      std::make_unique<OpenClKernels>(std::move(*device)));
}

KernelDevice::Failure OpenClKernels::build(const KernelCode &code,
                                           const std::string &source) {
  if (kernel.module)
    device->unload(kernel.module);
  kernel = {};
  if (Failure failure = device->build(source, code.options, kernel.module))
    return failure;
  return device->find(kernel.module, code.kernel, /*dynamicSharedBytes=*/0,
                      kernel);
}

KernelDevice::Failure
OpenClKernels::prepare(const KernelTask &task, const LaunchPlan &plan,
                       const std::vector<DeviceAddress> &buffers) {
  uint32_t takes = device->numArguments(kernel);
  if (takes != task.arguments.size())
    return DeviceFailure{
        Status::LaunchFailed,
        "the kernel takes " + std::to_string(takes) + " arguments, but " +
            std::to_string(task.arguments.size()) + " are given"};
  for (uint32_t i = 0; i < takes; ++i) {
    using Kind = KernelArgument::Kind;
    Kind kind = task.arguments[i].kind;
    Failure failure =
        kind == Kind::Buffer ? device->pass(kernel, i, buffers[i])
        : kind == Kind::Local
            ? device->pass(kernel, i, plan.values[i], nullptr)
            : device->pass(kernel, i, sizeOf(task.arguments[i].type),
                           &plan.values[i]);
    if (failure) {
      failure->message = describeArgument(task, i) + ": " + failure->message;
      return failure;
    }
  }
  global.assign(plan.global.begin(), plan.global.end());
  local.assign(plan.local.begin(), plan.local.end());
  // Local memory counts once arguments are set.
  return device->checkSizes(kernel, local);
}
