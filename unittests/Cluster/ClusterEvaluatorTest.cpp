//===- ClusterEvaluatorTest.cpp - Tests of studies in clusters ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A study has the trials that it has without a cluster, whatever happens to its
// tuner.
//
//===----------------------------------------------------------------------===//

#include "ClusterTesting.h"

#include <set>

using namespace baco;
using namespace baco::cluster;
using namespace baco::cluster::test;

namespace {
using ClusterEvaluatorTest = ClusterTest;
} // namespace

TEST_F(ClusterEvaluatorTest, TrialsAreThoseOfALocalStudy) {
  startServer();
  startWorker("one", /*delayMs=*/0, /*slots=*/2);
  startWorker("two", /*delayMs=*/3);
  for (const char *optimizer : {"random", "baco"}) {
    SimulatedStudy study = remoteStudy(optimizer);
    study.optimizer = optimizer;
    study.budget = study.optimizer == "baco" ? 20 : 100;
    auto tuned = tuneSimulated(study);
    ASSERT_TRUE(tuned) << tuned.error().message;
    EXPECT_EQ(tuned->result.failure, std::nullopt);
    EXPECT_EQ(trialsIn(study.database), localTrials(study)) << optimizer;
  }
  EXPECT_EQ(evaluations("end").size(), 120u);
}

TEST_F(ClusterEvaluatorTest, AKilledTunerGoesOn) {
  startServer();
  startWorker("one", /*delayMs=*/10, /*slots=*/2);
  SimulatedStudy study = remoteStudy("db");
  study.budget = 60;
  // At a moment when some results are known to it, and others are not.
  for (size_t numDone : {5, 12, 25, 45}) {
    ChildProcess &tuner = startTuner(study);
    waitUntil([&] {
      return evaluations("end").size() >= numDone || !tuner.isRunning();
    });
    EXPECT_TRUE(tuner.isRunning());
    tuner.kill();
  }
  EXPECT_EQ(startTuner(study).wait(), 0);
  EXPECT_EQ(trialsIn(study.database), localTrials(study));
  // Neither was a task queued twice, nor a result forgotten.
  EXPECT_EQ(evaluations("begin").size(), 60u);
  EXPECT_EQ(evaluations("end").size(), 60u);
}

TEST_F(ClusterEvaluatorTest, TunersShareWorkers) {
  startServer();
  startWorker("one", /*delayMs=*/20, /*slots=*/2);
  SimulatedStudy first = remoteStudy("first"), second = remoteStudy("second");
  first.budget = second.budget = 60;
  first.inFlight = second.inFlight = 40;
  second.seed = 1;
  ChildProcess &one = startTuner(first);
  waitUntil([&] { return evaluations("end").size() >= 10; });
  ChildProcess &other = startTuner(second);
  // The second one doesn't wait until the queue of the first one is empty.
  waitUntil([&] {
    return std::ranges::count_if(trialsIn(second.database),
                                 [](const std::string &trial) {
                                   return trial.find("} ") != trial.npos;
                                 }) > 5;
  });
  EXPECT_TRUE(one.isRunning());
  EXPECT_EQ(one.wait(), 0);
  EXPECT_EQ(other.wait(), 0);
  EXPECT_EQ(trialsIn(first.database), localTrials(first));
  EXPECT_EQ(trialsIn(second.database), localTrials(second));
  EXPECT_EQ(evaluations("end").size(), 120u);
}
