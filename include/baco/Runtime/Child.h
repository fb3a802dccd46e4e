//===- Child.h - A candidate's own process ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forked child: it compiles a candidate, waits until it is told to run,
// runs it, and leaves outputs and times in shared memory. Everything here may
// be killed at any instant.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_CHILD_H
#define BACO_RUNTIME_CHILD_H

#include "baco/Protocol/Candidate.h"
#include "baco/Runtime/ControlBlock.h"
#include "baco/Runtime/Sandbox.h"
#include "baco/Verification/Check.h"
#include "baco/Verification/Inputs.h"
#include "baco/Verification/Placement.h"

#include <optional>
#include <span>
#include <string>

namespace baco::runtime {

/// The parameters of every child of a worker.
struct ChildContext {
  CandidateCompiler &compiler;
  const Signature &signature;
  /// The checks that the child may be told to run, as they are when the child
  /// is forked. It is timed on the inputs of the check that it ran before.
  const std::vector<Check> &checks;
  /// Shared memory of OutputLayout's size. Only the child that holds the timing
  /// lease writes to it.
  std::byte *outputs = nullptr;
  /// The CPU that kernels run on, and those that parallel ones also get.
  int cpu = 0;
  std::span<const int> otherCpus;
  ResourceLimits limits;
  /// Bytes that the candidate may allocate; part of `limits.addressSpace`.
  uint64_t memoryLimit = 0;
  /// Object code to load instead of compiling; or null.
  const std::string *object = nullptr;
  /// The placement of its code, stack, heap and arguments.
  Placement placement = {};
  /// The kernel to compile without a configuration.
  enum class Plain { AsWritten, LocalOrder, Majorant, Checked, Perturbed };
  Plain plain = Plain::AsWritten;
  /// The process with the device, see DeviceClient; -1 and null if kernels run
  /// on the CPU.
  int deviceSocket = -1;
  std::byte *deviceBlock = nullptr;
  /// The check that it runs first.
  size_t firstCheck = 0;
  /// Nothing is timed: it may run on any CPU of the worker, unless it is
  /// parallel.
  bool isUntimed = false;
};

/// The descriptor over which a child gets its Commands, as sequenced packets,
/// and answers with their sequence numbers.
inline constexpr int childSocket = 3;
/// That of ChildContext::deviceSocket, if there is one.
inline constexpr int childDeviceSocket = 4;

/// Larger object code isn't kept.
inline constexpr size_t maxObjectBytes = 1 << 20;

/// The life of a child after enterChild. An exception out of the compiler or
/// the kernel ends it like an abort.
///
/// \param configuration  without a value: the plain kernel
[[noreturn]] void runChild(const ChildContext &context,
                           const std::optional<std::string> &configuration,
                           ControlBlock &control,
                           std::byte *objectBlock) noexcept;

} // namespace baco::runtime

#endif // BACO_RUNTIME_CHILD_H
