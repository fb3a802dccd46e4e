//===- Machine.h - Target machine of a tuned schedule -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The machine that a schedule was measured on, and the other machines that are
// similar enough to use it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_APPLY_MACHINE_H
#define BACO_APPLY_MACHINE_H

#include "baco/Schedule/HostInfo.h"

#include <string>

namespace baco::apply {

/// A CPU, or a GPU and nothing else.
struct Machine {
  /// As LLVM names the CPU, such as `znver5`; empty for a GPU.
  std::string cpu;
  /// The level of x86-64 that the CPU has, such as `x86-64-v4`, but none with
  /// wider vectors than `host`, or the name of another architecture.
  std::string isa;
  /// Vectors, caches and threads: see HostInfo::str.
  std::string host;
  /// `CHIP` or `CHIP:FEATURES` as LLVM names them; empty for a CPU.
  std::string gpu;

  /// The CPU `cpu` with the caches and threads of `host`.
  static Machine ofCpu(const schedule::HostCpu &cpu,
                       const schedule::HostInfo &host);

  bool operator==(const Machine &) const = default;

  /// Whether code that was tuned for one is worth using on the other: the same
  /// GPU; or CPUs of the same instruction set, caches and threads.
  bool isLike(const Machine &other) const;

  /// For messages.
  std::string str() const;
};

} // namespace baco::apply

#endif // BACO_APPLY_MACHINE_H
