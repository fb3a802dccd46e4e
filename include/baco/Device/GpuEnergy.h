//===- GpuEnergy.h - The energy that a GPU has taken ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NVML's counter of a GPU of NVIDIA, from Volta on: all that the board takes,
// whoever uses it. The library comes with the driver, and is found at run time.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DEVICE_GPUENERGY_H
#define BACO_DEVICE_GPUENERGY_H

#include "baco/Support/Result.h"

#include <cstdint>
#include <functional>
#include <string>

namespace baco::runtime {

/// Reads the energy since the driver was loaded, in microjoules; IOError if the
/// counter can't be read any more.
using GpuEnergyReader = std::function<Result<uint64_t>()>;

/// Opens the counter of the GPU that has `uuid` (CudaDeviceFacts). NotFound if
/// there is no `library`, and Unsupported if it, or the GPU, has no such
/// counter, as parts of GPUs (MIG) don't.
Result<GpuEnergyReader> openGpuEnergy(const std::string &library,
                                      const std::string &uuid);

} // namespace baco::runtime

#endif // BACO_DEVICE_GPUENERGY_H
