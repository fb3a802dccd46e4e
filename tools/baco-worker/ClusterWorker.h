//===- ClusterWorker.h - A worker of a cluster ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_BACOWORKER_CLUSTERWORKER_H
#define BACO_TOOLS_BACOWORKER_CLUSTERWORKER_H

#include "baco/Cluster/Cluster.h"

namespace baco::tool {

/// What --nats and the options that go with it say.
struct ClusterLine {
  cluster::ServerOptions server;
  uint64_t slots = 1;
  std::string id;
  std::vector<std::string> allowedCommands;
  /// The folder for payloads and for folders of candidates, and the size of the
  /// payloads in MiB.
  std::string cache;
  uint64_t cacheMiB = 1024;
};

/// Works for a cluster until SIGTERM. Returns the exit code.
int workForCluster(const ClusterLine &line,
                   const runtime::MachineDescription &machine);

} // namespace baco::tool

#endif // BACO_TOOLS_BACOWORKER_CLUSTERWORKER_H
