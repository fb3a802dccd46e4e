//===- FakeNvml.cpp - NVML for tests, without a GPU -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of NVML that Device/GpuEnergy.cpp loads. GPUs take 2 mJ each
// ms, and the counter shows it each 4 ms; parts of GPUs have no counter.
//
//===----------------------------------------------------------------------===//

#include <chrono>
#include <string_view>

static constexpr int success = 0, notSupported = 3, notFound = 6;

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): these are NVML's names.

int nvmlInit_v2() { return success; }

const char *nvmlErrorString(int code) {
  return code == notSupported ? "Not Supported" : "Not Found";
}

int nvmlDeviceGetHandleByUUID(const char *uuid, void **device) {
  static char gpu, part;
  std::string_view text = uuid;
  *device = text.starts_with("MIG-") ? &part : &gpu;
  return text.starts_with("MIG-") || text.starts_with("GPU-") ? success
                                                              : notFound;
}

int nvmlDeviceGetTotalEnergyConsumption(void *device,
                                        unsigned long long *energy) {
  void *gpu = nullptr;
  nvmlDeviceGetHandleByUUID("GPU-", &gpu);
  if (device != gpu)
    return notSupported;
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  unsigned long long ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  constexpr unsigned long long step = 4, watts = 2;
  *energy = ms / step * step * watts;
  return success;
}

// NOLINTEND(readability-identifier-naming)
} // extern "C"
