//===- CpuLease.cpp - One measurement on a CPU at a time ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/CpuLease.h"

#include "CloseIfOpen.h"

#include "baco/Runtime/Clock.h"

#include <cerrno>
#include <cstddef>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

using namespace baco;
using namespace baco::runtime;

/// How long a worker that released the lease leaves it to others, which have to
/// wake up.
static constexpr int64_t courtesyNs = 2000000;
/// The interval of attempts of a worker that gets no event when the lease is
/// free.
static constexpr int64_t retryNs = 5000000;
/// Try again even without an event from the holder.
static constexpr int64_t watchNs = 1000000000;

namespace {
struct Address {
  sockaddr_un address{};
  socklen_t length = 0;

  explicit Address(const std::string &name) {
    address.sun_family = AF_UNIX;
    // A name that begins with a zero is no path.
    size_t size = name.copy(address.sun_path + 1, sizeof address.sun_path - 1);
    length = offsetof(sockaddr_un, sun_path) + 1 + size;
  }
  const sockaddr *get() const {
    return reinterpret_cast<const sockaddr *>(&address);
  }
};
} // namespace

static int makeSocket() {
  return socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

CpuLease::CpuLease(int cpu)
    : name("baco-measures-on-cpu-" + std::to_string(cpu)) {}

CpuLease::CpuLease(const std::string &uuid)
    : name("baco-measures-on-" + uuid) {}

CpuLease::~CpuLease() {
  closeIfOpen(listener);
  closeIfOpen(connection);
}

/// False if the name is taken.
bool CpuLease::bindName() {
  Address address(name);
  listener = makeSocket();
  lastError = 0;
  if (listener >= 0 && bind(listener, address.get(), address.length) == 0) {
    // More connections than there are CPUs for waiting workers.
    constexpr int most = 128;
    listen(listener, most);
    return true;
  }
  if (listener < 0 || errno != EADDRINUSE)
    lastError = errno;
  closeIfOpen(listener);
  return false;
}

/// If the holder is gone, or not yet listening, try again.
void CpuLease::connectToHolder() {
  Address address(name);
  connection = makeSocket();
  if (connection >= 0 &&
      connect(connection, address.get(), address.length) == 0)
    return;
  closeIfOpen(connection);
}

bool CpuLease::acquire() {
  if (isHeld())
    return true;
  int64_t now = nowNs();
  if (!waiting && now < nextTryNs) {
    waiting = true;
    return false;
  }
  if (waiting && now < nextTryNs) {
    pollfd entry{connection, POLLIN, 0};
    if (connection < 0 || poll(&entry, 1, 0) == 0)
      return false;
  }
  closeIfOpen(connection);
  waiting = !bindName();
  if (!waiting)
    return true;
  connectToHolder();
  nextTryNs = now + (connection >= 0 ? watchNs : retryNs);
  return false;
}

void CpuLease::release() {
  waiting = false;
  closeIfOpen(connection);
  if (!isHeld())
    return;
  // Waiting workers are in the queue of connections.
  pollfd entry{listener, POLLIN, 0};
  bool isWanted = poll(&entry, 1, 0) > 0;
  closeIfOpen(listener);
  nextTryNs = isWanted ? nowNs() + courtesyNs : 0;
}

std::string CpuLease::holder() const {
  ucred credentials{};
  socklen_t length = sizeof credentials;
  if (connection < 0 || getsockopt(connection, SOL_SOCKET, SO_PEERCRED,
                                   &credentials, &length) != 0)
    return "another process";
  return "process " + std::to_string(credentials.pid);
}
