//===- RunCommand.h - One run of a command ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A command runs in a session of its own under a supervisor, a process that
// adopts whatever the command leaves behind, and ends it. So nothing outlives a
// run, however it ends, and even if the tuner itself is killed. If somebody
// kills the supervisor, only the shell is certain to end.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_COMMAND_RUNCOMMAND_H
#define BACO_COMMAND_RUNCOMMAND_H

#include "baco/Support/Result.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace baco::command {

struct CommandLimits {
  /// Wall time of a run in milliseconds, > 0.
  int64_t timeoutMs = 60000;
  /// Bytes on standard output and standard error together, > 0.
  uint64_t maxOutputBytes = uint64_t{256} << 20;
};

/// The end of a run.
struct CommandEnd {
  enum Kind {
    /// `code` is the exit code.
    Exited,
    /// `code` is the number of a signal that didn't come from here.
    Signaled,
    TimedOut,
    TooMuchOutput,
    /// The caller gave it up, or somebody killed the supervisor.
    Stopped
  };
  Kind kind = Stopped;
  int code = 0;
  /// Wall time of the shell, and CPU time of it and of the children that it
  /// waited for, in nanoseconds.
  double wallNs = 0, cpuNs = 0;
  /// The last part of standard output and standard error: `maxKeptBytes` at
  /// most of each.
  std::string output, errors;
};

inline constexpr size_t maxKeptBytes = size_t{1} << 20;

/// Runs `line` with /bin/sh in the current folder, with `environment` (names
/// and values) on top of this process's and no standard input. Returns when
/// the command and all processes that it started have ended, whether they kept
/// to its session or not. After its time, or when `isStopped` becomes true,
/// they get SIGTERM, and SIGKILL soon after. IOError if no process can be
/// started. Thread-safe.
Result<CommandEnd>
runCommand(const std::string &line,
           const std::vector<std::pair<std::string, std::string>> &environment,
           const CommandLimits &limits,
           const std::function<bool()> &isStopped = nullptr);

} // namespace baco::command

#endif // BACO_COMMAND_RUNCOMMAND_H
