//===- DeviceProcess.h - The process that has a GPU -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA's context doesn't go with forks, limits on address space or the sandbox,
// and some errors end it. So one child of the worker has it as long as it
// works, and serves candidates one after another; another child follows it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DEVICE_DEVICEPROCESS_H
#define BACO_DEVICE_DEVICEPROCESS_H

#include "baco/Device/DeviceLink.h"
#include "baco/Device/ServerProcess.h"
#include "baco/Protocol/SharedBlock.h"

#include <memory>
#include <sys/types.h>

namespace baco::runtime {

class DeviceProcess {
public:
  /// Forks a process that opens the device, and waits for that. The error is
  /// one of CudaDevice::open, or IOError if the system refuses.
  static Result<std::unique_ptr<DeviceProcess>>
  start(const DeviceOptions &options, const Signature &signature);
  /// Kills it, and waits as long as DeviceOptions::killTimeoutMs says.
  ~DeviceProcess();
  DeviceProcess(const DeviceProcess &) = delete;
  DeviceProcess &operator=(const DeviceProcess &) = delete;

  /// Starts another process if there is none that works. IOError if one that
  /// was killed doesn't end.
  Result<void> ensureAlive();
  /// Kills it, because a kernel hangs or has ended the context. Does not block.
  void kill() { server.kill(); }
  /// Whether it has ended by itself. Does not block.
  bool hasEnded() const { return server.hasEnded(); }
  /// How it ended, for messages.
  std::string describeEnd() { return server.describeEnd(); }

  /// Frees what the candidate with this process had there.
  void forget(pid_t client);

  const DeviceState &state() const {
    return *reinterpret_cast<const DeviceState *>(memory.data());
  }

  /// The process's id; -1 if there is none.
  pid_t pid() const { return server.pid(); }

  /// For DeviceClient.
  int clientSocket() const { return sockets[0]; }
  std::byte *block() const { return memory.data(); }
  /// For poll: readable when it has ended by itself.
  int processDescriptor() const { return server.descriptor(); }

private:
  DeviceProcess(const DeviceOptions &options, const Signature &signature)
      : options(options), signature(signature), server(options.killTimeoutMs) {}
  Result<void> launch();

  DeviceOptions options;
  const Signature &signature;
  SharedBlock memory;
  /// The candidates' end and that of the process, which passes to the next.
  int sockets[2] = {-1, -1};
  uint32_t generation = 0;
  ServerProcess server;
};

} // namespace baco::runtime

#endif // BACO_DEVICE_DEVICEPROCESS_H
