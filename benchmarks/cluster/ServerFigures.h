//===- ServerFigures.h - What a server has done -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Messages, bytes, CPU time and memory of a nats-server.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_CLUSTER_SERVERFIGURES_H
#define BACO_BENCHMARKS_CLUSTER_SERVERFIGURES_H

#include <sys/types.h>

namespace baco::bench {

struct ServerFigures {
  /// From clients and to them.
  double messagesIn = 0, messagesOut = 0, bytesIn = 0, bytesOut = 0;
  double cpuSeconds = 0;
  /// At the moment.
  double memoryMB = 0;
};

/// Reads /varz of the server's port for monitoring, and /proc.
ServerFigures readFigures(int monitorPort, pid_t server);

} // namespace baco::bench

#endif // BACO_BENCHMARKS_CLUSTER_SERVERFIGURES_H
