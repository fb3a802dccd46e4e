//===- DeviceOptions.h - Candidates for devices -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Options of tuning that only candidates for devices have, such as GPUs.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_DEVICEOPTIONS_H
#define BACO_DRIVER_DEVICEOPTIONS_H

#include <string>

namespace baco::driver {

/// How candidates for a device are compiled. The target says which of the
/// options go with it: see TuningTarget::checkOptions.
struct DeviceOptions {
  /// The option `ptxas`: the vendor's assembler, see findPtxas; empty: none.
  std::string assembler;
  /// `emulate`, or nothing.
  std::string verify;
  /// The option `gpus`: the devices of this machine on which candidates run,
  /// see findGpus.
  std::string ids = "0";

  bool operator==(const DeviceOptions &) const = default;
};

} // namespace baco::driver

#endif // BACO_DRIVER_DEVICEOPTIONS_H
