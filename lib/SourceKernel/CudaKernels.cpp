//===- CudaKernels.cpp - Kernels in CUDA C++ ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelDevice.h"

#include "baco/Device/CompilerLog.h"
#include "baco/Device/CudaDriver.h"
#include "baco/Device/GpuEnergy.h"
#include "baco/Device/Nvrtc.h"
#include "baco/Device/OpenClDriver.h"

#include <algorithm>
#include <sstream>

using namespace baco;
using namespace baco::kernels;
using namespace baco::runtime;

namespace {
class CudaKernels : public KernelDevice {
public:
  CudaKernels(std::unique_ptr<CudaDevice> device, const Nvrtc &compiler)
      : device(std::move(device)), compiler(compiler) {}

  std::string describe() const override;
  Result<measure::EnergyCounter>
  openEnergyCounter(const std::string &place) const override;
  ComputeDevice &memory() override { return *device; }
  Failure build(const KernelCode &code, const std::string &source) override;
  Failure prepare(const KernelTask &task, const LaunchPlan &plan,
                  const std::vector<DeviceAddress> &buffers) override;

protected:
  Failure enqueue() override {
    return device->enqueue(kernel, sizes, arguments);
  }

private:
  std::unique_ptr<CudaDevice> device;
  Nvrtc compiler;
  /// The name in the module.
  std::string name;
  DeviceKernel kernel;
  LaunchSizes sizes;
  std::vector<LaunchOperand> arguments;
};
} // namespace

Result<std::unique_ptr<KernelDevice>>
kernels::openCuda(const KernelTask &task, const std::string &library,
                  const std::string &compilerLibrary) {
  std::string driver = library.empty() ? "libcuda.so.1" : library;
  Result<std::vector<CudaDeviceFacts>> all = CudaDevice::list(driver);
  if (!all)
    return all.error();
  std::string names;
  const CudaDeviceFacts *found = nullptr;
  for (const CudaDeviceFacts &one : *all) {
    if (!found && containsName("NVIDIA CUDA", task.platform) &&
        containsName(one.name, task.device))
      found = &one;
    names += (names.empty() ? "'" : ", '") + one.name + "'";
  }
  if (!found)
    return Error{ErrorCode::NotFound,
                 "there is no GPU '" + task.device + "'" +
                     (task.platform.empty()
                          ? ""
                          : " on a platform '" + task.platform + "'") +
                     "; there is " + names + " of platform 'NVIDIA CUDA'"};
  Result<Nvrtc> compiler = Nvrtc::load(compilerLibrary);
  if (!compiler)
    return compiler.error();
  Result<std::unique_ptr<CudaDevice>> device =
      CudaDevice::openByUuid(found->uuid, driver);
  if (!device)
    return device.error();
  return std::unique_ptr<KernelDevice>(
      std::make_unique<CudaKernels>(std::move(*device), *compiler));
}

std::string CudaKernels::describe() const {
  const CudaDeviceFacts &facts = device->facts();
  return facts.name + " (NVIDIA CUDA, sm_" +
         std::to_string(facts.capabilityMajor) +
         std::to_string(facts.capabilityMinor) + ", driver " +
         std::to_string(facts.driverVersion / 1000) + "." +
         std::to_string(facts.driverVersion % 1000 / 10) + ")";
}

Result<measure::EnergyCounter>
CudaKernels::openEnergyCounter(const std::string &place) const {
  const CudaDeviceFacts &facts = device->facts();
  auto reader = openGpuEnergy(place, facts.uuid);
  if (!reader)
    return reader.error();
  return measure::EnergyCounter(facts.name, std::move(*reader));
}

KernelDevice::Failure CudaKernels::build(const KernelCode &code,
                                         const std::string &source) {
  if (kernel.module)
    device->unload(kernel.module);
  kernel = {};
  const CudaDeviceFacts &facts = device->facts();
  std::vector<std::string> options = {"--gpu-architecture=compute_" +
                                      std::to_string(facts.capabilityMajor) +
                                      std::to_string(facts.capabilityMinor)};
  std::istringstream words(code.options);
  for (std::string word; words >> word;)
    options.push_back(word);
  Result<Nvrtc::Code> compiled = compiler.compile(source, code.kernel, options);
  if (!compiled) {
    const std::string &text = compiled.error().message;
    size_t end = std::min(text.find('\n'), text.size());
    std::string line = firstError(std::string_view(text).substr(end));
    return DeviceFailure{Status::CompileFailed,
                         text.substr(0, end) +
                             (line.empty() ? "" : ": " + line)};
  }
  name = compiled->kernel;
  return device->load(compiled->ptx, kernel.module);
}

KernelDevice::Failure
CudaKernels::prepare(const KernelTask &task, const LaunchPlan &plan,
                     const std::vector<DeviceAddress> &buffers) {
  sizes = {};
  if (plan.local.empty())
    return DeviceFailure{Status::LaunchFailed,
                         "CUDA needs the sizes of a block, 'local'"};
  uint64_t items = 1;
  for (size_t i = 0; i < plan.local.size(); ++i) {
    constexpr uint64_t mostBlocks = INT32_MAX, mostItems = 1024;
    uint64_t blocks = plan.global[i] / plan.local[i];
    items = plan.local[i] > mostItems ? mostItems + 1 : items * plan.local[i];
    if (items > mostItems || blocks > mostBlocks)
      return DeviceFailure{Status::LaunchFailed,
                           items > mostItems
                               ? "a block has more than 1024 threads"
                               : "the grid has more than 2^31 - 1 blocks"};
    sizes.grid[i] = static_cast<unsigned>(blocks);
    sizes.block[i] = static_cast<unsigned>(plan.local[i]);
  }
  arguments.clear();
  uint64_t shared = 0;
  for (size_t i = 0; i < task.arguments.size(); ++i) {
    using Kind = KernelArgument::Kind;
    if (task.arguments[i].kind == Kind::Local)
      shared += plan.values[i];
    else
      arguments.push_back(
          task.arguments[i].kind == Kind::Buffer
              ? LaunchOperand{/*isAddress=*/true, buffers[i]}
              : LaunchOperand{/*isAddress=*/false, plan.values[i]});
  }
  auto most = static_cast<uint64_t>(device->facts().maxSharedBytes);
  auto refuse = [&](uint64_t bytes) {
    return DeviceFailure{Status::OutOfMemory,
                         "a block needs " + std::to_string(bytes) +
                             " bytes of shared memory, but the device has " +
                             std::to_string(most)};
  };
  if (shared > most)
    return refuse(shared);
  sizes.dynamicSharedBytes = static_cast<unsigned>(shared);
  if (Failure failure =
          device->find(kernel.module, name, sizes.dynamicSharedBytes, kernel))
    return failure;
  if (uint64_t all = shared + static_cast<uint64_t>(kernel.facts.sharedBytes);
      all > most)
    return refuse(all);
  return std::nullopt;
}
