//===- DeviceProgram.h - Kernel launches of a candidate ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The launches of one call of a kernel, as data: the process that compiles a
// candidate isn't the one that has the device.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DEVICE_DEVICEPROGRAM_H
#define BACO_DEVICE_DEVICEPROGRAM_H

#include "baco/Device/CudaDriver.h"

#include <string>
#include <string_view>
#include <vector>

namespace baco::runtime {

/// An operand of a launch.
struct DeviceOperand {
  enum Kind : uint32_t {
    /// An address in an argument of the call: `index`, and `value` bytes in it.
    Argument,
    /// The same in memory that is allocated for the call.
    Temporary,
    /// The bits of a scalar in `value`.
    Word
  };
  Kind kind = Word;
  uint32_t index = 0;
  uint64_t value = 0;
  bool operator==(const DeviceOperand &) const = default;
};

struct DeviceLaunch {
  /// In DeviceProgram::images.
  uint32_t image = 0;
  std::string kernel;
  LaunchSizes sizes;
  std::vector<DeviceOperand> operands;
  bool operator==(const DeviceLaunch &) const = default;
};

struct DeviceProgram {
  /// Texts in PTX, or machine code.
  std::vector<std::string> images;
  /// The sizes of allocations, in bytes.
  std::vector<uint64_t> temporaries;
  /// One after another.
  std::vector<DeviceLaunch> launches;
  bool operator==(const DeviceProgram &) const = default;

  /// Bytes that only this process' architecture reads.
  std::string encode() const;
  /// The inverse. Corrupt if it is something else, or refers to images or
  /// temporaries that there aren't.
  static Result<DeviceProgram> decode(std::string_view bytes);
};

} // namespace baco::runtime

#endif // BACO_DEVICE_DEVICEPROGRAM_H
