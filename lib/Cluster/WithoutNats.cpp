//===- WithoutNats.cpp - Builds without libnats ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Cluster/Cluster.h"

using namespace baco;
using namespace baco::cluster;

Result<std::unique_ptr<Cluster>> Cluster::connect(const ServerOptions &) {
  return {ErrorCode::Unsupported,
          "--nats: this build of baco has no NATS; install libnats-dev, "
          "configure and build again"};
}
