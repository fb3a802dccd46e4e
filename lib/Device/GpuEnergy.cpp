//===- GpuEnergy.cpp - The energy that a GPU has taken -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Device/GpuEnergy.h"

#include "baco/Device/FunctionFinder.h"

#include <dlfcn.h>

using namespace baco;
using namespace baco::runtime;

namespace {
/// NVML's functions (NVIDIA, "NVML API Reference Guide").
struct Nvml {
  FunctionFinder find;
  int (*init)() = find("nvmlInit_v2");
  const char *(*errorString)(int) = find("nvmlErrorString");
  int (*handleByUuid)(const char *,
                      void **) = find("nvmlDeviceGetHandleByUUID");
  /// In millijoules.
  int (*totalEnergy)(void *, unsigned long long *) =
      find("nvmlDeviceGetTotalEnergyConsumption");
};
} // namespace

Result<GpuEnergyReader> runtime::openGpuEnergy(const std::string &library,
                                               const std::string &uuid) {
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return Error{
        ErrorCode::NotFound,
        std::string("there is no NVML, which has the energy of GPUs (") +
            dlerror() + "); it comes with NVIDIA's driver"};
  Nvml nvml = {FunctionFinder(handle)};
  if (const char *missing = nvml.find.missing())
    return Error{ErrorCode::Unsupported,
                 std::string("NVML is too old: it has no ") + missing +
                     "; install a newer driver"};
  auto refuse = [nvml, uuid](ErrorCode code, int status) {
    return Error{code, "NVML doesn't have the energy of '" + uuid +
                           "': " + nvml.errorString(status)};
  };
  void *device = nullptr;
  unsigned long long energy = 0;
  int status = nvml.init();
  if (status == 0)
    status = nvml.handleByUuid(uuid.c_str(), &device);
  if (status == 0)
    status = nvml.totalEnergy(device, &energy);
  if (status != 0)
    return refuse(ErrorCode::Unsupported, status);
  return GpuEnergyReader([=]() -> Result<uint64_t> {
    constexpr uint64_t microjoules = 1000;
    unsigned long long millijoules = 0;
    if (int code = nvml.totalEnergy(device, &millijoules); code != 0)
      return refuse(ErrorCode::IOError, code);
    return millijoules * microjoules;
  });
}
