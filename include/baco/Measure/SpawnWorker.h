//===- SpawnWorker.h - Start and end a worker program -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starts and ends the worker program.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_MEASURE_SPAWNWORKER_H
#define BACO_MEASURE_SPAWNWORKER_H

#include "baco/Support/Result.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace baco::measure {

struct SpawnedWorker {
  pid_t process = -1;
  /// Our end of the connection; the worker's is runtime::workerSocket.
  int socket = -1;
};

/// Starts `program` in a session of its own, so that Ctrl-C reaches this
/// process only, with no other file than the connection and standard error.
/// Never forks. IOError if it can't be started.
Result<SpawnedWorker> spawnWorker(const std::string &program,
                                  const std::vector<std::string> &arguments);

/// Starts a shell that runs `command` in the same way, but with the connection
/// as its standard input and output.
Result<SpawnedWorker> spawnRunner(const std::string &command);

/// Waits up to `graceMs` for the process to end, which it does when its
/// connection is closed, then kills it and what it
/// has started in its process group. Sets `process` to -1 and returns how it
/// ended, e.g. "died of SIGKILL". Sets `wasKilled`, if given, to whether a
/// signal ended it.
std::string endWorker(pid_t &process, int64_t graceMs,
                      bool *wasKilled = nullptr);

} // namespace baco::measure

#endif // BACO_MEASURE_SPAWNWORKER_H
