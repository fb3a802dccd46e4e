//===- VerificationTest.cpp - Tests of what the worker verifies -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Measure/WorkerProcess.h"

#include "baco/Support/Sanitizer.h"

#include <csignal>
#include <gtest/gtest.h>

using namespace baco;
using namespace baco::measure;

namespace {
/// The test worker with another plain kernel and tolerance.
class VerificationTest : public testing::Test {
protected:
  /// Empty, or why the worker does not start.
  std::string start(const std::string &plain, double tolerance = 1) {
    return startWith("plain=" + plain, tolerance);
  }
  std::string startWith(const std::string &text, double tolerance = 1,
                        double trialMs = 2) {
    WorkerOptions options;
    options.program = BACO_TEST_WORKER;
    options.text = text;
    options.measure.timing.trialMs = trialMs;
    options.measure.limits.memoryLimitMiB = 256;
    // What does not hang has time on a busy machine.
    options.measure.limits.runTimeoutMs = 10000;
    options.measure.tolerance = tolerance;
    auto started = WorkerProcess::start(std::move(options));
    if (!started)
      return started.error().message;
    worker = std::move(*started);
    return "";
  }

  /// The status and the message of a candidate.
  std::string evaluate(const std::string &candidate) {
    Result<void> submitted = worker->submit(++trial, candidate);
    EXPECT_TRUE(submitted) << submitted.error().message;
    Result<Outcome> outcome = worker->wait(trial);
    EXPECT_TRUE(outcome) << outcome.error().message;
    if (!outcome)
      return "";
    return std::string(statusName(outcome->status)) + ": " + outcome->message;
  }

  /// `when`: at the end of the message, if only one check fails.
  void expectWrong(const std::string &candidate, const std::string &beginning,
                   const std::string &when) {
    std::string text = evaluate(candidate);
    EXPECT_EQ(text.rfind("wrong-result: " + beginning, 0), 0u)
        << candidate << ": " << text;
    size_t only = text.find(", but only ");
    EXPECT_EQ(only == text.npos ? "" : text.substr(only + 11), when)
        << candidate << ": " << text;
  }

  std::unique_ptr<WorkerProcess> worker;

private:
  uint64_t trial = 0;
};
} // namespace

TEST_F(VerificationTest, OtherInputsShowWhatTheFirstOnesHide) {
  ASSERT_EQ(start("good"), "");
  EXPECT_EQ(evaluate("good"), "ok: ");
  EXPECT_EQ(evaluate("backward"), "ok: ");
  expectWrong("last-term-missing", "argument 2 differs at [3]: got ", "");
  expectWrong("cut-off", "argument 2 differs at [", "in the second check");
  expectWrong("pack-once",
              "wrote to argument 1, which the plain kernel only reads", "");
  expectWrong("wrong-later", "argument 2 differs at [0]: got 3, expected ",
              "in execution 2 on the same inputs");
}

TEST_F(VerificationTest, SlowCandidatesAreCheckedTwice) {
  ASSERT_EQ(start("good"), "");
  expectWrong("slow-wrong-later", "argument 2 differs at [0]: got 3, expected ",
              "with NaN or infinities among the inputs");
}

// Trials of a slow kernel begin after its first check; what is compared passes
// the others, too.
TEST_F(VerificationTest, SlowKernelsAreCheckedBeforeTheyAreCompared) {
  ASSERT_EQ(start("long"), "");
  EXPECT_EQ(worker->ready().plain.status, Status::Cancelled);
  EXPECT_GT(worker->ready().restNs, 0);
  EXPECT_EQ(evaluate("cut-off"), "ok: ");
  expectWrong("last-term-missing", "argument 2 differs at [3]: got ", "");
  auto samples = worker->compare({"good", "cut-off"});
  ASSERT_TRUE(samples);
  EXPECT_EQ((*samples)[0].outcome.status, Status::Ok);
  EXPECT_EQ((*samples)[1].outcome.status, Status::WrongResult);
  EXPECT_NE((*samples)[1].outcome.message.find("in the second check"),
            std::string::npos)
      << (*samples)[1].outcome.message;
  EXPECT_EQ(worker->ready().plain.status, Status::Ok);
  EXPECT_GT(worker->ready().plain.timeNs, 100e6);
  EXPECT_EQ(worker->ready().restNs, 0);
}

// A worker that is started again has to make them again.
TEST_F(VerificationTest, ANewWorkerOfASlowKernelMakesItsChecks) {
  ASSERT_EQ(start("long"), "");
  ASSERT_TRUE(worker->complete());
  kill(worker->pid(), SIGKILL);
  auto samples = worker->compare({"good", "cut-off"});
  if (samples && (*samples)[0].outcome.status == Status::Lost)
    samples = worker->compare({"good", "cut-off"});
  ASSERT_TRUE(samples) << samples.error().message;
  EXPECT_EQ((*samples)[0].outcome.status, Status::Ok);
  EXPECT_EQ((*samples)[1].outcome.status, Status::WrongResult);
}

TEST_F(VerificationTest, PlainKernelsNeedNotTakeEverything) {
  // Without zeros, or without large values, digits still count.
  ASSERT_EQ(start("reciprocals"), "");
  EXPECT_EQ(evaluate("reciprocals"), "ok: ");
  expectWrong("good", "argument 2 differs at [0]: got ", "");
  ASSERT_EQ(start("limited"), "");
  EXPECT_EQ(evaluate("good"), "ok: ");
  expectWrong("cut-off", "argument 2 differs at [", "in the second check");
}

TEST_F(VerificationTest, PlainKernelsThatReadWhatNobodyWroteAreRefused) {
  if (isAddressSanitized)
    GTEST_SKIP() << "a sanitizer has its own allocator";
  std::string message = start("trust-memory");
  EXPECT_EQ(
      message.rfind("the plain kernel, which computes the reference, failed "
                    "(wrong-result): argument 2 differs at [0]: got ",
                    0),
      0u)
      << message;
}

TEST_F(VerificationTest, TheToleranceIsAnOption) {
  // What bf16 lacks is 2^16 times what f32 does.
  ASSERT_EQ(start("good", 1e5), "");
  EXPECT_EQ(evaluate("cut-off"), "ok: ");
  EXPECT_EQ(
      start("good", 1e9),
      "argument 2 cannot be verified: its initial contents are within the "
      "tolerance of its result, because sums of 16 terms in f32 may differ "
      "that much; use smaller shapes or a wider type, or a lower tolerance");
  ASSERT_EQ(start("good", 0), "");
  EXPECT_EQ(evaluate("good"), "ok: ");
  expectWrong("backward", "argument 2 differs at [", "in the second check");
}

TEST_F(VerificationTest, CandidatesThatWorkInChecksOnlyAreNoticed) {
  ASSERT_EQ(startWith("shirk"), "");
  EXPECT_EQ(evaluate("shirk-never"), "ok: ");
  for (const char *name : {"shirk-unpainted", "shirk-known-output",
                           "shirk-known-input", "shirk-in-turn"})
    expectWrong(name, "argument 2 differs at [",
                "where it is executed as it is while it is timed");
  auto samples = worker->compare({"shirk-never", "shirk-in-turn"});
  ASSERT_TRUE(samples);
  EXPECT_EQ((*samples)[0].outcome.status, Status::Ok);
  EXPECT_EQ((*samples)[1].outcome.status, Status::WrongResult);
}

TEST_F(VerificationTest, RejectsTimesBelowThePeak) {
  if (isAddressSanitized)
    GTEST_SKIP() << "an instrumented worker may take longer than the bound";
  auto expectTooFast = [&](const std::string &what) {
    SCOPED_TRACE(what);
    std::string text = evaluate("idle-later");
    EXPECT_EQ(text.rfind("wrong-result: an execution takes ", 0), 0u) << text;
    EXPECT_NE(text.find(what), text.npos) << text;
    EXPECT_EQ(evaluate("idle-right"), "ok: ");
  };
  // Far longer than what is always executed.
  constexpr double trialMs = 50;
  ASSERT_EQ(startWith("idle=262144x2", 1, trialMs), "");
  expectTooFast("ns, but storing the results alone (");
  ASSERT_EQ(startWith("idle=1024x1024", 1, trialMs), "");
  expectTooFast("ns, but its multiplications and additions alone take "
                "1.02e+03 ns");
}
