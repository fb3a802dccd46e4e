//===- SimulatedStudy.h - A study of a table --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same study here and in a cluster, and workers that look outcomes up.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_CLUSTER_SIMULATEDSTUDY_H
#define BACO_UNITTESTS_CLUSTER_SIMULATEDSTUDY_H

#include "baco/Cluster/ClusterEvaluator.h"

namespace baco::cluster::test {

/// 256 configurations.
Space simulatedSpace();
/// Their outcomes, as study::ReplayEvaluator reads them. Some fail.
std::string simulatedTable();

struct SimulatedStudy {
  std::string database;
  std::string optimizer = "random";
  uint64_t budget = 40;
  uint64_t inFlight = 6;
  uint64_t seed = 0;
  /// Of a cluster. Without a server: here.
  ServerOptions server = {};
  QueueOptions queue = {};
};

/// Runs it to its end, or goes on with it.
Result<command::TunedProgram> tuneSimulated(const SimulatedStudy &study);

/// Each trial of the only study of a database, in a line: its number,
/// configuration and outcome.
std::vector<std::string> trialsIn(const std::string &database);

struct SimulatedWorker {
  ServerOptions server = {};
  std::string id = "worker";
  uint64_t slots = 1;
  /// How long a trial takes, in milliseconds.
  uint64_t delayMs = 0;
  /// As of TaskRunner.
  uint64_t depth = 1;
  /// Where it keeps files; empty: nowhere. A line is appended to `evaluations`
  /// there when it begins a trial, `begin WORKER TRIAL`, and with `end` when it
  /// has evaluated it.
  std::string folder = {};
  const std::atomic<bool> *drain = nullptr;
  std::function<void(const std::string &)> log = {};
};

/// Works until it drains.
Result<void> workSimulated(const SimulatedWorker &worker);

} // namespace baco::cluster::test

#endif // BACO_UNITTESTS_CLUSTER_SIMULATEDSTUDY_H
