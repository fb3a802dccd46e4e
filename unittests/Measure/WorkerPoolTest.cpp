//===- WorkerPoolTest.cpp - Tests of workers side by side -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Measure/WorkerPool.h"

#include "WorkerFixture.h"

#include <csignal>

using namespace baco;
using namespace baco::measure;
using namespace baco::test;

using WorkerPoolTest = WorkerTest;

TEST_F(WorkerPoolTest, TrialsGoToTheWorkersInTurns) {
  auto pool = WorkerPool::start({makeOptions(), makeOptions()});
  ASSERT_TRUE(pool) << pool.error().message;
  ASSERT_EQ((*pool)->size(), 2u);
  for (uint64_t trial = 0; trial < 8; ++trial)
    ASSERT_TRUE((*pool)->submit(trial, trial % 3 == 1 ? "segfault" : "good"));
  // Its trials are unknown to the other one.
  EXPECT_EQ((*pool)->all()[0]->wait(1).error().message,
            "trial 1 was not submitted");
  (*pool)->cancel(6);
  for (uint64_t trial : {7, 5, 4, 3, 2, 1, 0}) {
    Result<Outcome> outcome = (*pool)->wait(trial);
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->status, trial % 3 == 1 ? Status::Crashed : Status::Ok)
        << outcome->message;
  }
  EXPECT_FALSE((*pool)->wait(6));
}

TEST_F(WorkerPoolTest, ALostTrialGoesToTheNextWorker) {
  auto pool = WorkerPool::start({makeOptions(), makeOptions()});
  ASSERT_TRUE(pool) << pool.error().message;
  ASSERT_TRUE((*pool)->submit(0, "good"));
  kill((*pool)->first().pid(), SIGKILL);
  Result<Outcome> outcome = (*pool)->wait(0);
  ASSERT_TRUE(outcome);
  // It may have been faster than the signal.
  if (outcome->status == Status::Lost) {
    ASSERT_TRUE((*pool)->submit(0, "good"));
    EXPECT_EQ((*pool)->all()[0]->wait(0).error().message,
              "trial 0 was not submitted");
    outcome = (*pool)->wait(0);
    ASSERT_TRUE(outcome);
  }
  EXPECT_EQ(outcome->status, Status::Ok) << outcome->message;
}

TEST_F(WorkerPoolTest, AWorkerThatDoesNotStartEndsAll) {
  WorkerOptions bad = makeOptions();
  bad.text = "plain=segfault";
  auto pool = WorkerPool::start({makeOptions(), bad});
  EXPECT_FALSE(pool);
}
