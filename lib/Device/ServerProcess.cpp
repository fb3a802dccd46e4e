//===- ServerProcess.cpp - A child process that has a device --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Device/ServerProcess.h"

#include "baco/Protocol/Clock.h"
#include "baco/Protocol/CloseIfOpen.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;

ServerProcess::~ServerProcess() {
  kill();
  // The system reaps what doesn't end in time.
  static_cast<void>(reap());
}

/// The life of the process.
[[noreturn]] static void live(int socket, pid_t parent,
                              const std::function<void(int)> &serve) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
    _exit(1);
  std::signal(SIGPIPE, SIG_IGN);
  // Handlers of this process would hide what a kernel dies of.
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    std::signal(fault, SIG_DFL);
  // Nothing of the parent stays open but its standard error.
  int high = fcntl(socket, F_DUPFD, 16), null = open("/dev/null", O_RDWR);
  dup2(null, 0);
  dup2(null, 1);
  if (dup2(high, 3) != 3 || syscall(SYS_close_range, 4u, ~0u, 0u) != 0)
    _exit(1);
  serve(3);
  _exit(0);
}

Result<void> ServerProcess::start(int socket,
                                  const std::function<void(int)> &serve) {
  auto failed = [](const char *what) {
    return Error{ErrorCode::IOError,
                 std::string(what) + " failed: " + std::strerror(errno)};
  };
  pid_t self = getpid(), pid = fork();
  if (pid == 0)
    live(socket, self, serve);
  if (pid < 0)
    return failed("fork");
  process = pid;
  pidfd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (pidfd < 0)
    return failed("pidfd_open");
  return {};
}

bool ServerProcess::hasEnded() const {
  pollfd entry{pidfd, POLLIN, 0};
  return pidfd < 0 || poll(&entry, 1, 0) > 0;
}

void ServerProcess::kill() {
  if (process < 0 || killDeadlineNs)
    return;
  ::kill(process, SIGKILL);
  killDeadlineNs = nowNs() + killTimeoutMs * int64_t(1000000);
}

void ServerProcess::forget() {
  process = -1;
  killDeadlineNs = 0;
  closeIfOpen(pidfd);
}

bool ServerProcess::reap() {
  while (process > 0) {
    pid_t reaped = waitpid(process, nullptr, WNOHANG);
    if (reaped == process || (reaped < 0 && errno != EINTR))
      break;
    if (nowNs() >= killDeadlineNs)
      return false;
    // It is readable some time before the process can be reaped.
    pollfd entry{pidfd, POLLIN, 0};
    if (poll(&entry, 1, 10) > 0)
      usleep(1000);
  }
  forget();
  return true;
}

std::string ServerProcess::describeEnd() {
  if (process < 0 || !hasEnded())
    return "doesn't answer";
  int status = 0;
  pid_t reaped = 0;
  while ((reaped = waitpid(process, &status, WNOHANG)) < 0 && errno == EINTR) {
  }
  if (reaped == 0)
    return "doesn't answer";
  forget();
  if (!WIFSIGNALED(status))
    return "exited with code " + std::to_string(WEXITSTATUS(status));
  const char *name = sigabbrev_np(WTERMSIG(status));
  return "died of " + (name ? std::string("SIG") + name
                            : "signal " + std::to_string(WTERMSIG(status)));
}
