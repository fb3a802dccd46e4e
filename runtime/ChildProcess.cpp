//===- ChildProcess.cpp - The zygote's hold on a child --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/ChildProcess.h"

#include "baco/Protocol/CloseIfOpen.h"

#include "baco/Runtime/OutOfMemory.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;

/// Enough for any diagnostic; a flood is read and dropped.
static constexpr size_t maxCaptured = 16 << 10;

Result<std::unique_ptr<ChildProcess>>
ChildProcess::start(const ChildContext &context,
                    const std::optional<std::string> &configuration) {
  std::unique_ptr<ChildProcess> child(new ChildProcess);
  auto failed = [](const char *what) {
    return Error{ErrorCode::IOError,
                 std::string(what) + " failed: " + std::strerror(errno)};
  };
  if (!child->memory.allocate(sizeof(ControlBlock)))
    return failed("mmap");
  child->shared = new (child->memory.data()) ControlBlock{};
  if (!child->objectMemory.allocate(maxObjectBytes))
    return failed("mmap");

  int sockets[2], pipes[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0)
    return failed("socketpair");
  child->socket = sockets[0];
  if (pipe2(pipes, O_CLOEXEC) != 0) {
    Error error = failed("pipe");
    close(sockets[1]);
    return error;
  }
  child->outputPipe = pipes[0];
  fcntl(pipes[0], F_SETFL, O_NONBLOCK);

  child->limitSeconds = context.limits.cpuSeconds;
  child->killsBefore = countOutOfMemoryKills();
  pid_t parent = getpid();
  // Buffered output would be printed twice.
  std::fflush(nullptr);
  pid_t pid = fork();
  if (pid == 0) {
    if (!enterChild(parent, sockets[1], pipes[1], context.limits,
                    *child->shared, context.deviceSocket))
      _exit(1);
    runChild(context, configuration, *child->shared,
             child->objectMemory.data());
  }
  Error forkError = failed("fork");
  close(sockets[1]);
  close(pipes[1]);
  if (pid < 0)
    return forkError;
  child->process = pid;
  child->memory.hideFromForks();
  child->objectMemory.hideFromForks();
  child->pidfd = syscall(SYS_pidfd_open, pid, 0);
  if (child->pidfd < 0)
    return failed("pidfd_open");
  return child;
}

ChildProcess::~ChildProcess() {
  if (process > 0)
    end();
  for (int *descriptor : {&pidfd, &socket, &outputPipe})
    closeIfOpen(*descriptor);
}

void ChildProcess::send(Command command) {
  command.sequence = ++lastSequence;
  answered = false;
  ::send(socket, &command, sizeof command, MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool ChildProcess::hasCompleted() {
  // A flood must not keep the caller here for ever.
  for (int i = 0; i < 64 && socket >= 0 && !answered; ++i) {
    uint32_t sequence = 0;
    ssize_t n = recv(socket, &sequence, sizeof sequence, MSG_DONTWAIT);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0 && errno == EAGAIN)
      return false;
    if (n <= 0)
      closeIfOpen(socket);
    answered = n == sizeof sequence && sequence == lastSequence;
  }
  return answered && shared->completed == lastSequence + 1;
}

int64_t ChildProcess::cpuNs() const {
  clockid_t clock;
  timespec used;
  if (clock_getcpuclockid(process, &clock) != 0 ||
      clock_gettime(clock, &used) != 0)
    return 0;
  return int64_t{used.tv_sec} * 1000000000 + used.tv_nsec;
}

bool ChildProcess::hasEnded() const {
  pollfd entry{pidfd, POLLIN, 0};
  return poll(&entry, 1, 0) > 0;
}

void ChildProcess::drainOutput() {
  char bytes[4096];
  // A flood must not keep the caller here for ever.
  for (int i = 0; i < 64 && outputPipe >= 0; ++i) {
    ssize_t n = read(outputPipe, bytes, sizeof bytes);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
      return;
    if (n <= 0)
      return closeIfOpen(outputPipe);
    captured.append(bytes, std::min<size_t>(n, maxCaptured - captured.size()));
  }
}

std::string ChildProcess::object() const {
  size_t size = std::min<size_t>(shared->objectBytes, maxObjectBytes);
  return {reinterpret_cast<const char *>(objectMemory.data()), size};
}

void ChildProcess::kill() {
  cpu_set_t cpus;
  if (sched_getaffinity(0, sizeof cpus, &cpus) == 0)
    sched_setaffinity(process, sizeof cpus, &cpus);
  ::kill(process, SIGKILL);
}

ProcessEnd ChildProcess::end() {
  ProcessEnd result;
  ::kill(process, SIGKILL);
  int status = 0;
  rusage used{};
  while (wait4(process, &status, 0, &used) < 0 && errno == EINTR) {
  }
  process = -1;
  if (WIFEXITED(status))
    result.exitCode = WEXITSTATUS(status);
  else
    result.signal = WTERMSIG(status);
  if (result.signal == SIGKILL) {
    result.isForMemory = countOutOfMemoryKills() > killsBefore;
    result.isForCpuTime =
        static_cast<uint64_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) >=
        limitSeconds;
  }
  drainOutput();
  return result;
}
