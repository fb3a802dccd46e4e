//===- ClusterEvaluator.h - Programs in a cluster ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Candidates of any program on machines of a cluster: by commands, or from a
// table.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_CLUSTER_CLUSTEREVALUATOR_H
#define BACO_CLUSTER_CLUSTEREVALUATOR_H

#include "baco/Cluster/Cluster.h"
#include "baco/Command/ProgramTuner.h"

namespace baco::cluster {

class ClusterEvaluator final : public command::RemoteEvaluator {
public:
  /// Evaluates `options`, which are valid, on machines of a class. Errors as
  /// Cluster::openQueue, and those of the first worker.
  static Result<std::unique_ptr<ClusterEvaluator>>
  create(Cluster &cluster, const std::string &llvm, const Space &space,
         const command::CommandOptions &options, const QueueOptions &queue);
  /// Looks outcomes up in a table, whose text and fingerprint these are.
  static Result<std::unique_ptr<ClusterEvaluator>>
  replay(Cluster &cluster, const std::string &llvm, const Space &space,
         const std::string &table, const std::string &fingerprint,
         const QueueOptions &queue);

  uint64_t slots() const override { return queue->slots(); }
  Result<void> identify(const std::string &study) override {
    return queue->identify(study);
  }
  Result<void> submit(uint64_t trial,
                      const Configuration &configuration) override;
  Result<Outcome> wait(uint64_t trial) override;
  void cancel(uint64_t trial) override;
  std::string fingerprint() const override { return key; }
  Result<measure::Comparison>
  compare(const std::vector<measure::Finalist> &finalists,
          const measure::RoundsOptions &rounds) override;

private:
  ClusterEvaluator(Space space, std::unique_ptr<TaskQueue> queue)
      : space(std::move(space)), queue(std::move(queue)) {}
  static Result<std::unique_ptr<ClusterEvaluator>>
  open(Cluster &cluster, const std::string &llvm, const Space &space,
       Payload payload, const QueueOptions &options);

  Space space;
  std::unique_ptr<TaskQueue> queue;
  std::string key;
};

/// A worker's folders and programs for commands.
struct CommandPlace {
  /// Programs that a command may begin with; see checkAllowed.
  std::vector<std::string> allowed;
  /// Folders of candidates, and of their logs, are in it.
  std::string folder;
  int cpu = 0;
};

/// Evaluates tasks of payloads of the kinds Command and Table. InvalidArgument
/// if the commands aren't allowed.
Result<std::unique_ptr<TaskRunner>>
makeProgramRunner(const Payload &payload, const CommandPlace &place);

/// Whether a worker runs a line of commands: it begins with one of the
/// programs, as they were written, and consists of letters, digits, blanks and
/// `-_./=:,+@%{}`, so that a shell finds one program in it, whatever it is.
/// InvalidArgument, with what to do.
Result<void> checkAllowed(const std::string &line,
                          const std::vector<std::string> &allowed);

} // namespace baco::cluster

#endif // BACO_CLUSTER_CLUSTEREVALUATOR_H
