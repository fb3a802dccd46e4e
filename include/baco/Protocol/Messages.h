//===- Messages.h - Messages between tuner and worker -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The messages between the coordinator (the tuner) and a worker, and their
// JSON. One conversation:
//
//   worker: Hello   coordinator: SetUp   worker: Ready, or Refusal and the end
//   coordinator: Submit ...              worker: Evaluated ... (as they finish)
//                                        worker: Waiting (at any time)
//   coordinator: Complete                worker: Ready
//   coordinator: Compare                 worker: Compared
//   coordinator closes the socket        worker kills its children and exits
//
//===----------------------------------------------------------------------===//

#ifndef BACO_PROTOCOL_MESSAGES_H
#define BACO_PROTOCOL_MESSAGES_H

#include "baco/Protocol/Candidate.h"
#include "baco/Protocol/Options.h"
#include "baco/Protocol/Samples.h"

#include <optional>
#include <string_view>

namespace baco::runtime {

/// Changes whenever a message does, and whenever the same candidate may get
/// another status or a time of another meaning: earlier outcomes then don't
/// count.
inline constexpr int protocolVersion = 19;

/// The machine that a worker compiles for and runs candidates on.
struct MachineDescription {
  /// The CPU and its features, separated by commas, as LLVM names them: see
  /// schedule::HostCpu.
  std::string cpu, features;
  /// Vectors and caches: see schedule::HostInfo::str.
  std::string host;
  bool operator==(const MachineDescription &) const = default;
};

/// The worker's first message. Only the version can be read of a message of
/// another version.
struct Hello {
  int version = protocolVersion;
  MachineDescription machine = {};
};

struct SetUp {
  /// For CandidateCompiler::setUp.
  std::string text;
  MeasureOptions options;
};

struct Ready {
  Signature signature;
  /// The unscheduled kernel's; Cancelled if it is to be measured later.
  Outcome plain;
  /// The CPU that candidates run on.
  int cpu = 0;
  /// How many candidates compile at the same time.
  int compileSlots = 1;
  /// Conditions::referenceNs while the plain kernel was timed; 0 if it wasn't.
  double referenceNs = 0;
  /// About how long the checks take that are made at Complete; 0 if there are
  /// none.
  double restNs = 0;
  /// The device that candidates run on: its name, and what else their times
  /// depend on. Empty: the CPU.
  std::string device = {};
};

/// Makes the checks that the set-up of a slow kernel leaves for later, so that
/// its trials begin soon. No trial may be in flight.
struct Complete {};

/// Another worker measures on this worker's CPU: sent every second, so that the
/// coordinator goes on waiting, and when the wait is over.
struct Waiting {
  /// The holder of the lease; empty when this worker has got it.
  std::string holder;
  /// The time since the wait began, or the last such message was sent; >= 0.
  int64_t waitedNs = 0;
};

/// The reason why the worker cannot continue; it exits after this.
struct Refusal {
  std::string message;
  /// TimedOut or OutOfMemory if the plain kernel ran into a limit,
  /// InvalidArgument for another failure of the kernel.
  ErrorCode code = ErrorCode::InvalidArgument;
};

/// Limits of a trial that follow from other trials, in addition to those of
/// MeasureOptions. In CPU time of the candidate's process, so that a busy
/// machine doesn't make it fail.
struct TrialLimits {
  /// The limit on compiling, in ms.
  std::optional<int64_t> compileMs;
  /// The limit on the first execution without filling its arguments, in ms.
  std::optional<int64_t> executionMs;
  bool operator==(const TrialLimits &) const = default;
};

struct Submit {
  uint64_t trial = 0;
  /// For CandidateCompiler::compile.
  std::string configuration;
  TrialLimits limits = {};
  /// The clock for which the trial's time is to be given; see
  /// ClockModel::setBaseline. 0: the worker's own, which is that of its first
  /// time.
  double baselineNs = 0;
};

/// Cancels a trial: it is stopped, without an answer unless that was sent
/// already. Ignored for a trial that isn't running.
struct Cancel {
  uint64_t trial = 0;
};

struct Evaluated {
  uint64_t trial = 0;
  Outcome outcome;
  /// As in Samples.
  std::vector<Conditions> conditions;
};

/// A comparison keeps all of its candidates in memory.
inline constexpr size_t maxCompared = 64;

/// At most maxCompared candidates.
struct Compare {
  /// Without a value: the plain kernel.
  std::vector<std::optional<std::string>> configurations;
  /// Determines their places in memory; see drawPlacement.
  uint64_t placementSeed = 0;
};

struct Compared {
  /// In the order of the configurations.
  std::vector<Samples> candidates;
};

using Message = std::variant<Hello, SetUp, Ready, Refusal, Submit, Cancel,
                             Evaluated, Compare, Compared, Waiting, Complete>;

/// The message as a JSON object. Bytes that are not UTF-8 are replaced.
std::string encode(const Message &message);

/// The inverse. Corrupt if it is not JSON, no message, or lacks a field.
Result<Message> decode(std::string_view text);

} // namespace baco::runtime

#endif // BACO_PROTOCOL_MESSAGES_H
