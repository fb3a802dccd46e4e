//===- KernelMessages.h - To and from the process with a device -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SOURCEKERNEL_KERNELMESSAGES_H
#define BACO_LIB_SOURCEKERNEL_KERNELMESSAGES_H

#include "KernelDevice.h"

namespace baco::kernels {

/// Builds the kernel with `plan`, or, without one, runs it.
struct KernelRequest {
  std::optional<LaunchPlan> plan = std::nullopt;
  /// KernelOptions::repeat.
  uint64_t repeat = 0;

  std::string encode() const;
  /// Corrupt if it is something else.
  static Result<KernelRequest> decode(std::string_view text);
};

struct KernelAnswer {
  /// Ok unless it failed.
  runtime::DeviceFailure failure = {Status::Ok, "", false};
  /// Of timed launches, in nanoseconds.
  std::vector<double> times = {};
  /// Of a launch, in joules; 0 if it isn't measured.
  double energy = 0;
  /// Of the first answer, which comes when the device is open: what it is, and
  /// the kind of an error.
  std::string device = {};
  /// KernelEvaluator::energyCounters.
  std::string counters = {};
  ErrorCode code = ErrorCode::IOError;

  std::string encode() const;
  static Result<KernelAnswer> decode(std::string_view text);
};

} // namespace baco::kernels

#endif // BACO_LIB_SOURCEKERNEL_KERNELMESSAGES_H
