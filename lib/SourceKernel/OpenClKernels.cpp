//===- OpenClKernels.cpp - Kernels in OpenCL C ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompilerLog.h"
#include "KernelDevice.h"

#include "baco/Device/OpenClDriver.h"

#include <algorithm>
#include <map>

using namespace baco;
using namespace baco::kernels;
using namespace baco::runtime;

namespace {
class OpenClKernels : public KernelDevice {
public:
  OpenClKernels(const OpenClApi &api, OpenClDeviceName name)
      : api(api), name(std::move(name)) {}
  ~OpenClKernels() override;

  Result<void> open();
  /// Those of the processors, on which devices of Debian's drivers compute.
  Result<measure::EnergyCounter>
  openEnergyCounter(const std::string &place) const override {
    return measure::EnergyCounter::open(place);
  }
  std::string describe() const override {
    return name.deviceName + " (" + name.platformName + ", " + name.version +
           ", driver " + name.driver + ")";
  }
  Failure allocate(size_t bytes, Handle &buffer) override;
  Failure write(Handle buffer, std::span<const std::byte> bytes) override;
  Failure read(std::span<std::byte> bytes, Handle buffer) override;
  Failure copy(Handle to, Handle from, size_t bytes) override;
  Failure build(const KernelCode &code, const std::string &source,
                Handle &kernel) override;
  void release(Handle kernel) override;
  Failure prepare(Handle kernel, const KernelTask &task, const LaunchPlan &plan,
                  const std::vector<Handle> &buffers) override;
  Failure launch(Handle kernel, double &elapsedNs) override;

private:
  struct Built {
    ClProgram program = nullptr;
    ClKernel kernel = nullptr;
    std::vector<size_t> global, local;
  };

  Failure check(int32_t code, const char *call, Status status) const;
  Failure checkSizes(const Built &built) const;
  Failure setArguments(const Built &built, const KernelTask &task,
                       const LaunchPlan &plan,
                       const std::vector<Handle> &buffers);
  std::string buildLog(ClProgram program) const;
  std::string kernelNames(ClProgram program) const;
  /// A number that the device or a kernel has; 0 if it can't be read.
  template <typename T>
  T deviceFact(ClConstant what) const {
    T value = 0;
    api.getDeviceInfo(name.device, what, sizeof value, &value, nullptr);
    return value;
  }
  template <typename T>
  T kernelFact(ClKernel kernel, ClConstant what) const {
    T value = 0;
    api.getKernelWorkGroupInfo(kernel, name.device, what, sizeof value, &value,
                               nullptr);
    return value;
  }

  OpenClApi api;
  OpenClDeviceName name;
  ClContext context = nullptr;
  ClQueue queue = nullptr;
  std::vector<ClMemory> memories;
  std::map<Handle, Built> kernels;
  Handle nextKernel = 0;
};
} // namespace

KernelDevice::~KernelDevice() = default;

Result<std::unique_ptr<KernelDevice>>
kernels::openOpenCl(const KernelTask &task, const std::string &library) {
  Result<OpenClApi> api =
      library.empty() ? OpenClApi::load() : OpenClApi::load(library);
  if (!api)
    return api.error();
  Result<OpenClDeviceName> name =
      findOpenClDevice(*api, task.platform, task.device);
  if (!name)
    return name.error();
  auto device = std::make_unique<OpenClKernels>(*api, *name);
  if (Result<void> opened = device->open(); !opened)
    return opened.error();
  return std::unique_ptr<KernelDevice>(std::move(device));
}

/// The process ends soon, which frees all else.
OpenClKernels::~OpenClKernels() = default;

Result<void> OpenClKernels::open() {
  auto refused = [&](const char *call, int32_t code) {
    return Error{ErrorCode::IOError, "the OpenCL device '" + name.deviceName +
                                         "' refuses: " + call + ": " +
                                         nameOfClError(code)};
  };
  int32_t code = ClSuccess;
  context =
      api.createContext(nullptr, 1, &name.device, nullptr, nullptr, &code);
  if (code != ClSuccess)
    return refused("clCreateContext", code);
  queue = api.createCommandQueue(context, name.device, ClQueueProfiling, &code);
  if (code != ClSuccess)
    return refused("clCreateCommandQueue", code);
  return {};
}

KernelDevice::Failure OpenClKernels::check(int32_t code, const char *call,
                                           Status status) const {
  if (code == ClSuccess)
    return std::nullopt;
  if (code == ClOutOfResources || code == ClOutOfHostMemory ||
      code == ClMemObjectAllocationFailure)
    status = Status::OutOfMemory;
  return KernelFailure{status, std::string(call) + ": " + nameOfClError(code),
                       status == Status::DeviceFault};
}

KernelDevice::Failure OpenClKernels::allocate(size_t bytes, Handle &buffer) {
  int32_t code = ClSuccess;
  ClMemory memory =
      api.createBuffer(context, ClMemReadWrite, bytes, nullptr, &code);
  if (auto failure = check(code, "clCreateBuffer", Status::OutOfMemory))
    return failure;
  buffer = memories.size();
  memories.push_back(memory);
  return std::nullopt;
}

KernelDevice::Failure OpenClKernels::write(Handle buffer,
                                           std::span<const std::byte> bytes) {
  return check(api.enqueueWriteBuffer(queue, memories[buffer], /*blocking=*/1,
                                      0, bytes.size(), bytes.data(), 0, nullptr,
                                      nullptr),
               "clEnqueueWriteBuffer", Status::DeviceFault);
}

KernelDevice::Failure OpenClKernels::read(std::span<std::byte> bytes,
                                          Handle buffer) {
  return check(api.enqueueReadBuffer(queue, memories[buffer], /*blocking=*/1, 0,
                                     bytes.size(), bytes.data(), 0, nullptr,
                                     nullptr),
               "clEnqueueReadBuffer", Status::DeviceFault);
}

KernelDevice::Failure OpenClKernels::copy(Handle to, Handle from,
                                          size_t bytes) {
  if (auto failure =
          check(api.enqueueCopyBuffer(queue, memories[from], memories[to], 0, 0,
                                      bytes, 0, nullptr, nullptr),
                "clEnqueueCopyBuffer", Status::DeviceFault))
    return failure;
  return check(api.finish(queue), "clFinish", Status::DeviceFault);
}

std::string OpenClKernels::buildLog(ClProgram program) const {
  size_t bytes = 0;
  api.getProgramBuildInfo(program, name.device, ClProgramBuildLog, 0, nullptr,
                          &bytes);
  std::string log(bytes, '\0');
  api.getProgramBuildInfo(program, name.device, ClProgramBuildLog, bytes,
                          log.data(), nullptr);
  return log;
}

std::string OpenClKernels::kernelNames(ClProgram program) const {
  size_t bytes = 0;
  api.getProgramInfo(program, ClProgramKernelNames, 0, nullptr, &bytes);
  std::string names(bytes, '\0');
  api.getProgramInfo(program, ClProgramKernelNames, bytes, names.data(),
                     nullptr);
  names.resize(std::min(names.find('\0'), names.size()));
  return names;
}

KernelDevice::Failure OpenClKernels::build(const KernelCode &code,
                                           const std::string &source,
                                           Handle &kernel) {
  const auto fails = Status::CompileFailed;
  const char *text = source.c_str();
  size_t bytes = source.size();
  int32_t error = ClSuccess;
  Built built;
  built.program =
      api.createProgramWithSource(context, 1, &text, &bytes, &error);
  if (auto failure = check(error, "clCreateProgramWithSource", fails))
    return failure;
  error = api.buildProgram(built.program, 1, &name.device, code.options.c_str(),
                           nullptr, nullptr);
  auto failure = check(error, "clBuildProgram", fails);
  if (failure) {
    if (std::string line = firstError(buildLog(built.program)); !line.empty())
      failure->message += ": " + line;
  } else {
    built.kernel = api.createKernel(built.program, code.kernel.c_str(), &error);
    failure = check(error, "clCreateKernel", fails);
    if (failure && error == ClInvalidKernelName)
      failure->message = "the source has no kernel '" + code.kernel +
                         "'; its kernels are: " + kernelNames(built.program);
  }
  if (failure) {
    api.releaseProgram(built.program);
    return failure;
  }
  kernel = nextKernel++;
  kernels[kernel] = built;
  return std::nullopt;
}

void OpenClKernels::release(Handle kernel) {
  auto found = kernels.find(kernel);
  if (found == kernels.end())
    return;
  api.releaseKernel(found->second.kernel);
  api.releaseProgram(found->second.program);
  kernels.erase(found);
}

/// What is larger than the device allows; drivers don't all refuse it.
KernelDevice::Failure OpenClKernels::checkSizes(const Built &built) const {
  auto most = deviceFact<uint64_t>(ClDeviceLocalMemSize);
  auto needed = kernelFact<uint64_t>(built.kernel, ClKernelLocalMemSize);
  if (needed > most)
    return KernelFailure{Status::OutOfMemory,
                         "a work-group needs " + std::to_string(needed) +
                             " bytes of local memory, but the device has " +
                             std::to_string(most)};
  if (built.local.empty())
    return std::nullopt;
  size_t items = 1, sizes[3] = {};
  api.getDeviceInfo(name.device, ClDeviceMaxWorkItemSizes, sizeof sizes, sizes,
                    nullptr);
  for (size_t i = 0; i < built.local.size(); ++i) {
    if (sizes[i] > 0 && built.local[i] > sizes[i])
      return KernelFailure{Status::LaunchFailed,
                           "local size " + std::to_string(i) + " is " +
                               std::to_string(built.local[i]) +
                               ", but the device takes up to " +
                               std::to_string(sizes[i])};
    if (__builtin_mul_overflow(items, built.local[i], &items))
      items = SIZE_MAX;
  }
  auto deviceItems = deviceFact<size_t>(ClDeviceMaxWorkGroupSize);
  if (items > deviceItems)
    return KernelFailure{Status::LaunchFailed,
                         "a work-group has " + std::to_string(items) +
                             " work-items, but the device takes up to " +
                             std::to_string(deviceItems)};
  auto kernelItems = kernelFact<size_t>(built.kernel, ClKernelWorkGroupSize);
  if (kernelItems > 0 && items > kernelItems)
    return KernelFailure{Status::OutOfMemory,
                         "a work-group has " + std::to_string(items) +
                             " work-items, but the device has resources for " +
                             std::to_string(kernelItems) + " of this kernel"};
  return std::nullopt;
}

KernelDevice::Failure
OpenClKernels::setArguments(const Built &built, const KernelTask &task,
                            const LaunchPlan &plan,
                            const std::vector<Handle> &buffers) {
  uint32_t takes = 0;
  api.getKernelInfo(built.kernel, ClKernelNumArgs, sizeof takes, &takes,
                    nullptr);
  if (takes != task.arguments.size())
    return KernelFailure{
        Status::LaunchFailed,
        "the kernel takes " + std::to_string(takes) + " arguments, but " +
            std::to_string(task.arguments.size()) + " are given"};
  for (uint32_t i = 0; i < takes; ++i) {
    using Kind = KernelArgument::Kind;
    Kind kind = task.arguments[i].kind;
    const void *value = &plan.values[i];
    size_t bytes = sizeOf(task.arguments[i].type);
    if (kind == Kind::Buffer) {
      value = &memories[buffers[i]];
      bytes = sizeof(ClMemory);
    } else if (kind == Kind::Local) {
      value = nullptr;
      bytes = plan.values[i];
    }
    int32_t code = api.setKernelArg(built.kernel, i, bytes, value);
    if (auto failure = check(code, "clSetKernelArg", Status::LaunchFailed)) {
      failure->message = describeArgument(task, i) + ": " + failure->message;
      return failure;
    }
  }
  return std::nullopt;
}

KernelDevice::Failure
OpenClKernels::prepare(Handle kernel, const KernelTask &task,
                       const LaunchPlan &plan,
                       const std::vector<Handle> &buffers) {
  Built &built = kernels[kernel];
  built.global.assign(plan.global.begin(), plan.global.end());
  built.local.assign(plan.local.begin(), plan.local.end());
  // Local memory counts once arguments are set.
  if (auto failure = setArguments(built, task, plan, buffers))
    return failure;
  return checkSizes(built);
}

KernelDevice::Failure OpenClKernels::launch(Handle kernel, double &elapsedNs) {
  const Built &built = kernels[kernel];
  ClEvent event = nullptr;
  if (auto failure = check(
          api.enqueueNDRangeKernel(
              queue, built.kernel, static_cast<uint32_t>(built.global.size()),
              nullptr, built.global.data(),
              built.local.empty() ? nullptr : built.local.data(), 0, nullptr,
              &event),
          "clEnqueueNDRangeKernel", Status::LaunchFailed))
    return failure;
  int32_t status = ClSuccess;
  uint64_t start = 0, end = 0;
  auto failure = check(api.waitForEvents(1, &event), "clWaitForEvents",
                       Status::DeviceFault);
  api.getEventInfo(event, ClEventStatus, sizeof status, &status, nullptr);
  if (status < 0)
    failure = check(status, "the kernel's event", Status::DeviceFault);
  if (!failure)
    failure = check(api.getEventProfilingInfo(event, ClProfilingStart,
                                              sizeof start, &start, nullptr),
                    "clGetEventProfilingInfo", Status::DeviceFault);
  if (!failure)
    failure = check(api.getEventProfilingInfo(event, ClProfilingEnd, sizeof end,
                                              &end, nullptr),
                    "clGetEventProfilingInfo", Status::DeviceFault);
  api.releaseEvent(event);
  elapsedNs = static_cast<double>(end) - static_cast<double>(start);
  return failure;
}
