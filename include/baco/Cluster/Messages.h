//===- Messages.h - Tasks and their results ---------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The messages between tuners and the workers of a cluster, as JSON. A task
// carries a message of the harness (baco/Protocol/Messages.h), and its result
// carries the harness's answer:
//
//   setup     nothing      Ready
//   trial     Submit       Evaluated
//   complete  Complete     Ready
//   finals    Rounds       Compared, and why the rounds ended
//
// or, for each of them, Refusal.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_CLUSTER_MESSAGES_H
#define BACO_CLUSTER_MESSAGES_H

#include "baco/Measure/Rounds.h"
#include "baco/Protocol/Messages.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baco::cluster {

/// Changes whenever a message does, or what it means. Messages of another
/// version are refused.
inline constexpr int clusterVersion = 1;

/// No task or result is longer, in bytes; larger things are payloads.
inline constexpr size_t maxTaskBytes = size_t{1} << 20;

/// No payload is longer, in bytes.
inline constexpr size_t maxPayloadBytes = size_t{1} << 30;

/// The part of all candidates that workers need before they evaluate one. It is
/// stored once, under its hash.
struct Payload {
  enum class Kind {
    /// `text` is a runtime::SetUp.
    Kernel,
    /// `text` is that of command::writeCommandOptions.
    Command,
    /// `text` is a table, as of study::ReplayEvaluator.
    Table
  };
  Kind kind = Kind::Kernel;
  /// The space, as of writeSpace; empty for kernels, whose text has it.
  std::string space = {};
  std::string text = {};
};

/// The final comparison: measure::compareInRounds, on one machine.
struct Rounds {
  std::vector<measure::Finalist> finalists;
  /// Without `onRound`.
  measure::RoundsOptions options = {};
};

struct Task {
  enum class Kind { SetUp, Trial, Complete, Finals };
  Kind kind = Kind::Trial;
  /// 16 lower-case hexadecimal digits.
  std::string study;
  /// The number of the trial, or of another request.
  uint64_t number = 0;
  /// How often the same was submitted before, since it was lost.
  uint64_t attempt = 0;
  /// The hash of the payload: 32 lower-case hexadecimal digits.
  std::string payload;
  /// For a trial; its `trial` is not read.
  runtime::Submit submit = {};
  /// For finals.
  Rounds rounds = {};

  /// What tells a task from others of its study, and is the last part of its
  /// subject: `t12` for trial 12, `r3` for another request.
  std::string token() const;
};

struct TaskResult {
  std::string study;
  /// Task::token and Task::attempt.
  std::string token;
  uint64_t attempt = 0;
  /// The worker, see Machine::id.
  std::string worker;
  /// The time of the plain kernel on that machine, by which machines of one
  /// class are compared; 0: unknown.
  double plainNs = 0;
  /// Ready, Evaluated, Compared or Refusal.
  runtime::Message answer = runtime::Refusal();
  /// For finals.
  measure::Cut cut = measure::Cut::None;
};

/// A worker as it describes itself.
struct Machine {
  /// Unique among workers: letters, digits, `-` and `_`.
  std::string id;
  /// The machine's name.
  std::string host;
  /// Candidates of a study run on machines of one class. See classOf.
  std::string machineClass;
  runtime::MachineDescription description = {};
  /// Versions that have to agree with those of the tuner.
  int cluster = clusterVersion;
  int protocol = runtime::protocolVersion;
  std::string llvm = {};
  /// Candidates that it evaluates at a time.
  uint64_t slots = 1;
  uint64_t busy = 0, done = 0, failed = 0;
  /// Why it refused the last task that it did; empty if none.
  std::string refused = {};
  /// The trouble that keeps it from handing in results now; empty if none.
  std::string trouble = {};
  bool isDraining = false;
  /// When it wrote this, in milliseconds since 1970.
  int64_t seenMs = 0;
};

/// The class of machines that compile the same code for a candidate and are
/// expected to take the same time for it: `znver4-0123abcd`, the CPU and a hash
/// of the description and of all versions.
std::string classOf(const runtime::MachineDescription &description,
                    std::string_view llvm);

std::string encode(const Payload &payload);
std::string encode(const Task &task);
std::string encode(const TaskResult &result);
std::string encode(const Machine &machine);

/// The inverses. Unsupported for another `clusterVersion`; else Corrupt if the
/// text is no such message: too long, not JSON, or with a field that is missing
/// or out of its range.
Result<Payload> decodePayload(std::string_view text);
Result<Task> decodeTask(std::string_view text);
Result<TaskResult> decodeResult(std::string_view text);
Result<Machine> decodeMachine(std::string_view text);

} // namespace baco::cluster

#endif // BACO_CLUSTER_MESSAGES_H
