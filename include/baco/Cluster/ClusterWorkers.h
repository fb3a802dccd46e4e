//===- ClusterWorkers.h - A kernel's workers in a cluster -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Candidates of a kernel on machines of a cluster.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_CLUSTER_CLUSTERWORKERS_H
#define BACO_CLUSTER_CLUSTERWORKERS_H

#include "baco/Cluster/Cluster.h"
#include "baco/Measure/Workers.h"

namespace baco::cluster {

class ClusterWorkers final : public measure::Workers {
public:
  /// Lets one worker set up the kernel of `options`, of which `text`, `measure`
  /// and `stop` are read. `llvm` is this program's version. Errors are those of
  /// Cluster::openQueue and of measure::WorkerProcess::start.
  static Result<std::unique_ptr<measure::Workers>>
  start(Cluster &cluster, const std::string &llvm,
        measure::WorkerOptions options, QueueOptions queue);

  size_t size() const override { return queue->slots(); }
  const measure::ReadyInfo &ready() const override { return info; }
  const runtime::MachineDescription &machine() const override {
    return queue->machine().description;
  }
  std::vector<std::string> devices() const override { return {info.device}; }
  Result<void> submit(uint64_t trial, std::string configurationJson) override;
  Result<Outcome> wait(uint64_t trial) override;
  void cancel(uint64_t trial) override;
  void recall(const Outcome &outcome) override { limits.observe(outcome); }
  void endIn(double seconds) override;
  bool isOver() const override;
  Result<void> complete() override;
  Result<measure::Comparison>
  compare(const std::vector<measure::Finalist> &finalists,
          const measure::RoundsOptions &options) override;
  double baselineNs() const override { return baseline; }
  void useBaseline(double referenceNs) override { baseline = referenceNs; }
  const std::vector<runtime::Conditions> &conditions() const override {
    return conditionsSeen;
  }
  Result<void> identify(const std::string &study) override {
    return queue->identify(study);
  }
  std::vector<std::string> notes() const override;

private:
  explicit ClusterWorkers(std::unique_ptr<TaskQueue> queue)
      : queue(std::move(queue)) {}
  runtime::Ready requestReady(Task task);

  std::unique_ptr<TaskQueue> queue;
  measure::ReadyInfo info;
  measure::IncumbentLimits limits;
  double baseline = 0;
  int64_t endNs = INT64_MAX;
  std::vector<runtime::Conditions> conditionsSeen;
};

/// Evaluates tasks of a payload of kind Kernel by a worker process that
/// `program` is, on CPU `cpu`, or -1: the last one that this thread may use.
/// Errors as measure::WorkerProcess::start.
Result<std::unique_ptr<TaskRunner>>
makeKernelRunner(const std::string &text, const std::string &program, int cpu);

} // namespace baco::cluster

#endif // BACO_CLUSTER_CLUSTERWORKERS_H
