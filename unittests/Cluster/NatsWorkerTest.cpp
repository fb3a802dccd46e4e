//===- NatsWorkerTest.cpp - Tests of workers that go away -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workers are killed and stopped.
//
//===----------------------------------------------------------------------===//

#include "ClusterTesting.h"

#include "baco/Support/Random.h"

using namespace baco;
using namespace baco::cluster;
using namespace baco::cluster::test;

namespace {
using NatsWorkerTest = ClusterTest;
} // namespace

TEST_F(NatsWorkerTest, KilledWorkersLoseNoTrial) {
  ackWaitMs = 1000;
  startServer();
  const size_t numKills = runsLongTests() ? 150 : 4;
  SimulatedStudy study = remoteStudy("db");
  study.budget = runsLongTests() ? 250 : 40;
  std::vector<ChildProcess *> workers;
  size_t numStarted = 0;
  auto start = [&] {
    return &startWorker("w" + std::to_string(numStarted++), /*delayMs=*/60);
  };
  for (int i = 0; i < 3; ++i)
    workers.push_back(start());
  ChildProcess &tuner = startTuner(study);
  Random random(/*seed=*/1);
  size_t numKilled = 0;
  waitUntil([&] { return !evaluations("begin").empty(); });
  while (tuner.isRunning() && numKilled < numKills) {
    usleep(static_cast<useconds_t>(random.below(250)) * 1000);
    ChildProcess *&victim = workers[random.below(workers.size())];
    victim->kill();
    victim = start();
    ++numKilled;
  }
  EXPECT_EQ(tuner.wait(), 0);
  EXPECT_EQ(trialsIn(study.database), localTrials(study));
  EXPECT_GE(evaluations("end").size(), study.budget);
  RecordProperty("kills", static_cast<int>(numKilled));
  if (runsLongTests())
    EXPECT_GE(numKilled, 100u);
}

TEST_F(NatsWorkerTest, AStoppedWorkersResultIsIgnored) {
  ackWaitMs = 1000;
  startServer();
  SimulatedStudy study = remoteStudy("db");
  study.budget = 30;
  ChildProcess &stopped = startWorker("stopped", /*delayMs=*/30);
  ChildProcess &tuner = startTuner(study);
  waitUntil([&] { return evaluations("end").size() >= 3; });
  // While it evaluates.
  size_t numBegun = evaluations("begin").size();
  waitUntil([&] { return evaluations("begin").size() > numBegun; });
  stopped.signal(SIGSTOP);
  std::string last = evaluations("begin").back();
  std::string trial = last.substr(last.rfind(' '));
  startWorker("other", /*delayMs=*/100);
  waitUntil([&] {
    auto others = evaluations("end other");
    return std::ranges::find(others, "end other" + trial) != others.end();
  });
  stopped.signal(SIGCONT);
  EXPECT_EQ(tuner.wait(), 0);
  EXPECT_EQ(trialsIn(study.database), localTrials(study));
  auto ends = evaluations("end stopped");
  EXPECT_NE(std::ranges::find(ends, "end stopped" + trial), ends.end());
}

TEST_F(NatsWorkerTest, ADrainedWorkerFinishesItsTask) {
  startServer();
  SimulatedStudy study = remoteStudy("db");
  study.budget = 30;
  ChildProcess &leaving = startWorker("leaving", /*delayMs=*/20, /*slots=*/2);
  ChildProcess &tuner = startTuner(study);
  waitUntil([&] { return evaluations("end").size() >= 5; });
  startWorker("staying", /*delayMs=*/20);
  leaving.signal(SIGTERM);
  EXPECT_EQ(leaving.wait(), 0);
  EXPECT_EQ(tuner.wait(), 0);
  EXPECT_EQ(trialsIn(study.database), localTrials(study));
  EXPECT_EQ(evaluations("end").size(), 30u);
}
