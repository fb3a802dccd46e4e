//===- Requests.h - Tasks that are waited for -------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tuners of kernels and of programs do alike with a queue.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_CLUSTER_REQUESTS_H
#define BACO_LIB_CLUSTER_REQUESTS_H

#include "baco/Cluster/Cluster.h"

namespace baco::cluster {

using IsOver = std::function<bool()>;

/// Task::token of a trial.
std::string tokenOf(uint64_t trial);

/// Submits a task that is no trial, with a number of its own, and waits for its
/// result. A refusal is an error. TimedOut if `isOver`, IOError if the user
/// wants to stop.
Result<TaskResult> request(TaskQueue &queue, Task task, const IsOver &isOver);

/// Waits for a trial, which is lost if a worker has refused it, or if `isOver`.
Result<runtime::Evaluated> waitForTrial(TaskQueue &queue, uint64_t trial,
                                        const IsOver &isOver);

/// The rounds on one machine.
Result<measure::Comparison>
compareRemotely(TaskQueue &queue,
                const std::vector<measure::Finalist> &finalists,
                const measure::RoundsOptions &options, const IsOver &isOver);

/// A worker doesn't follow the protocol.
Error answeredOutOfTurn(const TaskResult &result);

} // namespace baco::cluster

#endif // BACO_LIB_CLUSTER_REQUESTS_H
