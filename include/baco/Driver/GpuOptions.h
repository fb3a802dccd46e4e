//===- GpuOptions.h - Candidates for GPUs -----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Options of tuning that only candidates for GPUs have.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_GPUOPTIONS_H
#define BACO_DRIVER_GPUOPTIONS_H

#include <string>

namespace baco::driver {

/// How candidates for a GPU are compiled.
struct GpuOptions {
  /// The assembler, see findPtxas; empty: none.
  std::string ptxas;
  /// `emulate`, or nothing.
  std::string verify;
  /// On which GPUs of this machine candidates run, see findGpus.
  std::string gpus = "0";
};

} // namespace baco::driver

#endif // BACO_DRIVER_GPUOPTIONS_H
