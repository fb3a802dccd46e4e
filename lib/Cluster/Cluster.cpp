//===- Cluster.cpp - Many machines evaluate candidates --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Cluster/Cluster.h"

using namespace baco::cluster;

TaskQueue::~TaskQueue() = default;
TaskRunner::~TaskRunner() = default;
Cluster::~Cluster() = default;
