//===- ClusterEvaluator.cpp - Programs in a cluster -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Cluster/ClusterEvaluator.h"

#include "Requests.h"

#include "baco/Format/SpaceFormat.h"
#include "baco/Support/Complaint.h"

using namespace baco;
using namespace baco::cluster;

Result<std::unique_ptr<ClusterEvaluator>>
ClusterEvaluator::open(Cluster &cluster, const std::string &llvm,
                       const Space &space, Payload payload,
                       const QueueOptions &options) {
  return attempt([&] {
    payload.space = need(writeSpace(space, /*withLocations=*/false));
    std::unique_ptr<ClusterEvaluator> made(new ClusterEvaluator(
        space, need(cluster.openQueue(payload, llvm, options))));
    // A worker that refuses the commands says so before there is a study.
    Task task;
    task.kind = Task::Kind::SetUp;
    need(request(*made->queue, std::move(task), nullptr));
    return made;
  });
}

Result<std::unique_ptr<ClusterEvaluator>> ClusterEvaluator::create(
    Cluster &cluster, const std::string &llvm, const Space &space,
    const command::CommandOptions &options, const QueueOptions &queue) {
  auto made =
      open(cluster, llvm, space,
           {Payload::Kind::Command, "", command::writeCommandOptions(options)},
           queue);
  if (made)
    (*made)->key = command::CommandEvaluator::fingerprintOf(options) +
                   " machines " + (*made)->queue->machine().machineClass;
  return made;
}

Result<std::unique_ptr<ClusterEvaluator>>
ClusterEvaluator::replay(Cluster &cluster, const std::string &llvm,
                         const Space &space, const std::string &table,
                         const std::string &fingerprint,
                         const QueueOptions &queue) {
  auto made =
      open(cluster, llvm, space, {Payload::Kind::Table, "", table}, queue);
  if (made)
    (*made)->key = fingerprint;
  return made;
}

Result<void> ClusterEvaluator::submit(uint64_t trial,
                                      const Configuration &configuration) {
  Task task;
  task.number = trial;
  task.submit.trial = trial;
  task.submit.configuration = writeConfiguration(space, configuration);
  return queue->submit(std::move(task));
}

Result<Outcome> ClusterEvaluator::wait(uint64_t trial) {
  auto evaluated = waitForTrial(*queue, trial, nullptr);
  if (!evaluated)
    return evaluated.error();
  return std::move(evaluated->outcome);
}

void ClusterEvaluator::cancel(uint64_t trial) { queue->cancel(tokenOf(trial)); }

Result<measure::Comparison>
ClusterEvaluator::compare(const std::vector<measure::Finalist> &finalists,
                          const measure::RoundsOptions &rounds) {
  return compareRemotely(*queue, finalists, rounds, nullptr);
}
