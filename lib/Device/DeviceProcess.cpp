//===- DeviceProcess.cpp - The process that has a GPU ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Device/DeviceProcess.h"

#include "DeviceServer.h"
#include "baco/Protocol/Clock.h"

#include "baco/Protocol/CloseIfOpen.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;

/// Drivers take half a second; a machine that has just been started, some more.
static constexpr int openTimeoutMs = 120000;

static Error failed(const char *what) {
  return {ErrorCode::IOError,
          std::string(what) + " failed: " + std::strerror(errno)};
}

Result<std::unique_ptr<DeviceProcess>>
DeviceProcess::start(const DeviceOptions &options, const Signature &signature) {
  std::unique_ptr<DeviceProcess> device(new DeviceProcess(options, signature));
  if (!device->memory.allocate(DeviceLayout(signature).byteSize()))
    return failed("mmap");
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, device->sockets) !=
      0)
    return failed("socketpair");
  if (Result<void> launched = device->launch(); !launched)
    return launched.error();
  return device;
}

DeviceProcess::~DeviceProcess() {
  kill();
  // The system reaps what doesn't end in time.
  static_cast<void>(reap());
  for (int &socket : sockets)
    closeIfOpen(socket);
}

/// The life of the process.
[[noreturn]] static void serve(const DeviceOptions &options,
                               const Signature &signature, int socket,
                               std::byte *block, pid_t parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
    _exit(1);
  std::signal(SIGPIPE, SIG_IGN);
  // Nothing of the worker stays open but its standard error.
  int high = fcntl(socket, F_DUPFD, 16), null = open("/dev/null", O_RDWR);
  dup2(null, 0);
  dup2(null, 1);
  if (dup2(high, 3) != 3 || syscall(SYS_close_range, 4u, ~0u, 0u) != 0)
    _exit(1);
  serveDevice(options, signature, 3, block);
  _exit(0);
}

Result<void> DeviceProcess::launch() {
  // Requests and answers of an earlier process.
  char rest[256];
  for (int socket : sockets)
    while (recv(socket, rest, sizeof rest, MSG_DONTWAIT) > 0) {
    }
  auto *fresh = new (memory.data()) DeviceState{};
  fresh->generation = ++generation;
  pid_t self = getpid(), pid = fork();
  if (pid == 0)
    serve(options, signature, sockets[1], memory.data(), self);
  if (pid < 0)
    return failed("fork");
  process = pid;
  pidfd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (pidfd < 0)
    return failed("pidfd_open");
  pollfd entries[] = {{sockets[0], POLLIN, 0}, {pidfd, POLLIN, 0}};
  DeviceAnswer answer;
  poll(entries, 2, openTimeoutMs);
  bool hasAnswer =
      recv(sockets[0], &answer, sizeof answer, MSG_DONTWAIT) == sizeof answer;
  if (hasAnswer && !state().hasFailed)
    return {};
  std::string why = hasAnswer
                        ? std::string(state().message)
                        : "the process that opens the device " + describeEnd();
  kill();
  static_cast<void>(reap());
  return Error{ErrorCode::IOError, why};
}

bool DeviceProcess::hasEnded() const {
  pollfd entry{pidfd, POLLIN, 0};
  return pidfd < 0 || poll(&entry, 1, 0) > 0;
}

Result<void> DeviceProcess::ensureAlive() {
  if (!hasEnded() && !state().isBroken && !killDeadlineNs)
    return {};
  kill();
  if (reap())
    return launch();
  return {ErrorCode::IOError,
          "the process with the device (process " + std::to_string(process) +
              ") has not ended " + std::to_string(options.killTimeoutMs) +
              " ms after it was killed, since its kernel hangs in the driver; "
              "see '" +
              (options.api == DeviceApi::OpenCl ? "clinfo" : "nvidia-smi") +
              "', reset the device or restart the machine, and run the same "
              "command again"};
}

void DeviceProcess::kill() {
  if (process < 0 || killDeadlineNs)
    return;
  ::kill(process, SIGKILL);
  killDeadlineNs = nowNs() + options.killTimeoutMs * int64_t(1000000);
}

bool DeviceProcess::reap() {
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
  process = -1;
  killDeadlineNs = 0;
  closeIfOpen(pidfd);
  return true;
}

std::string DeviceProcess::describeEnd() {
  if (process < 0 || !hasEnded())
    return "doesn't answer";
  int status = 0;
  pid_t reaped = 0;
  while ((reaped = waitpid(process, &status, WNOHANG)) < 0 && errno == EINTR) {
  }
  if (reaped == 0)
    return "doesn't answer";
  process = -1;
  killDeadlineNs = 0;
  closeIfOpen(pidfd);
  if (!WIFSIGNALED(status))
    return "exited with code " + std::to_string(WEXITSTATUS(status));
  const char *name = sigabbrev_np(WTERMSIG(status));
  return "died of " + (name ? std::string("SIG") + name
                            : "signal " + std::to_string(WTERMSIG(status)));
}

void DeviceProcess::forget(pid_t client) {
  if (hasEnded())
    return;
  DeviceRequest request;
  request.kind = DeviceRequest::Forget;
  request.client = client;
  ::send(sockets[0], &request, sizeof request, MSG_NOSIGNAL | MSG_DONTWAIT);
}
