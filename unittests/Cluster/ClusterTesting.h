//===- ClusterTesting.h - Tests with a real server --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A server with tuners and workers, which tests kill.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_CLUSTER_CLUSTERTESTING_H
#define BACO_UNITTESTS_CLUSTER_CLUSTERTESTING_H

#include "Cluster/Streams.h"
#include "LocalServer.h"
#include "SimulatedStudy.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <list>
#include <sstream>
#include <unistd.h>

#include <gtest/gtest.h>

namespace baco::cluster::test {

/// Tests that take minutes run if BACO_LONG_TESTS is set.
inline bool runsLongTests() {
  return std::getenv("BACO_LONG_TESTS") != nullptr;
}

/// A server for each test.
class ClusterTest : public testing::Test {
protected:
  void SetUp() override {
    std::signal(SIGPIPE, SIG_IGN);
    if (!LocalServer::program().empty())
      return;
    if (std::getenv("BACO_REQUIRE_ALL"))
      FAIL() << "nats-server is missing, and BACO_REQUIRE_ALL is set";
    std::cerr << "skipped: there is no nats-server\n";
    GTEST_SKIP() << "there is no nats-server";
  }

  void TearDown() override {
    if (!HasFailure())
      return;
    for (const char *file : {"tuner.log", "worker.log", "server.log"})
      std::cerr << "--- " << file << "\n"
                << tail(readAll(folder / file)) << "\n";
  }

  void startServer(const std::string &jetStreamLimits = "") {
    server.emplace(folder, jetStreamLimits);
    ASSERT_TRUE(server->start()) << server->log();
    // Workers need not wait for the first tuner.
    auto session = Session::open(serverOptions());
    ASSERT_TRUE(session) << session.error().message;
    ASSERT_TRUE(makeStreams(**session));
  }

  ServerOptions serverOptions() const {
    ServerOptions options;
    options.url = server->url();
    options.ackWaitMs = ackWaitMs;
    return options;
  }

  /// A worker that lives as long as the test does.
  ChildProcess &startWorker(const std::string &id, uint64_t delayMs,
                            uint64_t slots = 1) {
    return processes.emplace_back(
        std::vector<std::string>{program(), "work", "url=" + server->url(),
                                 "id=" + id, "slots=" + std::to_string(slots),
                                 "delay=" + std::to_string(delayMs),
                                 "folder=" + folder.path(),
                                 "ack-wait=" + std::to_string(ackWaitMs)},
        folder / "worker.log");
  }

  ChildProcess &startTuner(const SimulatedStudy &study) {
    return processes.emplace_back(
        std::vector<std::string>{program(), "tune", "url=" + server->url(),
                                 "db=" + study.database,
                                 "optimizer=" + study.optimizer,
                                 "budget=" + std::to_string(study.budget),
                                 "in-flight=" + std::to_string(study.inFlight),
                                 "seed=" + std::to_string(study.seed),
                                 "ack-wait=" + std::to_string(ackWaitMs)},
        folder / "tuner.log");
  }

  SimulatedStudy remoteStudy(const std::string &name) const {
    SimulatedStudy study;
    study.database = folder / name;
    study.server = serverOptions();
    return study;
  }

  /// The trials of the same study without a cluster.
  std::vector<std::string> localTrials(SimulatedStudy study) const {
    study.database += "-local";
    study.server = {};
    auto tuned = tuneSimulated(study);
    EXPECT_TRUE(tuned) << tuned.error().message;
    std::vector<std::string> trials = trialsIn(study.database);
    EXPECT_EQ(trials.size(), study.budget);
    return trials;
  }

  /// The lines of `evaluations` (SimulatedWorker) that begin with `what`.
  std::vector<std::string> evaluations(const std::string &what) const {
    std::istringstream text(readAll(folder / "evaluations"));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);)
      if (line.starts_with(what + " "))
        lines.push_back(line);
    return lines;
  }

  /// Waits until `holds`, as long as the processes may take on a busy machine.
  template <typename Holds>
  static void waitUntil(Holds holds) {
    for (int i = 0; i < 6000 && !holds(); ++i)
      usleep(10000);
    ASSERT_TRUE(holds());
  }

  static std::string program() { return BACO_SIMULATED_PROCESS; }

  static std::string tail(const std::string &text) {
    constexpr size_t most = 3000;
    return text.size() > most ? text.substr(text.size() - most) : text;
  }

  TemporaryFolder folder;
  int64_t ackWaitMs = 10000;
  std::optional<LocalServer> server;
  std::list<ChildProcess> processes;
};

} // namespace baco::cluster::test

#endif // BACO_UNITTESTS_CLUSTER_CLUSTERTESTING_H
