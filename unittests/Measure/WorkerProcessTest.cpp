//===- WorkerProcessTest.cpp - Tests of trials and comparisons ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkerFixture.h"

using namespace baco;
using namespace baco::measure;
using namespace baco::test;

using WorkerProcessTest = WorkerTest;

TEST_F(WorkerProcessTest, GoodCandidatesAreTimed) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  for (const char *name :
       {"good", "backward", "print", "close-output", "flood"}) {
    Outcome outcome = evaluate(*worker, name);
    EXPECT_EQ(outcome.status, Status::Ok) << name << ": " << outcome.message;
    EXPECT_EQ(outcome.message, "");
    EXPECT_GT(outcome.timeNs, 0);
    EXPECT_GE(outcome.numSamples, 3);
    EXPECT_GE(outcome.spread, 0);
    EXPECT_GT(outcome.compileNs, 0);
    EXPECT_GT(outcome.runNs, 0);
  }
}

TEST_F(WorkerProcessTest, RootsAreVerifiedOnPositiveInputs) {
  WorkerOptions options = makeOptions();
  options.text = "plain=roots";
  auto worker = startWorker(options);
  ASSERT_TRUE(worker);
  EXPECT_EQ(evaluate(*worker, "roots").status, Status::Ok);
  expectFault(*worker, {"all-nan", Status::WrongResult,
                        "argument 2 differs at [0]: got nan, expected "});
}

TEST_F(WorkerProcessTest, ANaNEverywhereIsTheReferenceToo) {
  WorkerOptions options = makeOptions();
  options.text = "plain=all-nan";
  auto worker = startWorker(options);
  ASSERT_TRUE(worker);
  EXPECT_EQ(evaluate(*worker, "all-nan").status, Status::Ok);
  expectFault(*worker,
              {"good", Status::WrongResult, "argument 2 differs at [0]: got "});
}

TEST_F(WorkerProcessTest, ManyCandidatesAreInFlight) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  for (uint64_t trial = 0; trial < 30; ++trial)
    ASSERT_TRUE(worker->submit(trial, trial % 3 == 1   ? "segfault"
                                      : trial % 3 == 2 ? "no-transform"
                                                       : "good"));
  EXPECT_EQ(worker->submit(3, "good").error().message,
            "trial 3 was submitted before");
  // In whatever order they are asked for.
  for (uint64_t trial = 30; trial-- > 0;) {
    Result<Outcome> outcome = worker->wait(trial);
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->status, trial % 3 == 1   ? Status::Crashed
                               : trial % 3 == 2 ? Status::TransformFailed
                                                : Status::Ok)
        << outcome->message;
  }
  EXPECT_EQ(worker->wait(3).error().message, "trial 3 was not submitted");
}

TEST_F(WorkerProcessTest, ComparisonsTakeTurns) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  // Outcomes of trials in flight are not lost by a comparison.
  ASSERT_TRUE(worker->submit(1, "good"));
  auto compared = worker->compare(
      {std::nullopt, "slow", "segfault", "no-transform", "backward"});
  ASSERT_TRUE(compared) << compared.error().message;
  ASSERT_EQ(compared->size(), 5u);
  const Status statuses[] = {Status::Ok, Status::Ok, Status::Crashed,
                             Status::TransformFailed, Status::Ok};
  for (size_t i = 0; i < 5; ++i) {
    const Samples &samples = (*compared)[i];
    EXPECT_EQ(samples.outcome.status, statuses[i]) << samples.outcome.message;
    if (statuses[i] != Status::Ok) {
      EXPECT_TRUE(samples.slicesNs.empty());
      continue;
    }
    // 12 ms in turns of 1 ms.
    EXPECT_EQ(samples.slicesNs.size(), 12u);
    for (const std::vector<double> &slice : samples.slicesNs)
      EXPECT_FALSE(slice.empty());
    EXPECT_GT(samples.outcome.timeNs, 0);
  }
  // 20000 stores more: slower on any machine.
  EXPECT_GT((*compared)[1].outcome.timeNs, (*compared)[0].outcome.timeNs);
  EXPECT_EQ(worker->wait(1)->status, Status::Ok);
}

TEST_F(WorkerProcessTest, ComparisonsOfNothingOrTooMuch) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  EXPECT_TRUE(worker->compare({})->empty());
  std::vector<std::optional<std::string>> many(65);
  EXPECT_EQ(worker->compare(many).error().message,
            "a comparison of 65 candidates, but at most 64 can be compared");
  EXPECT_EQ(worker->compare({"abort"})->front().outcome.status,
            Status::Crashed);
}
