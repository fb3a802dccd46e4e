//===- OpenClDevice.cpp - A device of OpenCL ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Device/OpenClDevice.h"

#include "baco/Device/CompilerLog.h"
#include "baco/Protocol/CloseIfOpen.h"
#include "baco/Support/Json.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;

/// A bit of CL_DEVICE_SINGLE_FP_CONFIG.
static constexpr uint64_t correctlyRoundedDivisions = 1 << 7;

/// One fact of a device; false if it doesn't say.
template <typename T>
static bool readFact(const OpenClApi &api, ClDevice device, ClConstant what,
                     T &value) {
  return api.getDeviceInfo(device, what, sizeof value, &value, nullptr) ==
         ClSuccess;
}

static Result<OpenClDeviceFacts> readFacts(const OpenClApi &api,
                                           const OpenClDeviceName &named) {
  OpenClDeviceFacts facts = {named.deviceName, named.platformName,
                             named.version, named.driver};
  uint64_t single = 0;
  std::array<size_t, 3> items = {};
  size_t threads = 0;
  // More dimensions than three make it fail.
  if (!readFact(api, named.device, ClDeviceMaxWorkGroupSize, threads) ||
      !readFact(api, named.device, ClDeviceMaxWorkItemSizes, items) ||
      !readFact(api, named.device, ClDeviceLocalMemSize, facts.localBytes) ||
      !readFact(api, named.device, ClDeviceMaxComputeUnits, facts.units) ||
      !readFact(api, named.device, ClDeviceGlobalMemCacheSize,
                facts.cacheBytes) ||
      !readFact(api, named.device, ClDeviceSingleFpConfig, single))
    return Error{ErrorCode::IOError, "the OpenCL device '" + facts.name +
                                         "' doesn't say what its limits are"};
  facts.threads = threads;
  std::ranges::copy(items, facts.items.begin());
  facts.roundsDivisions = single & correctlyRoundedDivisions;
  size_t bytes = 0;
  std::string extensions;
  if (api.getDeviceInfo(named.device, ClDeviceExtensions, 0, nullptr, &bytes) ==
      ClSuccess) {
    extensions.resize(bytes);
    if (api.getDeviceInfo(named.device, ClDeviceExtensions, bytes,
                          extensions.data(), nullptr) != ClSuccess)
      extensions.clear();
  }
  facts.half = extensions.find("cl_khr_fp16") != std::string::npos;
  facts.doubles = extensions.find("cl_khr_fp64") != std::string::npos;
  return facts;
}

/// Loads OpenCL and finds the device.
static Result<OpenClDeviceFacts> askDevice(const std::string &name,
                                           const std::string &library) {
  auto api = OpenClApi::load(library);
  if (!api)
    return api.error();
  auto named = findOpenClDevice(*api, /*platform=*/"", name);
  if (!named)
    return named.error();
  return readFacts(*api, *named);
}

//===----------------------------------------------------------------------===//
// Facts, by a child
//===----------------------------------------------------------------------===//

namespace baco::runtime {
// NOLINTNEXTLINE(readability-identifier-naming): names that the library calls.
BACO_JSON_FIELDS(OpenClDeviceFacts, name, platform, version, driver, threads,
                 items, localBytes, cacheBytes, units, half, doubles,
                 roundsDivisions)
} // namespace baco::runtime

/// Facts, or an error, as they go between the processes.
static std::string encode(const Result<OpenClDeviceFacts> &facts) {
  CheckedJson json;
  if (facts)
    json = *facts;
  else
    json = {{"code", facts.error().code}, {"message", facts.error().message}};
  return printCheckedJson(json);
}

static Result<OpenClDeviceFacts> decode(const std::string &text) {
  auto json = CheckedJson::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded())
    return Error{ErrorCode::IOError,
                 "the process that asks OpenCL for its devices has ended "
                 "early; see 'clinfo -l'"};
  if (json.contains("code"))
    return Error{json["code"].get<ErrorCode>(),
                 json["message"].get<std::string>()};
  return json.get<OpenClDeviceFacts>();
}

Result<OpenClDeviceFacts>
runtime::describeOpenClDevice(const std::string &name,
                              const std::string &library) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return Error{ErrorCode::IOError,
                 std::string("pipe2 failed: ") + std::strerror(errno)};
  pid_t child = fork();
  if (child == 0) {
    std::string text = encode(askDevice(name, library));
    for (size_t sent = 0; sent < text.size();) {
      ssize_t n = ::write(ends[1], text.data() + sent, text.size() - sent);
      if (n < 0 && errno != EINTR)
        break;
      sent += n > 0 ? static_cast<size_t>(n) : 0;
    }
    // Its threads may still run: nothing is destroyed.
    _exit(0);
  }
  int code = errno;
  closeIfOpen(ends[1]);
  std::string text;
  char part[4096];
  while (child > 0) {
    ssize_t n = ::read(ends[0], part, sizeof part);
    if (n == 0 || (n < 0 && errno != EINTR))
      break;
    text.append(part, n > 0 ? static_cast<size_t>(n) : 0);
  }
  closeIfOpen(ends[0]);
  if (child < 0)
    return Error{ErrorCode::IOError,
                 std::string("fork failed: ") + std::strerror(code)};
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return decode(text);
}

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

OpenClDevice::Failure OpenClDevice::check(int32_t code, const char *call,
                                          Status status) const {
  if (code == ClSuccess)
    return std::nullopt;
  DeviceFailure failure = {status,
                           std::string(call) + ": " + nameOfClError(code)};
  if (code == ClMemObjectAllocationFailure || code == ClOutOfHostMemory ||
      code == ClInvalidBufferSize)
    failure.status = Status::OutOfMemory;
  // What a queue says after a kernel has failed is all that is known of it.
  failure.isSticky = status == Status::DeviceFault;
  return failure;
}

Result<std::unique_ptr<OpenClDevice>>
OpenClDevice::open(const std::string &name, const std::string &library,
                   const std::string &platform) {
  std::unique_ptr<OpenClDevice> device(new OpenClDevice());
  auto api = OpenClApi::load(library);
  if (!api)
    return api.error();
  device->api = *api;
  auto named = findOpenClDevice(*api, platform, name);
  if (!named)
    return named.error();
  device->named = *named;
  auto facts = readFacts(*api, *named);
  if (!facts)
    return facts.error();
  device->deviceFacts = *facts;
  int32_t code = ClSuccess;
  device->context = api->createContext(nullptr, 1, &device->named.device,
                                       nullptr, nullptr, &code);
  const char *call = "clCreateContext";
  if (code == ClSuccess) {
    call = "clCreateCommandQueue";
    device->queue = api->createCommandQueue(
        device->context, device->named.device, ClQueueProfiling, &code);
  }
  if (code != ClSuccess)
    return Error{ErrorCode::IOError, std::string("OpenCL refuses: ") + call +
                                         ": " + nameOfClError(code)};
  return device;
}

OpenClDevice::~OpenClDevice() {
  releaseEvents();
  while (!kernels.empty())
    unload(kernels.begin()->first);
  for (const auto &[address, buffer] : buffers)
    api.releaseMemObject(buffer.memory);
  if (queue)
    api.releaseCommandQueue(queue);
  if (context)
    api.releaseContext(context);
}

DeviceIdentity OpenClDevice::identity() const {
  return {deviceFacts.name + " (" + deviceFacts.platform + ", " +
              deviceFacts.version + ", driver " + deviceFacts.driver + ")",
          deviceFacts.name};
}

int64_t OpenClDevice::cacheBytes() const {
  return static_cast<int64_t>(deviceFacts.cacheBytes);
}

MemoryReader OpenClDevice::memoryReader() const {
  // Volatile, because nothing uses what it reads.
  return {"__kernel void baco_read(__global uchar *memory, ulong offset) {\n"
          "  *(volatile __global uint4 *)(memory + offset +\n"
          "                               16 * get_global_id(0));\n"
          "}\n",
          "baco_read"};
}

OpenClDevice::Place OpenClDevice::find(DeviceAddress address) const {
  auto behind = buffers.upper_bound(address);
  if (behind == buffers.begin())
    return {nullptr, 0};
  const auto &[begin, buffer] = *std::prev(behind);
  return {buffer.memory, address - begin};
}

OpenClDevice::Failure OpenClDevice::allocate(size_t bytes,
                                             DeviceAddress &address) {
  int32_t code = ClSuccess;
  ClMemory memory = api.createBuffer(
      context, ClMemReadWrite, std::max<size_t>(1, bytes), nullptr, &code);
  if (auto failure = check(code, "clCreateBuffer", Status::OutOfMemory))
    return failure;
  address = next;
  buffers[address] = {memory, bytes};
  constexpr size_t unit = 1 << 20;
  next += (bytes / unit + 2) * unit;
  return std::nullopt;
}

void OpenClDevice::free(DeviceAddress address) {
  auto found = buffers.find(address);
  if (found == buffers.end())
    return;
  api.releaseMemObject(found->second.memory);
  buffers.erase(found);
}

OpenClDevice::Failure OpenClDevice::fill(DeviceAddress to, unsigned char value,
                                         size_t bytes) {
  auto [memory, offset] = find(to);
  return check(api.enqueueFillBuffer(queue, memory, &value, 1, offset, bytes, 0,
                                     nullptr, nullptr),
               "clEnqueueFillBuffer", Status::DeviceFault);
}

OpenClDevice::Failure OpenClDevice::write(DeviceAddress to, const void *from,
                                          size_t bytes) {
  auto [memory, offset] = find(to);
  return check(api.enqueueWriteBuffer(queue, memory, /*waits=*/1, offset, bytes,
                                      from, 0, nullptr, nullptr),
               "clEnqueueWriteBuffer", Status::DeviceFault);
}

OpenClDevice::Failure OpenClDevice::read(void *to, DeviceAddress from,
                                         size_t bytes) {
  auto [memory, offset] = find(from);
  return check(api.enqueueReadBuffer(queue, memory, /*waits=*/1, offset, bytes,
                                     to, 0, nullptr, nullptr),
               "clEnqueueReadBuffer", Status::DeviceFault);
}

namespace {
/// Lets nothing be printed to the standard error: compilers in drivers print
/// how many errors there are, which are in the log.
class Silence {
public:
  Silence() : saved(fcntl(2, F_DUPFD_CLOEXEC, 16)) {
    int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null >= 0)
      dup2(null, 2);
    closeIfOpen(null);
  }
  ~Silence() {
    if (saved >= 0)
      dup2(saved, 2);
    closeIfOpen(saved);
  }
  Silence(const Silence &) = delete;
  Silence &operator=(const Silence &) = delete;

private:
  int saved;
};
} // namespace

OpenClDevice::Failure OpenClDevice::copy(DeviceAddress to, DeviceAddress from,
                                         size_t bytes) {
  Place target = find(to), source = find(from);
  if (auto failure =
          check(api.enqueueCopyBuffer(queue, source.memory, target.memory,
                                      source.offset, target.offset, bytes, 0,
                                      nullptr, nullptr),
                "clEnqueueCopyBuffer", Status::DeviceFault))
    return failure;
  return check(api.finish(queue), "clFinish", Status::DeviceFault);
}

/// A text of a program; `ask` has the last three parameters of clGet...Info.
template <typename Ask>
static std::string textOf(Ask ask) {
  size_t bytes = 0;
  ask(0, nullptr, &bytes);
  std::string text(bytes, '\0');
  ask(bytes, text.data(), nullptr);
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

OpenClDevice::Failure OpenClDevice::load(const std::string &image,
                                         void *&module) {
  std::string options = "-cl-std=CL1.2";
  if (deviceFacts.roundsDivisions)
    options += " -cl-fp32-correctly-rounded-divide-sqrt";
  return build(image, options, module);
}

OpenClDevice::Failure OpenClDevice::build(const std::string &source,
                                          const std::string &options,
                                          void *&module) {
  const char *text = source.c_str();
  size_t length = source.size();
  int32_t code = ClSuccess;
  ClProgram program =
      api.createProgramWithSource(context, 1, &text, &length, &code);
  if (auto failure =
          check(code, "clCreateProgramWithSource", Status::CompileFailed))
    return failure;
  {
    Silence silence;
    code = api.buildProgram(program, 1, &named.device, options.c_str(), nullptr,
                            nullptr);
  }
  auto failure = check(code, "clBuildProgram", Status::CompileFailed);
  if (!failure) {
    module = program;
    return std::nullopt;
  }
  std::string log = textOf([&](size_t bytes, void *to, size_t *needed) {
    return api.getProgramBuildInfo(program, named.device, ClProgramBuildLog,
                                   bytes, to, needed);
  });
  if (std::string line = firstError(log); !line.empty())
    failure->message += ": " + line;
  api.releaseProgram(program);
  return failure;
}

void OpenClDevice::unload(void *module) {
  auto [begin, end] = kernels.equal_range(module);
  for (auto kernel = begin; kernel != end; ++kernel)
    api.releaseKernel(kernel->second);
  kernels.erase(begin, end);
  api.releaseProgram(static_cast<ClProgram>(module));
}

OpenClDevice::Failure OpenClDevice::find(void *module, const std::string &name,
                                         unsigned dynamicSharedBytes,
                                         DeviceKernel &kernel) {
  if (dynamicSharedBytes > 0)
    return DeviceFailure{Status::LaunchFailed,
                         "kernels of OpenCL declare their local memory"};
  int32_t code = ClSuccess;
  auto *program = static_cast<ClProgram>(module);
  ClKernel made = api.createKernel(program, name.c_str(), &code);
  auto failure = check(code, "clCreateKernel", Status::CompileFailed);
  if (failure && code == ClInvalidKernelName)
    failure->message =
        "the source has no kernel '" + name + "'; its kernels are: " +
        textOf([&](size_t bytes, void *to, size_t *needed) {
          return api.getProgramInfo(program, ClProgramKernelNames, bytes, to,
                                    needed);
        });
  if (failure)
    return failure;
  kernel = {module, made, {}};
  kernels.insert({module, made});
  uint64_t localBytes = 0;
  failure = checkLocalMemory(made, localBytes);
  kernel.facts.sharedBytes = static_cast<int>(localBytes);
  return failure;
}

OpenClDevice::Failure OpenClDevice::checkLocalMemory(ClKernel kernel,
                                                     uint64_t &bytes) const {
  if (auto failure = check(
          api.getKernelWorkGroupInfo(kernel, named.device, ClKernelLocalMemSize,
                                     sizeof bytes, &bytes, nullptr),
          "clGetKernelWorkGroupInfo", Status::LaunchFailed))
    return failure;
  if (bytes <= deviceFacts.localBytes)
    return std::nullopt;
  return DeviceFailure{Status::OutOfMemory,
                       "a work-group needs " + std::to_string(bytes) +
                           " bytes of local memory, but the device has " +
                           std::to_string(deviceFacts.localBytes)};
}

OpenClDevice::Failure
OpenClDevice::checkSizes(const DeviceKernel &kernel,
                         std::span<const size_t> local) const {
  auto *function = static_cast<ClKernel>(kernel.function);
  uint64_t bytes = 0;
  if (auto failure = checkLocalMemory(function, bytes))
    return failure;
  if (local.empty())
    return std::nullopt;
  size_t items = 1;
  for (size_t i = 0; i < local.size(); ++i) {
    if (local[i] > deviceFacts.items[i])
      return DeviceFailure{Status::LaunchFailed,
                           "local size " + std::to_string(i) + " is " +
                               std::to_string(local[i]) +
                               ", but the device takes up to " +
                               std::to_string(deviceFacts.items[i])};
    if (__builtin_mul_overflow(items, local[i], &items))
      items = SIZE_MAX;
  }
  std::string group =
      "a work-group has " + std::to_string(items) + " work-items, but the ";
  if (items > deviceFacts.threads)
    return DeviceFailure{Status::LaunchFailed,
                         group + "device takes up to " +
                             std::to_string(deviceFacts.threads)};
  size_t resident = 0;
  api.getKernelWorkGroupInfo(function, named.device, ClKernelWorkGroupSize,
                             sizeof resident, &resident, nullptr);
  if (resident > 0 && items > resident)
    return DeviceFailure{Status::OutOfMemory,
                         group + "device has resources for " +
                             std::to_string(resident) + " of this kernel"};
  return std::nullopt;
}

uint32_t OpenClDevice::numArguments(const DeviceKernel &kernel) const {
  uint32_t count = 0;
  api.getKernelInfo(static_cast<ClKernel>(kernel.function), ClKernelNumArgs,
                    sizeof count, &count, nullptr);
  return count;
}

OpenClDevice::Failure OpenClDevice::pass(const DeviceKernel &kernel,
                                         uint32_t index, size_t bytes,
                                         const void *value) {
  return check(api.setKernelArg(static_cast<ClKernel>(kernel.function), index,
                                bytes, value),
               "clSetKernelArg", Status::LaunchFailed);
}

OpenClDevice::Failure OpenClDevice::pass(const DeviceKernel &kernel,
                                         uint32_t index,
                                         DeviceAddress address) {
  ClMemory memory = find(address).memory;
  return pass(kernel, index, sizeof memory, &memory);
}

OpenClDevice::Failure
OpenClDevice::enqueue(const DeviceKernel &kernel, const LaunchSizes &launch,
                      const std::vector<LaunchOperand> &operands) {
  uint32_t index = 0;
  for (const LaunchOperand &operand : operands) {
    uint64_t word = operand.word;
    if (operand.isAddress) {
      if (auto failure = pass(kernel, index++, operand.word))
        return failure;
      word = find(operand.word).offset;
    }
    if (auto failure = pass(kernel, index++, sizeof word, &word))
      return failure;
  }
  std::array<size_t, 3> global, local;
  for (int i = 0; i < 3; ++i) {
    local[i] = launch.block[i];
    global[i] = size_t(launch.grid[i]) * launch.block[i];
  }
  return enqueue(kernel, global, local);
}

OpenClDevice::Failure OpenClDevice::enqueue(const DeviceKernel &kernel,
                                            std::span<const size_t> global,
                                            std::span<const size_t> local) {
  ClEvent event = nullptr;
  auto failure =
      check(api.enqueueNDRangeKernel(
                queue, static_cast<ClKernel>(kernel.function),
                static_cast<uint32_t>(global.size()), nullptr, global.data(),
                local.empty() ? nullptr : local.data(), 0, nullptr,
                isTiming ? &event : nullptr),
            "clEnqueueNDRangeKernel", Status::LaunchFailed);
  if (event)
    events.push_back(event);
  return failure;
}

OpenClDevice::Failure OpenClDevice::capture(const std::function<Failure()> &,
                                            DeviceGraph &) {
  return DeviceFailure{Status::LaunchFailed, "OpenCL 1.2 has no graphs"};
}

OpenClDevice::Failure OpenClDevice::enqueue(const DeviceGraph &) {
  return DeviceFailure{Status::LaunchFailed, "OpenCL 1.2 has no graphs"};
}

void OpenClDevice::releaseEvents() {
  for (ClEvent event : events)
    api.releaseEvent(event);
  events.clear();
}

OpenClDevice::Failure OpenClDevice::startTiming() {
  releaseEvents();
  isTiming = true;
  return std::nullopt;
}

OpenClDevice::Failure OpenClDevice::stopTiming(float &milliseconds) {
  isTiming = false;
  auto failure = check(api.finish(queue), "clFinish", Status::DeviceFault);
  double nanoseconds = 0;
  for (ClEvent event : events) {
    // A kernel that failed has a negative status.
    int32_t status = 0;
    uint64_t start = 0, end = 0;
    if (!failure)
      failure = check(api.getEventInfo(event, ClEventStatus, sizeof status,
                                       &status, nullptr),
                      "clGetEventInfo", Status::DeviceFault);
    if (!failure && status < 0)
      failure = check(status, "a kernel", Status::DeviceFault);
    for (auto [what, time] :
         {std::pair(ClProfilingStart, &start), std::pair(ClProfilingEnd, &end)})
      if (!failure)
        failure = check(
            api.getEventProfilingInfo(event, what, sizeof *time, time, nullptr),
            "clGetEventProfilingInfo", Status::DeviceFault);
    nanoseconds += static_cast<double>(end - start);
  }
  releaseEvents();
  milliseconds = static_cast<float>(nanoseconds * 1e-6);
  return failure;
}
