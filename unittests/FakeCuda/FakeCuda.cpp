//===- FakeCuda.cpp - A driver without a GPU, for tests -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of libcuda.so.1 that baco calls. Kernels are run by baco's
// emulator from their PTX (PtxModule.h), so that a wrong kernel has wrong
// results here, too. The environment says what the GPU is like:
//
//   FAKE_CUDA           words as `fault@256`: launches with that many threads
//                       in a block (0: all) end so, see below
//   FAKE_CUDA_DEVICES   names of the devices, with commas between ("Fake GPU")
//   FAKE_NO_DEVICE      there is none
//   FAKE_CUDA_UUID      the first byte of UUIDs
//   FAKE_CUDA_MIG       the devices are instances of one GPU
//   FAKE_CUDA_CHIP      the compute capability (90)
//   FAKE_CUDA_ATTRIBUTE the device attribute that isn't known
//   FAKE_CUDA_MEMORY    the most bytes that can be allocated at once
//   FAKE_CUDA_REGISTERS of each kernel's threads (62)
//   FAKE_CUDA_BLOCK     what a block takes, in ns (100000)
//   FAKE_CUDA_LAUNCH    what a call that queues something takes on the host
//   FAKE_CUDA_LATENCY   from such a call to the begin on a GPU that is idle
//   FAKE_CUDA_L2        bytes of L2 cache (65536)
//   FAKE_CUDA_MISS      what a line takes that isn't in it, in ns
//   FAKE_CUDA_WRITEBACK what a changed line takes that leaves it, in ns
//   FAKE_CUDA_LOG       a file that gets a line for each cuInit,
//   FAKE_CUDA_LOADS     for each module, with its device,
//   FAKE_CUDA_FAULTS    and for each launch that the emulator has stopped
//
// The words are names of errors of the driver in small letters (`ecc`,
// `nvlink`, `leak`, `fault`), `hang`, `crash`, `refuse` (at the launch),
// `wrong` (changes an element that the kernel has written), `outside` (one
// behind these), `input` (one that it has only read), `meet` (makes the file
// $FAKE_CUDA_MEET.DEVICE, and waits until each device has one), or `stuck`:
// hangs, and its process doesn't end when it is killed, as with a driver that
// waits for the GPU, until there is the file $FAKE_CUDA_RELEASE or the
// process's parent is gone.
//
//===----------------------------------------------------------------------===//

#include "FakeGpu.h"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <unistd.h>

using namespace baco;
using namespace baco::fake;

using Address = unsigned long long;

namespace {
constexpr int invalidValue = 1, outOfMemory = 2, noDevice = 100, ecc = 214,
              invalidPtx = 218, nvlink = 220, notFound = 500,
              illegalAddress = 700, outOfResources = 701, misaligned = 716,
              launchFailed = 719, tensorLeak = 721, captureUnsupported = 900;

const std::map<int, const char *> errorNames = {
    {invalidValue, "CUDA_ERROR_INVALID_VALUE"},
    {outOfMemory, "CUDA_ERROR_OUT_OF_MEMORY"},
    {ecc, "CUDA_ERROR_ECC_UNCORRECTABLE"},
    {invalidPtx, "CUDA_ERROR_INVALID_PTX"},
    {nvlink, "CUDA_ERROR_NVLINK_UNCORRECTABLE"},
    {notFound, "CUDA_ERROR_NOT_FOUND"},
    {illegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS"},
    {outOfResources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
    {misaligned, "CUDA_ERROR_MISALIGNED_ADDRESS"},
    {launchFailed, "CUDA_ERROR_LAUNCH_FAILED"},
    {tensorLeak, "CUDA_ERROR_TENSOR_MEMORY_LEAK"},
    {captureUnsupported, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"}};

const std::map<std::string, int> errorsOfWords = {{"fault", illegalAddress},
                                                  {"ecc", ecc},
                                                  {"nvlink", nvlink},
                                                  {"leak", tensorLeak}};

constexpr unsigned defaultShared = 48 * 1024, mostShared = 232448;

struct Function {
  const PtxKernel *kernel;
  unsigned dynamicLimit = defaultShared;
};
/// A launch with its arguments.
struct Launch {
  const Function *function;
  runtime::LaunchSizes sizes;
  std::vector<std::byte> arguments;
};
using Graph = std::vector<Launch>;
struct Event {
  int64_t at = 0;
};

/// What a context has: it ends with it.
struct Context {
  /// Sizes of allocations by their beginnings.
  std::map<Address, size_t> allocations;
  std::map<void *, std::unique_ptr<PtxModule>> modules;
  std::vector<std::unique_ptr<Function>> functions;
  std::vector<std::unique_ptr<Event>> events;
  std::set<std::unique_ptr<Graph>> graphs;
  FakeClock clock;
  FakeCache cache{numberFrom("FAKE_CUDA_L2", 65536)};
  uint64_t numLaunches = 0;
  /// The launches of a stream that is captured.
  std::unique_ptr<Graph> captured;
  /// What the last kernel does instead of ending; `broken` is what all calls
  /// return once somebody has waited for an error.
  std::string pending;
  int pendingError = 0, broken = 0;
};
/// Never destroyed: the driver's functions may be called at the very end.
Context &context() {
  static auto *made = new Context;
  return *made;
}
/// The device that this process has opened.
int opened = 0;

void addLine(const char *variable, const std::string &line) {
  if (const char *name = std::getenv(variable))
    if (FILE *file = std::fopen(name, "ae")) {
      std::fputs((line + "\n").c_str(), file);
      std::fclose(file);
    }
}

/// One for each device.
std::vector<std::string> deviceNames() {
  const char *all = std::getenv("FAKE_CUDA_DEVICES");
  std::istringstream list(all ? all : "Fake GPU");
  std::vector<std::string> names;
  for (std::string name; std::getline(list, name, ',');)
    names.push_back(name);
  return names;
}

/// Waits until all devices are here.
void meetOthers() {
  const char *prefix = std::getenv("FAKE_CUDA_MEET");
  if (!prefix)
    return;
  auto fileOf = [&](size_t device) {
    return std::string(prefix) + "." + std::to_string(device);
  };
  std::ofstream(fileOf(opened)) << "here";
  for (size_t device = 0; device < deviceNames().size(); ++device)
    while (access(fileOf(device).c_str(), F_OK) != 0)
      usleep(1000);
}

/// The word of $FAKE_CUDA for a block of so many threads; empty if there is
/// none.
std::string behaviorOf(unsigned threads) {
  const char *all = std::getenv("FAKE_CUDA");
  std::string rest = all ? all : "";
  while (!rest.empty()) {
    std::string word = rest.substr(0, rest.find(','));
    rest.erase(0, word.size() + 1);
    size_t at = word.find('@');
    unsigned wanted = std::atoi(word.c_str() + at + 1);
    if (wanted == 0 || wanted == threads)
      return word.substr(0, at);
  }
  return "";
}

/// A process that another one traces can't be reaped by its parent.
void getStuck() {
  pid_t self = getpid(), parent = getppid();
  int ready[2];
  if (pipe(ready) != 0)
    std::abort();
  pid_t tracer = fork();
  if (tracer == 0) {
    char go = 0;
    if (read(ready[0], &go, 1) != 1 ||
        ptrace(PTRACE_SEIZE, self, nullptr, nullptr) != 0)
      _exit(1);
    const char *release = std::getenv("FAKE_CUDA_RELEASE");
    while (kill(parent, 0) == 0 && !(release && access(release, F_OK) == 0))
      usleep(5000);
    _exit(0);
  }
  // Some systems let only descendants be traced.
  prctl(PR_SET_PTRACER, tracer);
  if (write(ready[1], "", 1) != 1)
    std::abort();
}

/// Sees what a launch reads and writes, for the cache and for `disturb`.
class LaunchObserver final : public PtxObserver {
public:
  explicit LaunchObserver(FakeCache &cache)
      : cache(cache), isCached(numberFrom("FAKE_CUDA_MISS", 0) > 0 ||
                               numberFrom("FAKE_CUDA_WRITEBACK", 0) > 0) {}

  void access(const std::byte *address, size_t bytes, bool isWrite) override {
    if (isCached)
      cache.access(address, bytes, isWrite);
    auto begin = reinterpret_cast<Address>(address);
    Range &range = isWrite ? written : onlyRead;
    range.begin = std::min(range.begin, begin);
    range.end = std::max(range.end, begin + bytes);
  }

  struct Range {
    Address begin = ~Address(0), end = 0;
  };
  Range written, onlyRead;

private:
  FakeCache &cache;
  bool isCached;
};

/// Does what the words `wrong`, `outside` and `input` say.
void disturb(const std::string &behavior, const LaunchObserver &seen) {
  auto add = [](Address at, float value) {
    *reinterpret_cast<float *>(at) += value;
  };
  if (seen.written.end == 0)
    return;
  if (behavior == "wrong")
    add(seen.written.begin + 5 * sizeof(float), 0.25F);
  if (behavior == "outside")
    *reinterpret_cast<float *>(seen.written.end) = 1;
  if (behavior == "input" && seen.onlyRead.end != 0)
    add(seen.onlyRead.begin, 1);
}

/// What becomes of a launch that the emulator has stopped.
void fail(Context &now, const runtime::EmulatedFailure &failure) {
  addLine("FAKE_CUDA_FAULTS", failure.message);
  if (failure.status == Status::TimedOut)
    now.pending = "hang";
  else if (failure.message.find("isn't a multiple of") != std::string::npos)
    now.pendingError = misaligned;
  else if (failure.status == Status::Crashed)
    now.pendingError = launchFailed;
  else
    now.pendingError = illegalAddress;
}

/// Whether the GPU is still busy with what never ends.
bool isStopped(const Context &now) {
  return now.pendingError != 0 || now.pending == "hang" ||
         now.pending == "stuck" || now.pending == "crash";
}

/// Runs a launch; `isQueued` by the host, not by a graph.
int run(const Launch &launch, bool isQueued) {
  Context &now = context();
  // What has happened stays until somebody waits.
  if (isStopped(now))
    return 0;
  const auto &block = launch.sizes.block, &grid = launch.sizes.grid;
  std::string behavior = behaviorOf(block[0] * block[1] * block[2]);
  if (behavior == "meet")
    meetOthers();
  if (auto error = errorsOfWords.find(behavior); error != errorsOfWords.end())
    now.pendingError = error->second;
  now.pending = behavior;
  if (isStopped(now))
    return 0;
  std::vector<runtime::EmulatedBuffer> buffers;
  for (auto [address, bytes] : now.allocations)
    buffers.push_back({"memory of " + std::to_string(bytes) + " bytes",
                       reinterpret_cast<std::byte *>(address), bytes});
  for (auto &[handle, module] : now.modules)
    for (auto &[name, contents] : module->variables)
      buffers.push_back(
          {"variable '" + name + "'", contents.data(), contents.size()});
  int64_t misses = now.cache.misses, writeBacks = now.cache.writeBacks;
  LaunchObserver observer(now.cache);
  if (auto failure = launch.function->kernel->launch(
          launch.sizes, launch.arguments.data(), buffers, ++now.numLaunches,
          &observer)) {
    fail(now, *failure);
    return 0;
  }
  disturb(behavior, observer);
  int64_t durationNs =
      numberFrom("FAKE_CUDA_BLOCK", 100'000) * grid[0] * grid[1] * grid[2] +
      numberFrom("FAKE_CUDA_MISS", 0) * (now.cache.misses - misses) +
      numberFrom("FAKE_CUDA_WRITEBACK", 0) *
          (now.cache.writeBacks - writeBacks);
  isQueued ? now.clock.queue(durationNs) : now.clock.follow(durationNs);
  return 0;
}

/// Whether a device would take a launch.
int check(const Launch &launch) {
  const auto &block = launch.sizes.block, &grid = launch.sizes.grid;
  const PtxKernel &kernel = *launch.function->kernel;
  uint64_t threads = uint64_t(block[0]) * block[1] * block[2];
  if (launch.sizes.dynamicSharedBytes > launch.function->dynamicLimit ||
      grid[1] > 65535 || grid[2] > 65535 || threads == 0 || grid[0] == 0 ||
      grid[1] == 0 || grid[2] == 0 ||
      kernel.sharedBytes + launch.sizes.dynamicSharedBytes > mostShared)
    return invalidValue;
  constexpr uint64_t registersOfBlock = 65536;
  uint64_t registers = numberFrom("FAKE_CUDA_REGISTERS", 62);
  if (threads > 1024 || (kernel.maxThreads && threads > kernel.maxThreads) ||
      threads * registers > registersOfBlock ||
      behaviorOf(static_cast<unsigned>(threads)) == "refuse")
    return outOfResources;
  return 0;
}

void setMemory(Address to, unsigned char value, size_t bytes) {
  std::memset(reinterpret_cast<void *>(to), value, bytes);
  context().cache.access(reinterpret_cast<std::byte *>(to), bytes, true);
}
} // namespace

// The names are those of the driver.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
int cuInit(unsigned) {
  addLine("FAKE_CUDA_LOG", "cuInit");
  return std::getenv("FAKE_NO_DEVICE") ? noDevice : 0;
}
int cuDriverGetVersion(int *version) {
  *version = 13000;
  return 0;
}
int cuGetErrorName(int code, const char **name) {
  auto found = errorNames.find(code);
  *name = found == errorNames.end() ? nullptr : found->second;
  return *name ? 0 : invalidValue;
}
int cuDeviceGetCount(int *count) {
  *count = static_cast<int>(deviceNames().size());
  return 0;
}
int cuDeviceGet(int *device, int index) {
  *device = index;
  return 0;
}
int cuDeviceGetName(char *name, int length, int device) {
  std::strncpy(name, deviceNames()[device].c_str(), length);
  return 0;
}
/// Of the whole GPU.
int cuDeviceGetUuid(char *uuid, int device) {
  // Tests of different processes don't wait for each other.
  int64_t seed = numberFrom("FAKE_CUDA_UUID", 0x1f);
  bool isPart = std::getenv("FAKE_CUDA_MIG") != nullptr;
  std::memset(uuid, static_cast<int>(seed + (isPart ? 0 : device)), 16);
  return 0;
}
/// Of the instance, if there is one.
int cuDeviceGetUuid_v2(char *uuid, int device) {
  cuDeviceGetUuid(uuid, device);
  if (std::getenv("FAKE_CUDA_MIG"))
    std::memset(uuid, 0xa0 + device, 8);
  return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
  if (attribute == numberFrom("FAKE_CUDA_ATTRIBUTE", -1))
    return invalidValue;
  auto capability = static_cast<int>(numberFrom("FAKE_CUDA_CHIP", 90));
  *value = attribute == 75   ? capability / 10
           : attribute == 76 ? capability % 10
           : attribute == 38
               ? static_cast<int>(numberFrom("FAKE_CUDA_L2", 65536))
               : 1000;
  return 0;
}
int cuDevicePrimaryCtxRetain(void **result, int device) {
  opened = device;
  *result = &context();
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) {
  for (auto [address, bytes] : context().allocations)
    std::free(reinterpret_cast<void *>(address));
  context() = Context();
  return 0;
}
int cuCtxSetCurrent(void *) { return 0; }
int cuCtxSynchronize() {
  Context &now = context();
  if (now.captured)
    return captureUnsupported;
  if (now.pending == "stuck")
    getStuck();
  if (now.pending == "hang" || now.pending == "stuck")
    for (;;)
      pause();
  if (now.pending == "crash")
    std::abort();
  if (now.pendingError)
    now.broken = now.pendingError;
  now.clock.synchronize();
  return now.broken;
}
int cuMemAlloc_v2(Address *address, size_t bytes) {
  Context &now = context();
  if (now.broken)
    return now.broken;
  if (int64_t most = numberFrom("FAKE_CUDA_MEMORY", -1);
      most >= 0 && bytes > static_cast<size_t>(most))
    return outOfMemory;
  *address = reinterpret_cast<Address>(
      std::aligned_alloc(256, (bytes + 255) & ~255ULL));
  now.allocations[*address] = bytes;
  return 0;
}
int cuMemFree_v2(Address address) {
  Context &now = context();
  if (now.broken || now.allocations.erase(address) == 0)
    return now.broken ? now.broken : invalidValue;
  std::free(reinterpret_cast<void *>(address));
  return 0;
}
int cuMemsetD8_v2(Address to, unsigned char value, size_t bytes) {
  if (context().captured)
    return captureUnsupported;
  setMemory(to, value, bytes);
  return context().broken;
}
/// A byte takes a ps to read, and one to write.
int cuMemcpy(Address to, Address from, size_t bytes) {
  std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from),
               bytes);
  context().clock.queue(static_cast<int64_t>(2 * bytes / 1000));
  return cuCtxSynchronize();
}
int cuMemcpyHtoD_v2(Address to, const void *from, size_t bytes) {
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return cuCtxSynchronize();
}
int cuMemcpyDtoH_v2(void *to, Address from, size_t bytes) {
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return cuCtxSynchronize();
}
int cuModuleLoadDataEx(void **module, const void *image, unsigned count,
                       int *options, void **values) {
  Context &now = context();
  if (now.broken)
    return now.broken;
  auto parsed = parsePtx(static_cast<const char *>(image));
  if (!parsed) {
    std::string text = "ptxas " + parsed.error().message + "\nmore lines";
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == 5)
        std::strcpy(static_cast<char *>(values[i]), text.c_str());
    return invalidPtx;
  }
  addLine("FAKE_CUDA_LOADS", "device " + std::to_string(opened));
  *module = parsed->get();
  now.modules[*module] = std::move(*parsed);
  return 0;
}
int cuModuleUnload(void *module) {
  context().modules.erase(module);
  return context().broken;
}
int cuModuleGetFunction(void **function, void *module, const char *name) {
  Context &now = context();
  const auto &kernels = static_cast<PtxModule *>(module)->kernels;
  auto found = kernels.find(name);
  if (found == kernels.end())
    return notFound;
  *function =
      now.functions.emplace_back(std::make_unique<Function>(&found->second))
          .get();
  return now.broken;
}
int cuFuncGetAttribute(int *value, int attribute, void *function) {
  const PtxKernel &kernel = *static_cast<Function *>(function)->kernel;
  *value = static_cast<int>(
      attribute == 4   ? numberFrom("FAKE_CUDA_REGISTERS", 62)
      : attribute == 3 ? static_cast<int64_t>(kernel.localBytes)
                       : static_cast<int64_t>(kernel.sharedBytes));
  return context().broken;
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
  auto *changed = static_cast<Function *>(function);
  if (attribute != 8 || value + changed->kernel->sharedBytes > mostShared)
    return invalidValue;
  changed->dynamicLimit = value;
  return context().broken;
}
int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY,
                   unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned shared, void *stream,
                   void **arguments, void **) {
  Context &now = context();
  Launch launch = {static_cast<Function *>(function),
                   {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, shared},
                   {}};
  if (now.captured && !stream)
    return captureUnsupported;
  if (int code = now.broken ? now.broken : check(launch))
    return code;
  const PtxKernel &kernel = *launch.function->kernel;
  launch.arguments.resize(kernel.parameterBytes);
  for (size_t i = 0; i < kernel.parameters.size(); ++i)
    std::memcpy(launch.arguments.data() + kernel.parameters[i].second,
                arguments[i], kernel.parameters[i].first);
  if (now.captured) {
    now.captured->push_back(std::move(launch));
    return 0;
  }
  return run(launch, /*isQueued=*/true);
}
int cuStreamCreate(void **stream, unsigned) {
  *stream = &context().clock;
  return context().broken;
}
int cuStreamBeginCapture_v2(void *, int) {
  context().captured = std::make_unique<Graph>();
  return context().broken;
}
int cuStreamEndCapture(void *, void **graph) {
  Context &now = context();
  *graph = now.graphs.insert(std::move(now.captured)).first->get();
  now.captured.reset();
  return now.broken;
}
int cuGraphInstantiateWithFlags(void **executable, void *graph,
                                unsigned long long) {
  *executable =
      context()
          .graphs.insert(std::make_unique<Graph>(*static_cast<Graph *>(graph)))
          .first->get();
  return context().broken;
}
int cuGraphUpload(void *, void *) { return context().broken; }
int cuGraphLaunch(void *executable, void *) {
  bool isQueued = true;
  for (const Launch &launch : *static_cast<Graph *>(executable)) {
    if (int code = context().broken)
      return code;
    run(launch, isQueued);
    isQueued = false;
  }
  return context().broken;
}
static int destroyGraph(void *graph) {
  std::erase_if(context().graphs,
                [&](const auto &one) { return one.get() == graph; });
  return context().broken;
}
// Some of cuBLAS: a product takes a ns for each of its additions.
int cublasCreate_v2(void **handle) {
  *handle = &context();
  return 0;
}
int cublasSetStream_v2(void *, void *) { return 0; }
int cublasGemmEx(void *, int, int, int m, int n, int k, const void *,
                 const void *a, int typeA, int lda, const void *b, int, int ldb,
                 const void *, void *c, int, int ldc, int, int) {
  constexpr int f32 = 0;
  for (int j = 0; j < n && typeA == f32; ++j)
    for (int i = 0; i < m; ++i)
      for (int l = 0; l < k; ++l)
        static_cast<float *>(c)[j * ldc + i] +=
            static_cast<const float *>(a)[l * lda + i] *
            static_cast<const float *>(b)[j * ldb + l];
  context().clock.queue(int64_t{1} * m * n * k);
  return 0;
}
int cuGraphExecDestroy(void *executable) { return destroyGraph(executable); }
int cuGraphDestroy(void *graph) { return destroyGraph(graph); }
int cuEventCreate(void **event, unsigned) {
  *event = context().events.emplace_back(std::make_unique<Event>()).get();
  return 0;
}
int cuEventRecord(void *event, void *) {
  static_cast<Event *>(event)->at = context().clock.eventNs();
  return context().broken;
}
int cuEventSynchronize(void *) { return cuCtxSynchronize(); }
int cuEventElapsedTime(float *elapsed, void *before, void *behind) {
  // The driver gives milliseconds.
  *elapsed = static_cast<float>(
      1e-6 * static_cast<double>(static_cast<Event *>(behind)->at -
                                 static_cast<Event *>(before)->at));
  return context().broken;
}
}
// NOLINTEND(readability-identifier-naming)
