//===- ChildProcess.h - The zygote's hold on a child ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Forks a child, sends it commands, keeps its output, and makes sure that it
// leaves nothing behind.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_CHILDPROCESS_H
#define BACO_RUNTIME_CHILDPROCESS_H

#include "baco/Protocol/SharedBlock.h"
#include "baco/Runtime/Child.h"
#include "baco/Support/Result.h"

#include <memory>
#include <string>

namespace baco::runtime {

/// How a process ended.
struct ProcessEnd {
  /// The signal that ended it, or 0.
  int signal = 0;
  /// Its exit code, unless a signal ended it.
  int exitCode = 0;
  /// Whether SIGKILL came while the system killed processes to get memory.
  bool isForMemory = false;
  /// Whether SIGKILL came at the limit of its CPU time.
  bool isForCpuTime = false;
};

class ChildProcess {
public:
  /// Forks. IOError if the system refuses.
  static Result<std::unique_ptr<ChildProcess>>
  start(const ChildContext &context,
        const std::optional<std::string> &configuration);

  /// Kills and reaps.
  ~ChildProcess();
  ChildProcess(const ChildProcess &) = delete;
  ChildProcess &operator=(const ChildProcess &) = delete;

  /// Sends a command; its sequence number is filled in. A child that is dead
  /// takes none: its end shows soon enough.
  void send(Command command);

  /// Whether the last command was carried out, according to both the socket and
  /// the completion marker. Does not block.
  bool hasCompleted();

  /// The CPU time that it has used; 0 if it has ended.
  int64_t cpuNs() const;

  /// Whether it has ended by itself. Does not block.
  bool hasEnded() const;

  /// Reads what it has printed so far. Does not block.
  void drainOutput();

  /// Kills the process, if it is not dead, and reaps it. Processes of the
  /// compiler (CandidateCompiler::enterChild) die with it; there are no other
  /// descendants, as it may not fork.
  ProcessEnd end();

  /// Kills the process and doesn't wait until it is gone, which takes
  /// milliseconds: it has a compiler's memory. The CPUs that the caller may use
  /// do that work.
  void kill();

  /// The child's standard output and error, from the beginning, up to a few
  /// KiB.
  const std::string &output() const { return captured; }

  /// Not to be trusted beyond its types' ranges.
  const ControlBlock &control() const { return *shared; }

  /// The object code that it left, to be asked for when it has compiled and not
  /// run yet: what runs may write there. Empty if there is none.
  std::string object() const;

  pid_t pid() const { return process; }
  /// For poll: readable when an answer has come, ended, has printed. -1 when
  /// there is nothing more to come.
  int socketDescriptor() const { return socket; }
  int processDescriptor() const { return pidfd; }
  int outputDescriptor() const { return outputPipe; }

private:
  ChildProcess() = default;

  pid_t process = -1;
  int pidfd = -1, socket = -1, outputPipe = -1;
  SharedBlock memory, objectMemory;
  ControlBlock *shared = nullptr;
  uint32_t lastSequence = 0;
  /// The limit on its CPU time.
  uint64_t limitSeconds = 0;
  /// The kernel's record when it was forked.
  int64_t killsBefore = 0;
  /// Answers are expected in the order of the commands.
  bool answered = false;
  std::string captured;
};

} // namespace baco::runtime

#endif // BACO_RUNTIME_CHILDPROCESS_H
