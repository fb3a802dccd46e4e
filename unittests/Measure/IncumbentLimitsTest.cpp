//===- IncumbentLimitsTest.cpp - Tests of limits that follow the best -----===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Measure/IncumbentLimits.h"

#include "WorkerFixture.h"

using namespace baco;
using namespace baco::measure;
using namespace baco::test;
using runtime::TrialLimits;

static Outcome outcomeOf(Status status, double timeMs, double compileMs) {
  Outcome outcome;
  outcome.status = status;
  outcome.timeNs = timeMs * 1e6;
  outcome.compileNs = compileMs * 1e6;
  return outcome;
}

TEST(IncumbentLimitsTest, FollowTheBest) {
  IncumbentLimits limits;
  EXPECT_EQ(limits.limits(), TrialLimits{});
  limits.observe(outcomeOf(Status::Crashed, 1, 1));
  limits.observe(outcomeOf(Status::Lost, 0, 0));
  EXPECT_EQ(limits.limits(), TrialLimits{});
  limits.observe(outcomeOf(Status::Ok, 50, 1));
  EXPECT_EQ(limits.limits().executionMs, 500);
  limits.observe(outcomeOf(Status::Ok, 30, 1));
  EXPECT_EQ(limits.limits().executionMs, 300);
  limits.observe(outcomeOf(Status::Ok, 40, 1));
  limits.observe(outcomeOf(Status::WrongResult, 1, 1));
  EXPECT_EQ(limits.limits().executionMs, 300);
  limits.observe(outcomeOf(Status::Ok, 0.001, 1));
  EXPECT_EQ(limits.limits().executionMs, minExecutionMs);
  EXPECT_FALSE(limits.limits().compileMs) << "five are not enough";
}

TEST(IncumbentLimitsTest, FollowTheFirstCompilations) {
  IncumbentLimits limits;
  // 100, 200, ..., 800 ms: the 0.9 quantile is at 7.3 of 1 to 8, or 730 ms.
  for (int i = 1; i <= 8; ++i) {
    EXPECT_FALSE(limits.limits().compileMs);
    limits.observe(outcomeOf(Status::CompileFailed, 0, 100000));
    limits.observe(
        outcomeOf(i % 2 ? Status::Ok : Status::WrongResult, 1, 100 * i));
  }
  EXPECT_NEAR(*limits.limits().compileMs, 7300, 1);
  limits.observe(outcomeOf(Status::Ok, 1, 100000));
  EXPECT_NEAR(*limits.limits().compileMs, 7300, 1);

  IncumbentLimits fast;
  for (int i = 0; i < 8; ++i)
    fast.observe(outcomeOf(Status::Ok, 1, 1));
  EXPECT_EQ(fast.limits().compileMs, minCompileMs);
}

using IncumbentLimitsWorkerTest = WorkerTest;

TEST_F(IncumbentLimitsWorkerTest, StopWhatIsHopeless) {
  WorkerOptions options = makeOptions();
  // Only the limits in the light of others are reached within this test.
  options.measure.limits.runTimeoutMs = 1000000;
  options.measure.limits.compileTimeoutMs = 1000000;
  auto worker = startWorker(options);
  ASSERT_TRUE(worker);
  EXPECT_EQ(evaluate(*worker, "good").status, Status::Ok);
  Outcome slow = evaluate(*worker, "hang");
  EXPECT_EQ(slow.status, Status::TimedOut);
  EXPECT_TRUE(slow.message.ends_with("ms, far longer than the best candidate"))
      << slow.message;
  // What an earlier run has seen counts, too.
  for (int i = 0; i < 7; ++i)
    worker->recall(outcomeOf(Status::Ok, 1, 1));
  Outcome lost = evaluate(*worker, "compile-hang");
  EXPECT_EQ(lost.status, Status::TimedOut);
  EXPECT_TRUE(lost.message.ends_with("ms, far longer than other candidates"))
      << lost.message;
  // In CPU time: nothing that waits is stopped by them.
  EXPECT_EQ(evaluate(*worker, "good").status, Status::Ok);
}
