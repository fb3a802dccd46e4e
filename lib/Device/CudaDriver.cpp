//===- CudaDriver.cpp - NVIDIA's driver, loaded at run time ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types and numbers are those of CUDA's driver API, whose ABI doesn't change.
//
//===----------------------------------------------------------------------===//

#include "baco/Device/CudaDriver.h"

#include "baco/Device/FunctionFinder.h"

#include <algorithm>
#include <dlfcn.h>
#include <optional>
#include <tuple>
#include <type_traits>

using namespace baco;
using namespace baco::runtime;

namespace {
// CUresult
constexpr int success = 0, outOfMemory = 2, noDevice = 100;
/// Errors after which "the process must be terminated and relaunched", as
/// cuda.h says, or of which all that is known is that the hardware or the
/// driver failed.
constexpr int stickyErrors[] = {
    214, // uncorrectable ECC error
    220, // uncorrectable NVLink error
    226, // contained error
    700, // illegal address
    702, // launch timeout
    709, // the context is destroyed
    710, // assert
    714, // hardware stack error
    715, // illegal instruction
    716, // misaligned address
    717, // invalid address space
    718, // invalid program counter
    719, // launch failed
    721, // tensor memory leak
    810, // MPS client terminated
    911, // external device
    999, // unknown
};
// CUdevice_attribute
constexpr int attributeClock = 13, attributeMultiprocessors = 16,
              attributeMemoryClock = 36, attributeL2 = 38, attributeMajor = 75,
              attributeMinor = 76, attributeShared = 97;
// CUfunction_attribute
constexpr int functionShared = 1, functionLocal = 3, functionRegisters = 4,
              functionDynamicShared = 8;
// CUjit_option
constexpr int jitErrorLog = 5, jitErrorLogBytes = 6;
/// Beyond this, a kernel asks for dynamic shared memory.
constexpr unsigned defaultSharedBytes = 48 * 1024;

/// The first line of what the compiler says, for one line of ours.
std::string firstLine(const std::string &text) {
  return text.substr(0, text.find_first_of("\r\n"));
}

/// As nvidia-smi does; `kind` is "GPU" or "MIG".
std::string writeUuid(const char *kind, const unsigned char (&bytes)[16]) {
  std::string text = kind;
  for (int i = 0; i < 16; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10)
      text += '-';
    for (int digit : {bytes[i] >> 4, bytes[i] & 15})
      text += "0123456789abcdef"[digit];
  }
  return text;
}
} // namespace

struct CudaDevice::Api {
  explicit Api(void *library) : find(library) {}

  FunctionFinder find;
  int (*init)(unsigned) = find("cuInit");
  int (*driverGetVersion)(int *) = find("cuDriverGetVersion");
  int (*getErrorName)(int, const char **) = find("cuGetErrorName");
  int (*deviceGetCount)(int *) = find("cuDeviceGetCount");
  int (*deviceGet)(int *, int) = find("cuDeviceGet");
  int (*deviceGetName)(char *, int, int) = find("cuDeviceGetName");
  int (*deviceGetAttribute)(int *, int, int) = find("cuDeviceGetAttribute");
  int (*primaryRetain)(void **, int) = find("cuDevicePrimaryCtxRetain");
  int (*primaryRelease)(int) = find("cuDevicePrimaryCtxRelease_v2");
  int (*setCurrent)(void *) = find("cuCtxSetCurrent");
  int (*synchronize)() = find("cuCtxSynchronize");
  /// That of the GPU, and that of its part, if the device is one.
  int (*deviceGetUuid)(char *,
                       int) = find("cuDeviceGetUuid"),
                       (*deviceGetUuid2)(char *,
                                         int) = find("cuDeviceGetUuid_v2");
  int (*memAlloc)(DeviceAddress *, size_t) = find("cuMemAlloc_v2");
  int (*memFree)(DeviceAddress) = find("cuMemFree_v2");
  int (*memset)(DeviceAddress, unsigned char, size_t) = find("cuMemsetD8_v2");
  int (*copyToDevice)(DeviceAddress, const void *,
                      size_t) = find("cuMemcpyHtoD_v2");
  int (*copy)(DeviceAddress, DeviceAddress, size_t) = find("cuMemcpy");
  int (*copyFromDevice)(void *, DeviceAddress,
                        size_t) = find("cuMemcpyDtoH_v2");
  int (*moduleLoad)(void **, const void *, unsigned, int *,
                    void **) = find("cuModuleLoadDataEx");
  int (*moduleUnload)(void *) = find("cuModuleUnload");
  int (*moduleGetFunction)(void **, void *,
                           const char *) = find("cuModuleGetFunction");
  int (*functionGetAttribute)(int *, int, void *) = find("cuFuncGetAttribute");
  int (*functionSetAttribute)(void *, int, int) = find("cuFuncSetAttribute");
  int (*launchKernel)(void *, unsigned, unsigned, unsigned, unsigned, unsigned,
                      unsigned, unsigned, void *, void **,
                      void **) = find("cuLaunchKernel");
  int (*streamCreate)(void **, unsigned) = find("cuStreamCreate");
  int (*beginCapture)(void *, int) = find("cuStreamBeginCapture_v2");
  int (*endCapture)(void *, void **) = find("cuStreamEndCapture");
  int (*graphInstantiate)(void **, void *, unsigned long long) =
      find("cuGraphInstantiateWithFlags");
  int (*graphUpload)(void *, void *) = find("cuGraphUpload");
  int (*graphLaunch)(void *, void *) = find("cuGraphLaunch");
  int (*graphExecDestroy)(void *) = find("cuGraphExecDestroy"),
                               (*graphDestroy)(void *) = find("cuGraphDestroy");
  int (*eventCreate)(void **, unsigned) = find("cuEventCreate");
  int (*eventRecord)(void *, void *) = find("cuEventRecord");
  int (*eventSynchronize)(void *) = find("cuEventSynchronize");
  int (*eventElapsedTime)(float *, void *, void *) = find("cuEventElapsedTime");
};

CudaDevice::CudaDevice() = default;

CudaDevice::~CudaDevice() {
  // Frees memory, modules and events, too. The library stays: its own threads
  // may still run.
  if (context)
    api->primaryRelease(device);
}

std::optional<DeviceFailure> CudaDevice::check(int code, const char *call,
                                               Status status) const {
  if (code == success)
    return std::nullopt;
  const char *name = nullptr;
  api->getErrorName(code, &name);
  DeviceFailure failure = {status,
                           std::string(call) + ": " +
                               (name ? name : "error " + std::to_string(code))};
  failure.isSticky =
      std::ranges::find(stickyErrors, code) != std::ranges::end(stickyErrors);
  if (failure.isSticky)
    failure.status = Status::DeviceFault;
  else if (code == outOfMemory)
    failure.status = Status::OutOfMemory;
  return failure;
}

Result<std::unique_ptr<CudaDevice>>
CudaDevice::open(int index, const std::string &library) {
  std::unique_ptr<CudaDevice> device(new CudaDevice());
  Result<int> count = device->connect(library);
  if (!count)
    return count.error();
  if (index < 0 || index >= *count)
    return Error{ErrorCode::NotFound, "there is no GPU " +
                                          std::to_string(index) +
                                          "; the NVIDIA driver has GPUs 0 to " +
                                          std::to_string(*count - 1)};
  if (Result<void> opened = device->openContext(index); !opened)
    return opened.error();
  return device;
}

Result<std::unique_ptr<CudaDevice>>
CudaDevice::openByUuid(const std::string &uuid, const std::string &library) {
  std::unique_ptr<CudaDevice> device(new CudaDevice());
  Result<int> count = device->connect(library);
  if (!count)
    return count.error();
  for (int index = 0; index < *count; ++index) {
    Result<CudaDeviceFacts> facts = device->readFacts(index);
    if (!facts || facts->uuid != uuid)
      continue;
    if (Result<void> opened = device->openContext(index); !opened)
      return opened.error();
    return device;
  }
  return Error{ErrorCode::NotFound, "the NVIDIA driver doesn't find " + uuid +
                                        " any more; see 'nvidia-smi'"};
}

Result<std::vector<CudaDeviceFacts>>
CudaDevice::list(const std::string &library) {
  CudaDevice driver;
  Result<int> count = driver.connect(library);
  if (!count)
    return count.error();
  std::vector<CudaDeviceFacts> all;
  for (int index = 0; index < *count; ++index) {
    Result<CudaDeviceFacts> facts = driver.readFacts(index);
    if (!facts)
      return facts.error();
    all.push_back(std::move(*facts));
  }
  return all;
}

static Error refusal(const DeviceFailure &failure) {
  return {ErrorCode::IOError, "the NVIDIA driver refuses: " + failure.message};
}

/// Loads the driver; how many devices it has, at least one.
Result<int> CudaDevice::connect(const std::string &path) {
  library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return Error{ErrorCode::NotFound,
                 std::string("there is no NVIDIA driver (") + dlerror() +
                     "); install it, or use a machine that has one"};
  api = std::make_unique<Api>(library);
  if (const char *missing = api->find.missing())
    return Error{ErrorCode::Unsupported,
                 "the NVIDIA driver is too old: " + path + " has no " +
                     missing + "; install a newer one"};
  int code = api->init(0);
  int count = 0;
  if (code == success)
    code = api->deviceGetCount(&count);
  if (code == noDevice || (code == success && count == 0))
    return Error{ErrorCode::NotFound, "the NVIDIA driver finds no GPU; see "
                                      "'nvidia-smi' and CUDA_VISIBLE_DEVICES"};
  if (auto failure = check(code, "cuInit", Status::DeviceFault))
    return refusal(*failure);
  return count;
}

Result<void> CudaDevice::openContext(int index) {
  const auto fault = Status::DeviceFault;
  if (auto failure =
          check(api->deviceGet(&device, index), "cuDeviceGet", fault))
    return refusal(*failure);
  void *retained = nullptr;
  if (auto failure = check(api->primaryRetain(&retained, device),
                           "cuDevicePrimaryCtxRetain", fault))
    return refusal(*failure);
  context = retained;
  if (auto failure = check(api->setCurrent(context), "cuCtxSetCurrent", fault))
    return refusal(*failure);
  // Not one that runs beside others: copies would overtake it.
  if (auto failure =
          check(api->streamCreate(&stream, 0), "cuStreamCreate", fault))
    return refusal(*failure);
  for (void **event : {&before, &behind})
    if (auto failure =
            check(api->eventCreate(event, 0), "cuEventCreate", fault))
      return refusal(*failure);
  Result<CudaDeviceFacts> facts = readFacts(index);
  if (!facts)
    return facts.error();
  deviceFacts = std::move(*facts);
  return {};
}

bool CudaDeviceFacts::isSameModel(const CudaDeviceFacts &other) const {
  auto model = [](const CudaDeviceFacts &facts) {
    return std::tie(facts.name, facts.capabilityMajor, facts.capabilityMinor,
                    facts.multiprocessors, facts.l2Bytes, facts.maxSharedBytes,
                    facts.clockKHz, facts.memoryClockKHz);
  };
  return model(*this) == model(other);
}

Result<CudaDeviceFacts> CudaDevice::readFacts(int index) const {
  int device = -1;
  if (auto failure = check(api->deviceGet(&device, index), "cuDeviceGet",
                           Status::DeviceFault))
    return refusal(*failure);
  CudaDeviceFacts deviceFacts;
  // A fact that can't be read must not be taken for 0.
  std::optional<DeviceFailure> failed;
  auto expect = [&](int code, const std::string &call) {
    if (!failed)
      failed = check(code, call.c_str(), Status::DeviceFault);
  };
  char name[256] = "";
  expect(api->deviceGetName(name, sizeof(name) - 1, device), "cuDeviceGetName");
  deviceFacts.name = name;
  unsigned char whole[16] = {}, own[16] = {};
  expect(api->deviceGetUuid(reinterpret_cast<char *>(whole), device),
         "cuDeviceGetUuid");
  expect(api->deviceGetUuid2(reinterpret_cast<char *>(own), device),
         "cuDeviceGetUuid_v2");
  deviceFacts.uuid =
      writeUuid(std::ranges::equal(whole, own) ? "GPU" : "MIG", own);
  expect(api->driverGetVersion(&deviceFacts.driverVersion),
         "cuDriverGetVersion");
  auto read = [&](int attribute) {
    int value = 0;
    expect(api->deviceGetAttribute(&value, attribute, device),
           "cuDeviceGetAttribute(" + std::to_string(attribute) + ")");
    return value;
  };
  deviceFacts.capabilityMajor = read(attributeMajor);
  deviceFacts.capabilityMinor = read(attributeMinor);
  deviceFacts.multiprocessors = read(attributeMultiprocessors);
  deviceFacts.l2Bytes = read(attributeL2);
  deviceFacts.maxSharedBytes = read(attributeShared);
  deviceFacts.clockKHz = read(attributeClock);
  deviceFacts.memoryClockKHz = read(attributeMemoryClock);
  if (failed)
    return refusal(*failed);
  return deviceFacts;
}

std::optional<DeviceFailure> CudaDevice::allocate(size_t bytes,
                                                  DeviceAddress &address) {
  return check(api->memAlloc(&address, bytes), "cuMemAlloc",
               Status::OutOfMemory);
}

std::optional<DeviceFailure> CudaDevice::write(DeviceAddress to,
                                               const void *from, size_t bytes) {
  return check(api->copyToDevice(to, from, bytes), "cuMemcpyHtoD",
               Status::DeviceFault);
}

std::optional<DeviceFailure>
CudaDevice::copy(DeviceAddress to, DeviceAddress from, size_t bytes) {
  return check(api->copy(to, from, bytes), "cuMemcpy", Status::DeviceFault);
}

std::optional<DeviceFailure> CudaDevice::read(void *to, DeviceAddress from,
                                              size_t bytes) {
  return check(api->copyFromDevice(to, from, bytes), "cuMemcpyDtoH",
               Status::DeviceFault);
}

void CudaDevice::free(DeviceAddress address) { api->memFree(address); }

std::optional<DeviceFailure>
CudaDevice::fill(DeviceAddress to, unsigned char value, size_t bytes) {
  return check(api->memset(to, value, bytes), "cuMemsetD8",
               Status::DeviceFault);
}

std::optional<DeviceFailure> CudaDevice::load(const std::string &image,
                                              void *&module) {
  std::string log(4096, '\0');
  int options[] = {jitErrorLog, jitErrorLogBytes};
  void *values[] = {
      log.data(), reinterpret_cast<void *>(static_cast<uintptr_t>(log.size()))};
  auto failure =
      check(api->moduleLoad(&module, image.c_str(), 2, options, values),
            "cuModuleLoadDataEx", Status::CompileFailed);
  if (!failure)
    return std::nullopt;
  module = nullptr;
  if (std::string text = firstLine(log.c_str()); !text.empty())
    failure->message += ": " + text;
  return failure;
}

void CudaDevice::unload(void *module) { api->moduleUnload(module); }

std::optional<DeviceFailure> CudaDevice::find(void *module,
                                              const std::string &name,
                                              unsigned dynamicSharedBytes,
                                              DeviceKernel &kernel) {
  kernel.module = module;
  if (auto failure =
          check(api->moduleGetFunction(&kernel.function, module, name.c_str()),
                "cuModuleGetFunction", Status::CompileFailed))
    return failure;
  const std::pair<int &, int> facts[] = {
      {kernel.facts.registers, functionRegisters},
      {kernel.facts.localBytes, functionLocal},
      {kernel.facts.sharedBytes, functionShared}};
  for (auto [value, attribute] : facts)
    if (auto failure =
            check(api->functionGetAttribute(&value, attribute, kernel.function),
                  "cuFuncGetAttribute", Status::LaunchFailed))
      return failure;
  if (dynamicSharedBytes <= defaultSharedBytes)
    return std::nullopt;
  return check(api->functionSetAttribute(kernel.function, functionDynamicShared,
                                         static_cast<int>(dynamicSharedBytes)),
               "cuFuncSetAttribute", Status::LaunchFailed);
}

std::optional<DeviceFailure>
CudaDevice::enqueue(const DeviceKernel &kernel, const LaunchSizes &launch,
                    const std::vector<LaunchOperand> &operands) {
  std::vector<LaunchOperand> values = operands;
  std::vector<void *> pointers;
  for (LaunchOperand &value : values)
    pointers.push_back(&value.word);
  return enqueue(kernel, launch, pointers.data());
}

std::optional<DeviceFailure> CudaDevice::enqueue(const DeviceKernel &kernel,
                                                 const LaunchSizes &launch,
                                                 void **arguments) {
  return check(api->launchKernel(kernel.function, launch.grid[0],
                                 launch.grid[1], launch.grid[2],
                                 launch.block[0], launch.block[1],
                                 launch.block[2], launch.dynamicSharedBytes,
                                 stream, arguments, nullptr),
               "cuLaunchKernel", Status::LaunchFailed);
}

std::optional<DeviceFailure> CudaDevice::capture(
    const std::function<std::optional<DeviceFailure>()> &enqueueAll,
    DeviceGraph &graph) {
  // Only this thread uses the driver.
  constexpr int captureModeThreadLocal = 1;
  const auto fails = Status::LaunchFailed;
  if (auto failure = check(api->beginCapture(stream, captureModeThreadLocal),
                           "cuStreamBeginCapture", fails))
    return failure;
  auto refused = enqueueAll();
  void *captured = nullptr;
  int code = api->endCapture(stream, &captured);
  auto failure = refused ? refused : check(code, "cuStreamEndCapture", fails);
  if (!failure)
    failure = check(api->graphInstantiate(&graph.executable, captured, 0),
                    "cuGraphInstantiate", fails);
  if (captured)
    api->graphDestroy(captured);
  if (failure)
    return failure;
  // Not when it is timed.
  return check(api->graphUpload(graph.executable, stream), "cuGraphUpload",
               fails);
}

std::optional<DeviceFailure> CudaDevice::enqueue(const DeviceGraph &graph) {
  return check(api->graphLaunch(graph.executable, stream), "cuGraphLaunch",
               Status::LaunchFailed);
}

void CudaDevice::destroy(DeviceGraph &graph) {
  if (graph.executable)
    api->graphExecDestroy(graph.executable);
  graph.executable = nullptr;
}

std::optional<DeviceFailure> CudaDevice::synchronize() {
  return check(api->synchronize(), "cuCtxSynchronize", Status::DeviceFault);
}

std::optional<DeviceFailure> CudaDevice::startTiming() {
  return check(api->eventRecord(before, stream), "cuEventRecord",
               Status::DeviceFault);
}

std::optional<DeviceFailure> CudaDevice::stopTiming(float &milliseconds) {
  const auto fault = Status::DeviceFault;
  if (auto failure =
          check(api->eventRecord(behind, stream), "cuEventRecord", fault))
    return failure;
  if (auto failure =
          check(api->eventSynchronize(behind), "cuEventSynchronize", fault))
    return failure;
  return check(api->eventElapsedTime(&milliseconds, before, behind),
               "cuEventElapsedTime", fault);
}

DeviceIdentity CudaDevice::identity() const {
  const CudaDeviceFacts &facts = deviceFacts;
  std::string chip = "sm_" + std::to_string(facts.capabilityMajor) +
                     std::to_string(facts.capabilityMinor);
  std::string version = std::to_string(facts.driverVersion / 1000) + "." +
                        std::to_string(facts.driverVersion % 1000 / 10);
  return {facts.name + " (" + chip + ", " + facts.uuid + ", CUDA " + version +
              ")",
          facts.uuid, facts.capabilityMajor, facts.capabilityMinor};
}

/// Thread i reads the i-th 16 bytes. Volatile, because nothing uses them.
static constexpr const char *ptx = R"(.version 6.0
.target sm_70
.address_size 64
.visible .entry baco_read(.param .u64 memory)
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [memory];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.u32 %r1, %r2, 256, %r1;
  mul.wide.u32 %rd2, %r1, 16;
  add.u64 %rd3, %rd1, %rd2;
  ld.volatile.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd3];
  ret;
}
)";

MemoryReader CudaDevice::memoryReader() const { return {ptx, "baco_read"}; }
