//===- DeviceProcess.cpp - The process that has a GPU ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Device/DeviceProcess.h"

#include "DeviceServer.h"
#include "baco/Protocol/CloseIfOpen.h"

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>

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
  for (int &socket : sockets)
    closeIfOpen(socket);
}

Result<void> DeviceProcess::launch() {
  // Requests and answers of an earlier process.
  char rest[256];
  for (int socket : sockets)
    while (recv(socket, rest, sizeof rest, MSG_DONTWAIT) > 0) {
    }
  auto *fresh = new (memory.data()) DeviceState{};
  fresh->generation = ++generation;
  if (Result<void> started = server.start(sockets[1],
                                          [&](int socket) {
                                            serveDevice(options, signature,
                                                        socket, memory.data());
                                          });
      !started)
    return started;
  pollfd entries[] = {{sockets[0], POLLIN, 0},
                      {server.descriptor(), POLLIN, 0}};
  DeviceAnswer answer;
  poll(entries, 2, openTimeoutMs);
  bool hasAnswer =
      recv(sockets[0], &answer, sizeof answer, MSG_DONTWAIT) == sizeof answer;
  if (hasAnswer && !state().hasFailed)
    return {};
  std::string why = hasAnswer
                        ? std::string(state().message)
                        : "the process that opens the device " + describeEnd();
  server.kill();
  static_cast<void>(server.reap());
  return Error{ErrorCode::IOError, why};
}

Result<void> DeviceProcess::ensureAlive() {
  if (!server.hasEnded() && !state().isBroken && !server.isKilled())
    return {};
  server.kill();
  if (server.reap())
    return launch();
  return {ErrorCode::IOError,
          "the process with the device (process " +
              std::to_string(server.pid()) + ") has not ended " +
              std::to_string(options.killTimeoutMs) +
              " ms after it was killed, since its kernel hangs in the driver; "
              "see '" +
              (options.api == DeviceApi::OpenCl ? "clinfo" : "nvidia-smi") +
              "', reset the device or restart the machine, and run the same "
              "command again"};
}

void DeviceProcess::forget(pid_t client) {
  if (hasEnded())
    return;
  DeviceRequest request;
  request.kind = DeviceRequest::Forget;
  request.client = client;
  ::send(sockets[0], &request, sizeof request, MSG_NOSIGNAL | MSG_DONTWAIT);
}
