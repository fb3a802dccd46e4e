//===- CudaKernels.cpp - Kernels in CUDA C++ ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompilerLog.h"
#include "KernelDevice.h"

#include "baco/Device/CudaDriver.h"
#include "baco/Device/GpuEnergy.h"
#include "baco/Device/Nvrtc.h"
#include "baco/Device/OpenClDriver.h"

#include <algorithm>
#include <map>
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
  Failure allocate(size_t bytes, Handle &buffer) override {
    return translate(device->allocate(bytes, buffer));
  }
  Failure write(Handle buffer, std::span<const std::byte> bytes) override {
    return translate(device->write(buffer, bytes.data(), bytes.size()));
  }
  Failure read(std::span<std::byte> bytes, Handle buffer) override {
    return translate(device->read(bytes.data(), buffer, bytes.size()));
  }
  Failure copy(Handle to, Handle from, size_t bytes) override {
    return translate(device->copy(to, from, bytes));
  }
  Failure build(const KernelCode &code, const std::string &source,
                Handle &kernel) override;
  void release(Handle kernel) override;
  Failure prepare(Handle kernel, const KernelTask &task, const LaunchPlan &plan,
                  const std::vector<Handle> &buffers) override;
  Failure launch(Handle kernel, double &elapsedNs) override;

private:
  struct Built {
    void *module = nullptr;
    /// In the module.
    std::string name;
    DeviceKernel kernel;
    LaunchSizes launch;
    std::vector<LaunchOperand> arguments;
  };

  static Failure translate(const std::optional<DeviceFailure> &failure);

  std::unique_ptr<CudaDevice> device;
  Nvrtc compiler;
  std::map<Handle, Built> kernels;
  Handle nextKernel = 0;
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

KernelDevice::Failure
CudaKernels::translate(const std::optional<DeviceFailure> &failure) {
  if (!failure)
    return std::nullopt;
  KernelFailure made = {failure->status, failure->message, failure->isSticky};
  // Registers of a whole block.
  if (made.message.find("LAUNCH_OUT_OF_RESOURCES") != std::string::npos)
    made.status = Status::OutOfMemory;
  return made;
}

KernelDevice::Failure CudaKernels::build(const KernelCode &code,
                                         const std::string &source,
                                         Handle &kernel) {
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
    return KernelFailure{Status::CompileFailed,
                         text.substr(0, end) +
                             (line.empty() ? "" : ": " + line)};
  }
  Built built;
  built.name = compiled->kernel;
  if (Failure failure = translate(device->load(compiled->ptx, built.module)))
    return failure;
  kernel = nextKernel++;
  kernels[kernel] = built;
  return std::nullopt;
}

void CudaKernels::release(Handle kernel) {
  auto found = kernels.find(kernel);
  if (found == kernels.end())
    return;
  device->unload(found->second.module);
  kernels.erase(found);
}

KernelDevice::Failure CudaKernels::prepare(Handle kernel,
                                           const KernelTask &task,
                                           const LaunchPlan &plan,
                                           const std::vector<Handle> &buffers) {
  Built &built = kernels[kernel];
  built.launch = {};
  if (plan.local.empty())
    return KernelFailure{Status::LaunchFailed,
                         "CUDA needs the sizes of a block, 'local'"};
  uint64_t items = 1;
  for (size_t i = 0; i < plan.local.size(); ++i) {
    constexpr uint64_t mostBlocks = INT32_MAX, mostItems = 1024;
    uint64_t blocks = plan.global[i] / plan.local[i];
    items = plan.local[i] > mostItems ? mostItems + 1 : items * plan.local[i];
    if (items > mostItems || blocks > mostBlocks)
      return KernelFailure{Status::LaunchFailed,
                           items > mostItems
                               ? "a block has more than 1024 threads"
                               : "the grid has more than 2^31 - 1 blocks"};
    built.launch.grid[i] = static_cast<unsigned>(blocks);
    built.launch.block[i] = static_cast<unsigned>(plan.local[i]);
  }
  built.arguments.clear();
  uint64_t shared = 0;
  for (size_t i = 0; i < task.arguments.size(); ++i) {
    using Kind = KernelArgument::Kind;
    if (task.arguments[i].kind == Kind::Local)
      shared += plan.values[i];
    else
      built.arguments.push_back(
          task.arguments[i].kind == Kind::Buffer
              ? LaunchOperand{/*isAddress=*/true, buffers[i]}
              : LaunchOperand{/*isAddress=*/false, plan.values[i]});
  }
  auto most = static_cast<uint64_t>(device->facts().maxSharedBytes);
  auto refuse = [&](uint64_t bytes) {
    return KernelFailure{Status::OutOfMemory,
                         "a block needs " + std::to_string(bytes) +
                             " bytes of shared memory, but the device has " +
                             std::to_string(most)};
  };
  if (shared > most)
    return refuse(shared);
  built.launch.dynamicSharedBytes = static_cast<unsigned>(shared);
  if (Failure failure = translate(device->find(built.module, built.name,
                                               built.launch.dynamicSharedBytes,
                                               built.kernel)))
    return failure;
  if (uint64_t all =
          shared + static_cast<uint64_t>(built.kernel.facts.sharedBytes);
      all > most)
    return refuse(all);
  return std::nullopt;
}

KernelDevice::Failure CudaKernels::launch(Handle kernel, double &elapsedNs) {
  const Built &built = kernels[kernel];
  float milliseconds = 0;
  if (Failure failure = translate(device->startTiming()))
    return failure;
  if (Failure failure = translate(
          device->enqueue(built.kernel, built.launch, built.arguments)))
    return failure;
  if (Failure failure = translate(device->stopTiming(milliseconds)))
    return failure;
  constexpr double nsPerMs = 1e6;
  elapsedNs = static_cast<double>(milliseconds) * nsPerMs;
  return std::nullopt;
}
