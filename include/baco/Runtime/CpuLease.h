//===- CpuLease.h - One measurement on a CPU at a time ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workers of several tuners may measure on the same CPU. The one that times
// holds a machine-wide lease: the name of a socket in Linux's abstract
// namespace. It leaves no file behind, and the system takes it back when its
// holder dies, in whatever way. Waiting workers are connected to it; who has
// waited longest, and isn't stopped, gets the socket from the holder when that
// is done. If the holder dies, all wake up, and one of them takes the name.
//
// The namespace is that of the network: containers with networks of their own
// do not see each other's leases.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_CPULEASE_H
#define BACO_RUNTIME_CPULEASE_H

#include <cstdint>
#include <functional>
#include <string>

namespace baco::runtime {

/// Not thread safe. A fork must close the descriptors, or it holds the lease,
/// too.
class CpuLease {
public:
  explicit CpuLease(int cpu);
  /// The lease of a GPU, which its UUID identifies.
  explicit CpuLease(const std::string &uuid);
  ~CpuLease();
  CpuLease(const CpuLease &) = delete;
  CpuLease &operator=(const CpuLease &) = delete;

  /// Takes the lease if it is free, or asks for it. Does not block. Processes
  /// get the lease in the order in which they have asked.
  ///
  /// \returns whether it is held now
  bool acquire();
  /// Waits for it. False if that is given up, as `isStopped` says before long.
  bool await(const std::function<bool()> &isStopped);
  /// Hands the lease to the first process that has asked, or gives up asking.
  void release();

  bool isHeld() const { return listener >= 0; }
  /// Whether the last call of `acquire` didn't get the lease.
  bool isWaiting() const { return waiting; }

  /// For poll while waiting: has an event when it is time to try again. -1 if
  /// there is no such event.
  int descriptor() const { return connection; }
  /// While waiting without such an event: when to try again.
  int64_t retryAtNs() const { return nextTryNs; }

  /// The errno if the last call of `acquire` failed for a reason other than a
  /// held lease; else 0.
  int error() const { return lastError; }

  /// The holder, for a message: "process 123". While waiting, and of the time
  /// when that began.
  std::string holder() const;

private:
  bool bindName();
  void connectToHolder();
  void takeOver();

  /// In the namespace of sockets.
  std::string name;
  /// Held: the socket that has the name.
  int listener = -1;
  /// Waiting: a connection to the one who has it, or -1.
  int connection = -1;
  bool waiting = false;
  int lastError = 0;
  int64_t nextTryNs = 0;
};

} // namespace baco::runtime

#endif // BACO_RUNTIME_CPULEASE_H
