//===- StatusText.h - The state of a cluster, for people --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_CLUSTER_STATUSTEXT_H
#define BACO_CLUSTER_STATUSTEXT_H

#include "baco/Cluster/Cluster.h"

namespace baco::cluster {

/// Tables of workers and classes.
std::string writeStatus(const ClusterStatus &status);

/// The same facts as a JSON object.
std::string writeStatusJson(const ClusterStatus &status);

} // namespace baco::cluster

#endif // BACO_CLUSTER_STATUSTEXT_H
