//===- WorkerPlace.cpp - Where candidates run -----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/WorkerPlace.h"

#include "baco/Cluster/ClusterWorkers.h"
#include "baco/Measure/WorkerPool.h"

#include "llvm/Config/llvm-config.h"

using namespace baco;
using namespace baco::driver;

Result<std::unique_ptr<measure::Workers>>
WorkerPlace::start(std::vector<measure::WorkerOptions> options) const {
  if (cluster)
    return cluster::ClusterWorkers::start(*cluster, LLVM_VERSION_STRING,
                                          std::move(options.front()), queue);
  for (measure::WorkerOptions &one : options) {
    one.program = program;
    one.runner = runner;
  }
  auto pool = measure::WorkerPool::start(std::move(options));
  if (!pool)
    return pool.error();
  return std::unique_ptr<measure::Workers>(std::move(*pool));
}
