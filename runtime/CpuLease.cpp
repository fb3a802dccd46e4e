//===- CpuLease.cpp - One measurement on a CPU at a time ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/CpuLease.h"

#include "baco/Protocol/CloseIfOpen.h"

#include "baco/Protocol/Clock.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

using namespace baco;
using namespace baco::runtime;

/// The interval of attempts of a worker that gets no event when the lease is
/// free.
static constexpr int64_t retryNs = 5000000;
/// More connections than there are CPUs for waiting workers.
static constexpr int maxWaiting = 128;

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

namespace {
/// A message of one byte with a place for one descriptor.
struct DescriptorMessage {
  char byte = 0;
  iovec text{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr header{};

  DescriptorMessage() {
    header.msg_iov = &text;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
  }
};
} // namespace

/// Whether the process at the other end of `connection` is stopped, so that it
/// would keep what it gets. False if that isn't known.
static bool isStopped(int connection) {
  ucred credentials{};
  socklen_t length = sizeof credentials;
  if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &credentials, &length) !=
          0 ||
      credentials.pid == 0)
    return false;
  std::ifstream file("/proc/" + std::to_string(credentials.pid) + "/stat");
  std::string text;
  std::getline(file, text);
  // The state follows the name, which may hold any character.
  size_t end = text.rfind(") ");
  return end != std::string::npos && text.substr(end + 2, 1) == "T";
}

/// Hands `descriptor` to whoever is at the other end of `connection`; false if
/// nobody is.
static bool sendDescriptor(int connection, int descriptor) {
  DescriptorMessage message;
  cmsghdr *head = CMSG_FIRSTHDR(&message.header);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
  return sendmsg(connection, &message.header, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

/// The descriptor that has come by `connection`; -1 if none has.
static int receiveDescriptor(int connection) {
  DescriptorMessage message;
  if (recvmsg(connection, &message.header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT) !=
      1)
    return -1;
  cmsghdr *head = CMSG_FIRSTHDR(&message.header);
  if (!head || head->cmsg_type != SCM_RIGHTS)
    return -1;
  int descriptor = -1;
  std::memcpy(&descriptor, CMSG_DATA(head), sizeof descriptor);
  return descriptor;
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
    listen(listener, maxWaiting);
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

/// Takes what the holder may have handed over. Then it is named as the holder.
void CpuLease::takeOver() {
  listener = connection < 0 ? -1 : receiveDescriptor(connection);
  if (isHeld())
    listen(listener, maxWaiting);
}

bool CpuLease::acquire() {
  if (isHeld())
    return true;
  if (waiting) {
    pollfd entry{connection, POLLIN, 0};
    if (connection < 0 ? nowNs() < nextTryNs : poll(&entry, 1, 0) == 0)
      return false;
    takeOver();
  }
  closeIfOpen(connection);
  waiting = !isHeld() && !bindName();
  if (!waiting)
    return true;
  connectToHolder();
  nextTryNs = connection >= 0 ? INT64_MAX : nowNs() + retryNs;
  return false;
}

bool CpuLease::await(const std::function<bool()> &isStopped) {
  while (!acquire()) {
    if (isStopped())
      return false;
    constexpr int intervalMs = 20;
    pollfd entry = {descriptor(), POLLIN, 0};
    poll(&entry, 1, intervalMs);
  }
  return true;
}

void CpuLease::release() {
  if (waiting)
    takeOver();
  waiting = false;
  closeIfOpen(connection);
  if (!isHeld())
    return;
  // Waiting workers are in the queue of connections, those that died, too.
  for (bool isTaken = false; !isTaken;) {
    int next = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (next < 0)
      break;
    isTaken = !isStopped(next) && sendDescriptor(next, listener);
    close(next);
  }
  closeIfOpen(listener);
}

std::string CpuLease::holder() const {
  ucred credentials{};
  socklen_t length = sizeof credentials;
  if (connection < 0 || getsockopt(connection, SOL_SOCKET, SO_PEERCRED,
                                   &credentials, &length) != 0)
    return "another process";
  return "process " + std::to_string(credentials.pid);
}
