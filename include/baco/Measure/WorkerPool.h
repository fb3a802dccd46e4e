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

#include "baco/Measure/Workers.h"

namespace baco::measure {

class WorkerPool final : public Workers {
public:
  /// Starts a worker with each of the options, of which there is one at least,
  /// one after another. Errors as WorkerProcess::start.
  static Result<std::unique_ptr<WorkerPool>>
  start(std::vector<WorkerOptions> options);

  size_t size() const override { return workers.size(); }
  const ReadyInfo &ready() const override { return first().ready(); }
  const runtime::MachineDescription &machine() const override {
    return first().machine();
  }
  std::vector<std::string> devices() const override;
  Result<void> submit(uint64_t trial, std::string configurationJson) override;
  Result<Outcome> wait(uint64_t trial) override;
  void cancel(uint64_t trial) override;
  void recall(const Outcome &outcome) override;
  void endIn(double seconds) override;
  bool isOver() const override { return first().isOver(); }
  Result<void> complete() override { return first().complete(); }
  Result<Comparison> compare(const std::vector<Finalist> &finalists,
                             const RoundsOptions &options) override {
    return compareInRounds(first(), finalists, options);
  }
  double baselineNs() const override { return first().baselineNs(); }
  void useBaseline(double referenceNs) override {
    first().useBaseline(referenceNs);
  }
  const std::vector<runtime::Conditions> &conditions() const override {
    return first().conditions();
  }

  /// Measures what is to be compared: the plain kernel and the finalists.
  WorkerProcess &first() const { return *workers.front(); }
  const std::vector<std::unique_ptr<WorkerProcess>> &all() const {
    return workers;
  }

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
