//===- Outcome.h - Outcome of a candidate -----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one enumeration of statuses, and the evidence that goes with it. The
// worker produces outcomes, the study tells them to the optimizer, the database
// keeps them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SUPPORT_OUTCOME_H
#define BACO_SUPPORT_OUTCOME_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baco {

enum class Status {
  /// Compiled, ran, and gave the right result: `timeNs` is valid.
  Ok,
  /// The schedule did not apply to the payload.
  TransformFailed,
  /// Lowering, LLVM or the linker of the JIT refused.
  CompileFailed,
  /// The device refused to start the kernel.
  LaunchFailed,
  /// The process died of a signal, an abort or an early exit.
  Crashed,
  /// Still compiling or running when its time was over.
  TimedOut,
  /// Ran into its memory limit.
  OutOfMemory,
  /// Ran, but its outputs differ from the reference.
  WrongResult,
  /// The device reported an error while the kernel ran.
  DeviceFault,
  /// The worker or its machine went away: says nothing about the candidate,
  /// so that no model is ever trained on it.
  Lost,
  /// The search had no use for it any more, so that it was not evaluated to its
  /// end. Says nothing about the candidate either.
  Cancelled,
};

/// The number of values of Status.
inline constexpr int numStatuses = 11;

/// Whether something went wrong, with the candidate or with its evaluation.
constexpr bool isFailure(Status status) {
  return status != Status::Ok && status != Status::Cancelled;
}

/// The status's name in files and messages: `ok`, `transform-failed`, ...
std::string_view statusName(Status status);
/// The inverse of statusName.
std::optional<Status> parseStatus(std::string_view name);

/// Resources of GPU kernels as an assembler reports them: the most of any
/// kernel of a candidate.
struct KernelResources {
  /// Registers of each thread, of 32 bits each.
  int64_t registers = 0;
  /// Spill loads and stores of each thread, in bytes, as often as they are in
  /// the code.
  int64_t spillBytes = 0;
  /// Shared memory of each block, in bytes, without that added by a launch.
  int64_t sharedBytes = 0;
  /// Local memory of each thread, in bytes.
  int64_t stackBytes = 0;

  bool operator==(const KernelResources &) const = default;
  /// Takes the larger one of each.
  void include(const KernelResources &other);
};

/// A number that was measured of a candidate, in its own unit.
struct Metric {
  std::string name;
  double value = 0;

  bool operator==(const Metric &) const = default;
};

/// The outcome of one candidate.
struct Outcome {
  Status status = Status::Lost;
  /// Median time of one execution of the kernel; NaN unless `ok`.
  double timeNs = 0;
  /// Half the distance between the quartiles of the samples, as a share of the
  /// median; 0 if there are fewer than two samples.
  double spread = 0;
  /// The number of samples that `timeNs` is the median of. One of a short
  /// kernel is the mean of many executions.
  int numSamples = 0;
  /// Wall time that compiling (transforming, lowering, code generation) took.
  double compileNs = 0;
  /// Wall time that running (verification, warm-up, timed executions, and what
  /// the clock is compared with) took.
  double runNs = 0;
  /// Why, unless `ok`: one line, the compiler's own words where there are any.
  std::string message;
  /// For a wrong result that is nearly right: the largest factor by which it
  /// misses the tolerance. 0: a larger miss, or unknown.
  double narrowMiss = 0;
  /// The resources of GPU kernels, if an assembler has reported them.
  std::optional<KernelResources> resources = std::nullopt;
  /// CPU time of packing sparse arguments into the formats of this candidate,
  /// which no other time includes; 0 if it has none.
  double packNs = 0;
  /// If a study has several objectives, or bounds: all results, as they were
  /// measured, whether they keep the bounds or not. `timeNs` follows from them.
  std::vector<Metric> metrics = {};
  /// If they are known: the shares of its limits that the candidate needs, of
  /// which none may be above 1, in an order that its target fixes. Failures
  /// have them too.
  std::vector<double> usage = {};
  /// The static cost of a candidate that exceeds a limit; 0: unknown.
  double costBeyondLimits = 0;
};

} // namespace baco

#endif // BACO_SUPPORT_OUTCOME_H
