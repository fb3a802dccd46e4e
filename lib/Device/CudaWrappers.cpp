//===- CudaWrappers.cpp - Runtime of lowered host programs ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that `gpu-to-llvm` makes launches, copies and allocations call,
// for programs that are linked with, or loaded beside, this library. Packages
// of LLVM have none for CUDA. There is one stream: all that is enqueued runs in
// order. An error of the driver ends the program with one line.
//
//===----------------------------------------------------------------------===//

#include "baco/Device/CudaDriver.h"

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace baco;
using namespace baco::runtime;

namespace {
[[noreturn]] void stop(const std::string &message) {
  std::fprintf(stderr, "baco's runtime for GPUs: %s\n", message.c_str());
  std::exit(1);
}

void expect(const std::optional<DeviceFailure> &failure) {
  if (failure)
    stop(failure->message);
}

/// The first GPU that CUDA_VISIBLE_DEVICES has. It is never closed: global
/// destructors, which unload modules, may run later than this library's.
CudaDevice &device() {
  static CudaDevice *opened = [] {
    auto made = CudaDevice::open();
    if (!made)
      stop(made.error().message);
    return made->release();
  }();
  return *opened;
}

/// A kernel as programs hold it.
struct Function {
  DeviceKernel kernel;
  std::string name;
  /// The limit of its dynamic shared memory.
  unsigned dynamicSharedBytes = 0;
};

DeviceAddress addressOf(void *pointer) {
  return reinterpret_cast<DeviceAddress>(pointer);
}
} // namespace

// The names are MLIR's.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
void *mgpuModuleLoad(void *data, size_t bytes) {
  void *module = nullptr;
  expect(device().load(std::string(static_cast<char *>(data), bytes), module));
  return module;
}
void *mgpuModuleLoadJIT(void *data, int) {
  void *module = nullptr;
  expect(device().load(static_cast<char *>(data), module));
  return module;
}
void mgpuModuleUnload(void *module) { device().unload(module); }
void *mgpuModuleGetFunction(void *module, const char *name) {
  // As long-lived as the module.
  auto *function = new Function{{}, name, 0};
  expect(device().find(module, name, 0, function->kernel));
  return function;
}
void mgpuLaunchKernel(void *kernel, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t sharedBytes, void *,
                      void **arguments, void **, size_t) {
  auto &function = *static_cast<Function *>(kernel);
  LaunchSizes launch;
  const intptr_t sizes[] = {gridX, gridY, gridZ, blockX, blockY, blockZ};
  for (int i = 0; i < 3; ++i) {
    launch.grid[i] = static_cast<unsigned>(sizes[i]);
    launch.block[i] = static_cast<unsigned>(sizes[3 + i]);
  }
  launch.dynamicSharedBytes = static_cast<unsigned>(sharedBytes);
  if (launch.dynamicSharedBytes > function.dynamicSharedBytes) {
    expect(device().find(function.kernel.module, function.name,
                         launch.dynamicSharedBytes, function.kernel));
    function.dynamicSharedBytes = launch.dynamicSharedBytes;
  }
  expect(device().enqueue(function.kernel, launch, arguments));
}

void *mgpuStreamCreate() { return &device(); }
void mgpuStreamDestroy(void *) {}
void mgpuStreamSynchronize(void *) { expect(device().synchronize()); }
void mgpuStreamWaitEvent(void *, void *) {}
void *mgpuEventCreate() { return &device(); }
void mgpuEventDestroy(void *) {}
void mgpuEventSynchronize(void *) { expect(device().synchronize()); }
void mgpuEventRecord(void *, void *) {}

void *mgpuMemAlloc(uint64_t bytes, void *, bool isHostShared) {
  if (isHostShared)
    stop(
        "memory that host and GPU share isn't supported; allocate on both, and "
        "copy");
  DeviceAddress address = 0;
  // The driver refuses none.
  expect(device().allocate(bytes > 0 ? bytes : 1, address));
  return reinterpret_cast<void *>(address);
}
void mgpuMemFree(void *memory, void *) { device().free(addressOf(memory)); }
void mgpuMemcpy(void *to, void *from, size_t bytes, void *) {
  expect(device().copy(addressOf(to), addressOf(from), bytes));
}
}
// NOLINTEND(readability-identifier-naming)
