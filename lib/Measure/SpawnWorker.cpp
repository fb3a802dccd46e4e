//===- SpawnWorker.cpp - Start and end a worker program -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Measure/SpawnWorker.h"

#include "baco/Protocol/Channel.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace baco;
using namespace baco::measure;
using baco::runtime::workerSocket;

/// Starts `program`, with the connection as workerSocket, or else as standard
/// input and output.
static Result<SpawnedWorker> spawn(const std::string &program,
                                   const std::vector<std::string> &arguments,
                                   bool isOnStandard) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    return {ErrorCode::IOError,
            std::string("cannot make a socket for the worker: ") +
                std::strerror(errno)};

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (isOnStandard) {
    posix_spawn_file_actions_adddup2(&actions, sockets[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, sockets[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  } else {
    posix_spawn_file_actions_adddup2(&actions, sockets[1], workerSocket);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    // The tuner's output may be a module that the next tool reads.
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, workerSocket + 1);
  }

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID |
                                            POSIX_SPAWN_SETSIGMASK |
                                            POSIX_SPAWN_SETSIGDEF);

  std::vector<char *> words = {const_cast<char *>(program.c_str())};
  for (const std::string &argument : arguments)
    words.push_back(const_cast<char *>(argument.c_str()));
  words.push_back(nullptr);
  SpawnedWorker worker;
  worker.socket = sockets[0];
  int error = posix_spawn(&worker.process, program.c_str(), &actions,
                          &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(sockets[1]);
  if (error == 0)
    return worker;
  close(sockets[0]);
  return {ErrorCode::IOError, "cannot start the worker '" + program + "' (" +
                                  std::strerror(error) +
                                  "): build it or set BACO_WORKER"};
}

Result<SpawnedWorker>
baco::measure::spawnWorker(const std::string &program,
                           const std::vector<std::string> &arguments) {
  return spawn(program, arguments, /*isOnStandard=*/false);
}

Result<SpawnedWorker> baco::measure::spawnRunner(const std::string &command) {
  return spawn("/bin/sh", {"-c", command}, /*isOnStandard=*/true);
}

/// How a process ended, for a message.
static std::string describeStatus(const siginfo_t &status) {
  if (status.si_code == CLD_EXITED)
    return "exited with code " + std::to_string(status.si_status);
  const char *name = sigabbrev_np(status.si_status);
  return name ? std::string("died of SIG") + name
              : "died of signal " + std::to_string(status.si_status);
}

std::string baco::measure::endWorker(pid_t &process, int64_t graceMs,
                                     bool *wasKilled) {
  if (process <= 0)
    return "was not running";
  int pidfd = syscall(SYS_pidfd_open, process, 0);
  pollfd entry{pidfd, POLLIN, 0};
  if (pidfd < 0 || poll(&entry, 1, static_cast<int>(graceMs)) <= 0)
    kill(-process, SIGKILL);
  if (pidfd >= 0)
    close(pidfd);
  siginfo_t status{};
  while (waitid(P_PID, process, &status, WEXITED) < 0 && errno == EINTR) {
  }
  process = -1;
  if (wasKilled)
    *wasKilled = status.si_code != CLD_EXITED;
  return describeStatus(status);
}
