//===- WorkerPool.h - Workers that measure side by side ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One worker for each device that candidates are measured on. Which device has
// a trial follows from its number, so that the same search puts the same trials
// on the same devices.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_MEASURE_WORKERPOOL_H
#define BACO_MEASURE_WORKERPOOL_H

#include "baco/Measure/WorkerProcess.h"

namespace baco::measure {

/// Use it from one thread, as WorkerProcess.
class WorkerPool {
public:
  /// Starts a worker with each of the options, of which there is one at least,
  /// one after another. Errors as WorkerProcess::start.
  static Result<WorkerPool> start(std::vector<WorkerOptions> options);

  size_t size() const { return workers.size(); }
  /// Measures what is to be compared: the plain kernel and the finalists.
  WorkerProcess &first() { return *workers.front(); }
  const WorkerProcess &first() const { return *workers.front(); }
  const std::vector<std::unique_ptr<WorkerProcess>> &all() const {
    return workers;
  }

  /// As the functions of WorkerProcess. A trial that is submitted again, since
  /// it was lost, goes to the next worker.
  Result<void> submit(uint64_t trial, std::string configurationJson);
  Result<Outcome> wait(uint64_t trial);
  void cancel(uint64_t trial);
  void recall(const Outcome &outcome);
  void endIn(double seconds);

private:
  explicit WorkerPool(std::vector<std::unique_ptr<WorkerProcess>> workers)
      : workers(std::move(workers)) {}
  WorkerProcess &workerOf(uint64_t trial);

  std::vector<std::unique_ptr<WorkerProcess>> workers;
  /// How often each trial was submitted before its last time.
  std::map<uint64_t, size_t> repetitions;
};

} // namespace baco::measure

#endif // BACO_MEASURE_WORKERPOOL_H
