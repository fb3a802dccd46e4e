//===- ServerProcess.h - A child process that has a device ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A driver of a device doesn't go with forks, and some errors end what it can
// do. So a child has it, which can be killed at any moment.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DEVICE_SERVERPROCESS_H
#define BACO_DEVICE_SERVERPROCESS_H

#include "baco/Support/Result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <sys/types.h>

namespace baco::runtime {

class ServerProcess {
public:
  /// \param killTimeoutMs  how long the child may take to end once it is killed
  explicit ServerProcess(int killTimeoutMs) : killTimeoutMs(killTimeoutMs) {}
  /// Kills it, and waits so long.
  ~ServerProcess();
  ServerProcess(const ServerProcess &) = delete;
  ServerProcess &operator=(const ServerProcess &) = delete;

  /// Forks a child that calls `serve` with its end of a socket, and ends when
  /// that returns, or when this process does. It has no other descriptors but
  /// an empty input and output, and the standard error. There must be no child.
  /// IOError if the system refuses.
  ///
  /// \param socket  the child's end, which stays open here
  Result<void> start(int socket, const std::function<void(int)> &serve);

  /// Kills it. Does not block.
  void kill();
  /// Waits for its end after kill(); whether it came in time.
  bool reap();
  /// Whether it has ended by itself. Does not block.
  bool hasEnded() const;
  /// How it ended, for messages.
  std::string describeEnd();

  /// The process's id; -1 if there is none.
  pid_t pid() const { return process; }
  bool isKilled() const { return killDeadlineNs != 0; }
  /// For poll: readable when it has ended by itself.
  int descriptor() const { return isKilled() ? -1 : pidfd; }

private:
  void forget();

  int killTimeoutMs;
  pid_t process = -1;
  int pidfd = -1;
  /// When a process that was killed has to have ended; 0: it wasn't.
  int64_t killDeadlineNs = 0;
};

} // namespace baco::runtime

#endif // BACO_DEVICE_SERVERPROCESS_H
