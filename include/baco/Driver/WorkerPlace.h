//===- WorkerPlace.h - Where candidates run ---------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workers are processes of this machine, one at the other end of a command, or
// those of a cluster.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_WORKERPLACE_H
#define BACO_DRIVER_WORKERPLACE_H

#include "baco/Cluster/Cluster.h"
#include "baco/Measure/Workers.h"

namespace baco::driver {

struct WorkerPlace {
  /// The worker program of this machine.
  std::string program;
  /// See measure::WorkerOptions::runner.
  std::string runner = {};
  /// If not null, its workers are used.
  std::shared_ptr<cluster::Cluster> cluster = nullptr;
  cluster::QueueOptions queue = {};

  /// Starts a worker with each of the options, of which `program` and `runner`
  /// are set here. Errors as measure::WorkerProcess::start, and of the cluster.
  Result<std::unique_ptr<measure::Workers>>
  start(std::vector<measure::WorkerOptions> options) const;
};

} // namespace baco::driver

#endif // BACO_DRIVER_WORKERPLACE_H
