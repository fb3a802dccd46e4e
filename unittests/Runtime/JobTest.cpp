//===- JobTest.cpp - Tests of turns and texts -----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Job.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::runtime;

TEST(FirstLineTest, IsOnePrintableLine) {
  EXPECT_EQ(firstLine(""), "");
  EXPECT_EQ(firstLine("\n \n"), "");
  EXPECT_EQ(firstLine("a\nb"), "a");
  EXPECT_EQ(firstLine("\n\n  a b\t\x1b[1mc\nd"), "a b  [1mc");
  EXPECT_EQ(firstLine(std::string(1000, 'x')), std::string(400, 'x') + "...");
}

TEST(JobTest, IsReadyWhenAllAreCompiled) {
  Job job;
  job.contenders.resize(2);
  EXPECT_FALSE(job.isReady());
  job.contenders[0].phase = Phase::Compiled;
  EXPECT_FALSE(job.isReady());
  job.contenders[1].phase = Phase::Compiling;
  EXPECT_FALSE(job.isReady());
  job.contenders[1].phase = Phase::Ended;
  EXPECT_TRUE(job.isReady());
  EXPECT_FALSE(job.isDone());
  job.contenders[0].phase = Phase::Ended;
  EXPECT_FALSE(job.isReady());
  EXPECT_TRUE(job.isDone());
}

static Job makeComparison(size_t contenders) {
  Job job;
  job.kind = Job::Comparison;
  job.contenders.resize(contenders);
  for (Contender &contender : job.contenders)
    contender.phase = Phase::Verified;
  return job;
}

/// The order of turns of 10 ms in a comparison of 100 ms, in which the i-th
/// contender takes `timeNs(i, turn)`.
template <typename TimeNs>
static std::vector<size_t> playTurns(Job &job, TimeNs timeNs) {
  Timing timing;
  timing.comparisonMs = 100;
  std::vector<size_t> order;
  while (Contender *next = job.nextTurn(timing)) {
    size_t index = next - job.contenders.data();
    order.push_back(index);
    std::vector<std::vector<double>> &turns = next->samples.slicesNs;
    turns.push_back({timeNs(index, turns.size())});
    next->measuredNs += 10e6;
  }
  return order;
}

TEST(JobTest, TurnsGoRound) {
  Job job = makeComparison(3);
  job.contenders[1].phase = Phase::Ended;
  std::vector<size_t> order =
      playTurns(job, [](size_t, size_t) { return 1.0; });
  std::vector<size_t> expected;
  for (int turn = 0; turn < 10; ++turn) {
    expected.push_back(0);
    expected.push_back(2);
  }
  EXPECT_EQ(order, expected);
}

TEST(JobTest, VaryingTimesGetMoreTurns) {
  Job job = makeComparison(2);
  // The standard error of one of them is 4 % of 1.04 / sqrt(turns).
  auto varying = [](size_t contender, size_t turn) {
    return contender == 1 && turn % 2 ? 1.08 : 1.0;
  };
  EXPECT_EQ(playTurns(job, varying).size(), 2 * maxComparisonStretch * 10);

  // It ends for all when the last one is known well enough.
  job = makeComparison(2);
  auto calming = [](size_t contender, size_t turn) {
    return contender == 1 && turn % 2 && turn < 8 ? 1.08 : 1.0;
  };
  EXPECT_EQ(playTurns(job, calming).size(), 2 * 16u);
}

TEST(JobTest, TurnsOfAComparisonHaveSeveralExecutions) {
  Job job = makeComparison(2);
  Timing timing;
  timing.sliceMs = 2;
  EXPECT_EQ(job.sliceMs(timing), 2);
  job.contenders[0].executionNs = 0.1e6;
  job.contenders[1].executionNs = 0.5e6;
  EXPECT_EQ(job.sliceMs(timing), 6);
  job.contenders[1].samples.slicesNs = {{0.9e6}, {0.3e6}};
  EXPECT_DOUBLE_EQ(job.sliceMs(timing), 3.6);
  job.contenders[1].samples.slicesNs.push_back({5e6});
  EXPECT_EQ(job.sliceMs(timing), 10);
  job.kind = Job::Trial;
  EXPECT_EQ(job.sliceMs(timing), timing.trialMs);
}

TEST(JobTest, SlowCandidatesHaveOneTurn) {
  Job job = makeComparison(1);
  size_t turns = 0;
  while (Contender *next = job.nextTurn(Timing())) {
    next->samples.slicesNs.push_back({2e9});
    next->measuredNs += 2e9;
    ++turns;
  }
  EXPECT_EQ(turns, 1u);
}

TEST(JobTest, ATrialHasOneTurn) {
  Job job;
  EXPECT_EQ(job.nextTurn(Timing()), nullptr);
  job.contenders.resize(1);
  EXPECT_EQ(job.nextTurn(Timing()), nullptr);
  job.contenders[0].phase = Phase::Verified;
  EXPECT_EQ(job.nextTurn(Timing()), &job.contenders[0]);
  job.contenders[0].samples.slicesNs.push_back({1});
  EXPECT_EQ(job.nextTurn(Timing()), nullptr);
}

TEST(JobTest, ContendersThatDoNotFitAreNotCompared) {
  Signature signature;
  // With room to align it, 34 MiB.
  signature.arguments = {{ElementType::F32, true, {8 << 20}, true}};
  Job job = makeComparison(4);
  job.limitContenders(signature, 1e9);
  EXPECT_TRUE(job.isReady());
  for (const Contender &contender : job.contenders)
    EXPECT_EQ(contender.phase, Phase::Verified);
  job.limitContenders(signature, 90e6);
  EXPECT_EQ(job.contenders[1].phase, Phase::Verified);
  EXPECT_EQ(job.contenders[2].phase, Phase::Ended);
  EXPECT_EQ(job.contenders[2].samples.outcome.status, Status::Lost);
  EXPECT_EQ(job.contenders[3].samples.outcome.message,
            "not compared: memory suffices for the arguments of only 2 of 4 "
            "candidates at a time; compare fewer, or use smaller shapes");
  job.limitContenders(signature, 0);
  EXPECT_EQ(job.contenders[0].phase, Phase::Verified);
}
