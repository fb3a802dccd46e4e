//===- Relay.cpp - A worker on standard input and output ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Protocol/Relay.h"

#include "baco/Protocol/Channel.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;

static bool isSocket(int descriptor) {
  struct stat info;
  return fstat(descriptor, &info) == 0 && S_ISSOCK(info.st_mode);
}

static bool isPipe(int descriptor) {
  struct stat info;
  return fstat(descriptor, &info) == 0 && S_ISFIFO(info.st_mode);
}

bool runtime::hasWorkerSocket() { return isSocket(workerSocket); }

bool runtime::isOnStandard() {
  return (isSocket(STDIN_FILENO) || isPipe(STDIN_FILENO)) &&
         (isSocket(STDOUT_FILENO) || isPipe(STDOUT_FILENO));
}

namespace {
/// Bytes on their way from one descriptor to another.
struct Stream {
  int from, to;
  std::string bytes = {};

  /// The events to wait for: more bytes only once the last ones are written.
  pollfd source() const { return {bytes.empty() ? from : -1, POLLIN, 0}; }
  pollfd sink() const { return {bytes.empty() ? -1 : to, POLLOUT, 0}; }

  /// False at the end.
  bool read();
  bool write();
};
} // namespace

bool Stream::read() {
  char buffer[1 << 16];
  ssize_t count = ::read(from, buffer, sizeof buffer);
  if (count > 0)
    bytes.assign(buffer, count);
  return count > 0 || (count < 0 && errno == EINTR);
}

bool Stream::write() {
  // So much of a pipe is free when it can be written to.
  size_t most = std::min<size_t>(bytes.size(), PIPE_BUF);
  ssize_t count = ::write(to, bytes.data(), most);
  if (count > 0)
    bytes.erase(0, count);
  return count > 0 || (count < 0 && errno == EINTR);
}

/// Relays until an end is closed.
static void relay(int socket) {
  Stream toWorker{STDIN_FILENO, socket}, toTuner{socket, STDOUT_FILENO};
  while (true) {
    pollfd entries[] = {toWorker.source(), toTuner.source(), toWorker.sink(),
                        toTuner.sink()};
    if (poll(entries, std::size(entries), /*timeout=*/-1) < 0)
      continue;
    if ((entries[0].revents && !toWorker.read()) ||
        (entries[1].revents && !toTuner.read()) ||
        (entries[2].revents && !toWorker.write()) ||
        (entries[3].revents && !toTuner.write()))
      return;
  }
}

/// The exit code of a process, as a shell gives it.
static int waitFor(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  constexpr int signaled = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : signaled + WTERMSIG(status);
}

/// Moves the descriptors of the new worker to where it expects them.
static bool becomeWorker(int socket) {
  int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  return null >= 0 && dup2(null, STDIN_FILENO) >= 0 &&
         dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 &&
         (socket == workerSocket || dup2(socket, workerSocket) >= 0);
}

Result<std::optional<int>> runtime::splitRelay() {
  auto refused = [](const char *what) {
    return Error{ErrorCode::IOError,
                 std::string(what) + ": " + std::strerror(errno)};
  };
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    return refused("cannot make a socket for the worker");
  pid_t worker = fork();
  if (worker < 0)
    return refused("cannot start the worker");
  if (worker == 0) {
    if (!becomeWorker(sockets[1]))
      return refused("cannot connect the worker");
    for (int socket : sockets)
      if (socket != workerSocket)
        close(socket);
    return std::optional<int>();
  }
  close(sockets[1]);
  std::signal(SIGPIPE, SIG_IGN);
  relay(sockets[0]);
  // The worker ends when its socket is closed.
  close(sockets[0]);
  return std::optional(waitFor(worker));
}
