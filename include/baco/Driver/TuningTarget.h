//===- TuningTarget.h - The machine that is tuned for -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_TUNINGTARGET_H
#define BACO_DRIVER_TUNINGTARGET_H

#include "baco/Support/Result.h"

#include <string>

namespace baco::driver {

/// The value of the option `target`.
struct TuningTarget {
  enum Kind {
    /// This machine's CPU.
    Cpu,
    /// Any NVIDIA GPU: nothing is run.
    Nvvm,
    /// NVIDIA GPUs of this machine.
    Cuda
  };
  Kind kind = Cpu;
  /// As LLVM names them; empty for a CPU. Features may be empty.
  std::string chip, features;

  /// Reads `cpu`, `nvvm:CHIP`, `nvvm:CHIP:FEATURES` or the same with `cuda`.
  /// InvalidArgument, naming the option, for others, and for chips that the
  /// table of NvidiaGpu.h or LLVM doesn't have.
  static Result<TuningTarget> parse(const std::string &text);

  bool isGpu() const { return kind != Cpu; }
};

/// Whether candidates for the target `text` can be evaluated by `evaluator`.
/// InvalidArgument, naming the options.
Result<void> checkTarget(const std::string &text, const std::string &evaluator);

} // namespace baco::driver

#endif // BACO_DRIVER_TUNINGTARGET_H
