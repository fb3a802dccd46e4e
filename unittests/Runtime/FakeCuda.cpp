//===- FakeCuda.cpp - A driver without a GPU, for tests -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of libcuda.so.1 that baco calls. It can't run PTX. What a
// kernel does follows from what is loaded:
//
//   a word   `right` computes C += A B for matrices of 64 x 64, `wrong` changes
//            an element of that, `refused`, `fault`, `hang` and `crash` fail. A
//            launch takes as many milliseconds as its grid has blocks along x.
//   PTX      by the kernel's name: `product...` computes C += A B for A of 64 x
//            32 and B of 32 x 48, which it tells by their sizes; `scale...`
//            adds each element of its first buffer to itself into its second;
//            others do nothing. A launch takes 10 us for each block.
//
// $FAKE_CUDA has words as `fault@256`: kernels of PTX with that many threads in
// a block (0: all) do this instead: fault, hang, crash, wrong, outside (writes
// behind an output), input (writes to an input) or refuse (at the launch).
// $FAKE_CUDA_DEVICES has the names of the devices, with commas between; without
// it there is one. $FAKE_CUDA_CHIP is the compute capability (90); with
// $FAKE_NO_DEVICE there is no GPU. Each cuInit adds a line to the file
// $FAKE_CUDA_LOG, and each module one with its device to $FAKE_CUDA_LOADS.
// `meet` makes the file $FAKE_CUDA_MEET.DEVICE, and waits until each device has
// one. `stuck` hangs, and its process doesn't end when it is killed, as with a
// driver that waits for the GPU, until there is the file $FAKE_CUDA_RELEASE or
// the process's parent is gone.
//
//===----------------------------------------------------------------------===//

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <unistd.h>
#include <vector>

using Address = unsigned long long;

namespace {
constexpr int invalidValue = 1, outOfMemory = 2, noDevice = 100,
              invalidPtx = 218, notFound = 500, illegalAddress = 700,
              outOfResources = 701;

struct Module {
  std::string image;
};
struct Function {
  const Module *module;
  std::string name;
  unsigned dynamicLimit = 48 * 1024;
};
/// Sizes of allocations by their beginnings.
std::map<Address, size_t> allocations;
/// What all calls return once a kernel has faulted.
int broken = 0;
/// What the last kernel does instead of ending.
std::string pending;
/// Since the beginning.
int64_t nanoseconds = 0;
/// The device that this process has opened.
int opened = 0;
struct Event {
  int64_t at = 0;
};
/// Of the context, with which they end.
std::vector<std::unique_ptr<Event>> events;

bool startsWith(const std::string &text, const char *prefix) {
  return text.compare(0, std::strlen(prefix), prefix) == 0;
}

void multiply(const float *a, const float *b, float *c, int rows, int depth,
              int columns) {
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < depth; ++k)
      for (int j = 0; j < columns; ++j)
        c[i * columns + j] += a[i * depth + k] * b[k * columns + j];
}

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

/// A buffer that a kernel gets, whose guards are equally long.
struct Operand {
  float *data = nullptr;
  size_t bytes = 0;
};

Operand findBuffer(Address address) {
  auto next = allocations.upper_bound(address);
  if (next == allocations.begin())
    return {};
  auto [begin, bytes] = *--next;
  if (address - begin >= bytes)
    return {};
  return {reinterpret_cast<float *>(address), bytes - 2 * (address - begin)};
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

/// Computes what the name of a kernel says.
void compute(const std::string &name, const std::vector<Operand> &operands,
             const std::string &behavior) {
  float *output = nullptr;
  size_t bytes = 0;
  float *input = nullptr;
  if (startsWith(name, "product") && operands.size() == 3) {
    float *a = nullptr, *b = nullptr;
    for (const Operand &operand : operands) {
      (operand.bytes == 64 * 32 * 4   ? a
       : operand.bytes == 32 * 48 * 4 ? b
                                      : output) = operand.data;
      if (operand.data == output)
        bytes = operand.bytes;
    }
    if (!a || !b || !output)
      return;
    input = a;
    multiply(a, b, output, 64, 32, 48);
  } else if (startsWith(name, "scale") && operands.size() == 2) {
    input = operands[0].data;
    output = operands[1].data;
    bytes = operands[1].bytes;
    for (size_t i = 0; i < bytes / 4; ++i)
      output[i] = input[i] + input[i];
  }
  if (!output)
    return;
  if (behavior == "wrong")
    output[5] += 0.25f;
  if (behavior == "outside")
    output[bytes / 4] = 1;
  if (behavior == "input")
    input[0] += 1;
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
  *name = code == invalidPtx       ? "CUDA_ERROR_INVALID_PTX"
          : code == illegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : code == outOfResources ? "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"
          : code == invalidValue   ? "CUDA_ERROR_INVALID_VALUE"
          : code == outOfMemory    ? "CUDA_ERROR_OUT_OF_MEMORY"
          : code == notFound       ? "CUDA_ERROR_NOT_FOUND"
                                   : nullptr;
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
int cuDeviceGetUuid(char *uuid, int device) {
  // Tests of different processes don't wait for each other.
  const char *seed = std::getenv("FAKE_CUDA_UUID");
  std::memset(uuid, (seed ? std::atoi(seed) : 0x1f) + device, 16);
  return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
  const char *chip = std::getenv("FAKE_CUDA_CHIP");
  int capability = chip ? std::atoi(chip) : 90;
  *value = attribute == 75   ? capability / 10
           : attribute == 76 ? capability % 10
                             : 1000;
  return 0;
}
int cuDevicePrimaryCtxRetain(void **context, int device) {
  opened = device;
  *context = &broken;
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) {
  events.clear();
  return 0;
}
int cuCtxSetCurrent(void *) { return 0; }
int cuCtxSynchronize() {
  if (pending == "stuck")
    getStuck();
  if (pending == "hang" || pending == "stuck")
    for (;;)
      pause();
  if (pending == "crash")
    std::abort();
  if (pending == "fault")
    broken = illegalAddress;
  return broken;
}
int cuMemAlloc_v2(Address *address, size_t bytes) {
  if (broken)
    return broken;
  const char *most = std::getenv("FAKE_CUDA_MEMORY");
  if (most && bytes > std::strtoull(most, nullptr, 10))
    return outOfMemory;
  *address = reinterpret_cast<Address>(std::malloc(bytes));
  allocations[*address] = bytes;
  return 0;
}
int cuMemFree_v2(Address address) {
  if (broken || allocations.erase(address) == 0)
    return broken ? broken : invalidValue;
  std::free(reinterpret_cast<void *>(address));
  return 0;
}
int cuMemsetD8_v2(Address to, unsigned char value, size_t bytes) {
  std::memset(reinterpret_cast<void *>(to), value, bytes);
  return broken;
}
int cuMemcpy(Address to, Address from, size_t bytes) {
  std::memmove(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from),
               bytes);
  return broken;
}
int cuMemcpyHtoD_v2(Address to, const void *from, size_t bytes) {
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return broken;
}
int cuMemcpyDtoH_v2(void *to, Address from, size_t bytes) {
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return broken;
}
int cuModuleLoadDataEx(void **module, const void *image, unsigned count,
                       int *options, void **values) {
  std::string text = static_cast<const char *>(image);
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  if (broken)
    return broken;
  if (text == "refused") {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == 5)
        std::strcpy(static_cast<char *>(values[i]),
                    "ptxas fatal : too much shared data\nmore lines");
    return invalidPtx;
  }
  addLine("FAKE_CUDA_LOADS", "device " + std::to_string(opened));
  *module = new Module{text};
  return 0;
}
int cuModuleUnload(void *module) {
  delete static_cast<Module *>(module);
  return broken;
}
int cuModuleGetFunction(void **function, void *module, const char *name) {
  auto *loaded = static_cast<Module *>(module);
  bool isPtx = loaded->image.find('\n') != std::string::npos;
  if (isPtx && loaded->image.find(std::string(".entry ") + name + "(") ==
                   std::string::npos)
    return notFound;
  // Never freed.
  *function = new Function{loaded, isPtx ? name : loaded->image};
  return broken;
}
int cuFuncGetAttribute(int *value, int attribute, void *) {
  *value = attribute == 4 ? 62 : attribute == 3 ? 8 : 4096;
  return broken;
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
  if (attribute != 8 || value > 232448)
    return invalidValue;
  static_cast<Function *>(function)->dynamicLimit = value;
  return broken;
}
int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY,
                   unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned shared, void *, void **arguments,
                   void **) {
  const Function &kernel = *static_cast<Function *>(function);
  if (shared > kernel.dynamicLimit)
    return invalidValue;
  unsigned threads = blockX * blockY * blockZ;
  if (threads > 1024)
    return outOfResources;
  if (broken)
    return broken;
  auto at = [&](int index) {
    return *static_cast<Address *>(arguments[index]);
  };
  // What has happened stays until somebody waits.
  if (pending == "fault" || pending == "hang" || pending == "crash" ||
      pending == "stuck")
    return 0;
  pending.clear();
  if (kernel.module->image == kernel.name) {
    nanoseconds += int64_t{1'000'000} * gridX;
    pending = kernel.name;
    if (kernel.name != "right" && kernel.name != "wrong")
      return 0;
    auto *c = reinterpret_cast<float *>(at(2));
    multiply(reinterpret_cast<float *>(at(0)), reinterpret_cast<float *>(at(1)),
             c, 64, 64, 64);
    if (kernel.name == "wrong")
      c[5 * 64 + 7] += 0.015625f;
    return 0;
  }
  nanoseconds += int64_t{10'000} * gridX * gridY * gridZ;
  std::string behavior = behaviorOf(threads);
  if (behavior == "refuse")
    return outOfResources;
  if (behavior == "meet")
    meetOthers();
  pending = behavior;
  std::vector<Operand> operands;
  int count = startsWith(kernel.name, "product") ? 3
              : startsWith(kernel.name, "scale") ? 2
                                                 : 0;
  for (int i = 0; i < count; ++i)
    operands.push_back(findBuffer(at(i)));
  compute(kernel.name, operands, behavior);
  return 0;
}
int cuEventCreate(void **event, unsigned) {
  *event = events.emplace_back(std::make_unique<Event>()).get();
  return 0;
}
int cuEventRecord(void *event, void *) {
  static_cast<Event *>(event)->at = nanoseconds;
  return broken;
}
int cuEventSynchronize(void *) { return cuCtxSynchronize(); }
int cuEventElapsedTime(float *elapsed, void *before, void *behind) {
  // The driver gives milliseconds.
  *elapsed = static_cast<float>(
      1e-6 * static_cast<double>(static_cast<Event *>(behind)->at -
                                 static_cast<Event *>(before)->at));
  return broken;
}
}
// NOLINTEND(readability-identifier-naming)
