//===- StudyTest.cpp - Tests of the study loop ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of asking and telling, the reasons to stop, and what listeners
// hear.
//
//===----------------------------------------------------------------------===//

#include "baco/Study/Study.h"

#include "Fakes.h"

using namespace baco;
using namespace baco::study;
using namespace baco::test;

using Log = std::vector<std::string>;

static Result<Outcome> alwaysOk(uint64_t, const Configuration &) {
  return okOutcome(1);
}

TEST(StudyOptionsTest, RangesAreChecked) {
  EXPECT_TRUE(StudyOptions().validate());
  EXPECT_FALSE(budgetOf(0).validate());
  EXPECT_FALSE(budgetOf(1, 0).validate());
  EXPECT_FALSE(budgetOf(1, 1025).validate());
  for (double limit : {-1.0, std::numeric_limits<double>::quiet_NaN(),
                       std::numeric_limits<double>::infinity()}) {
    StudyOptions options;
    options.timeLimitSeconds = limit;
    EXPECT_FALSE(options.validate()) << limit;
  }
  StudyFixture fixture;
  EXPECT_FALSE(fixture.run(budgetOf(0)));
}

TEST(StudyTest, TellsInTheOrderOfAsking) {
  StudyFixture fixture(alwaysOk);
  Result<StudyResult> result = fixture.run(budgetOf(5));
  ASSERT_TRUE(result) << result.error().message;
  // Suggestion k comes after the outcome of trial k - 2.
  EXPECT_EQ(fixture.optimizer.log,
            (Log{"ask 0", "ask 1", "tell 0", "ask 2", "tell 1", "ask 3",
                 "tell 2", "ask 4", "tell 3", "tell 4"}));
  EXPECT_EQ(fixture.evaluator.log,
            (Log{"submit 0", "submit 1", "wait 0", "submit 2", "wait 1",
                 "submit 3", "wait 2", "submit 4", "wait 3", "wait 4"}));
  EXPECT_EQ(result->stopReason, StopReason::Budget);
  EXPECT_EQ(result->evaluations, 5u);
  EXPECT_EQ(result->trials.size(), 5u);
}

TEST(StudyTest, OneInFlight) {
  StudyFixture fixture(alwaysOk);
  ASSERT_TRUE(fixture.run(budgetOf(2, 1)));
  EXPECT_EQ(fixture.optimizer.log, (Log{"ask 0", "tell 0", "ask 1", "tell 1"}));
}

TEST(StudyTest, MoreInFlightThanBudget) {
  StudyFixture fixture(alwaysOk);
  ASSERT_TRUE(fixture.run(budgetOf(1, 8)));
  EXPECT_EQ(fixture.optimizer.log, (Log{"ask 0", "tell 0"}));
}

TEST(StudyTest, SmallSpacesAreExhausted) {
  StudyFixture fixture;
  Result<StudyResult> result = fixture.run(budgetOf(100));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->stopReason, StopReason::Exhausted);
  EXPECT_EQ(result->evaluations, 40u);
  // By hand: x = 7, y = 2 is the minimum; x = 3 fails for four values of y.
  ASSERT_TRUE(result->best);
  EXPECT_EQ(result->trials[*result->best].configuration, "{\"x\":7,\"y\":2}");
  EXPECT_EQ(result->trials[*result->best].outcome->timeNs, 100);
  EXPECT_EQ(result->counts[static_cast<size_t>(Status::Ok)], 36u);
  EXPECT_EQ(result->counts[static_cast<size_t>(Status::WrongResult)], 4u);
  EXPECT_EQ(result->defaultTrial, 0u);
  EXPECT_EQ(result->explanation, "");
  // 36 successes, 2 s of compiling and 1 s of running each.
  EXPECT_DOUBLE_EQ(result->compileSeconds, 72);
  EXPECT_DOUBLE_EQ(result->runSeconds, 36);
}

TEST(StudyTest, TheFirstOfEqualTimesIsBest) {
  StudyFixture fixture(
      [](uint64_t trial, const Configuration &) -> Result<Outcome> {
        return okOutcome(trial == 0 ? 2 : 1);
      });
  Result<StudyResult> result = fixture.run(budgetOf(4));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->best, 1u);
}

TEST(StudyTest, LostIsCancelledAndFailedIsInfeasible) {
  StudyFixture fixture(
      [](uint64_t trial, const Configuration &) -> Result<Outcome> {
        if (trial == 1)
          return failedOutcome(Status::Lost);
        if (trial == 2)
          return failedOutcome(Status::TimedOut);
        return okOutcome(1);
      });
  Result<StudyResult> result = fixture.run(budgetOf(4, 1));
  ASSERT_TRUE(result);
  EXPECT_EQ(fixture.optimizer.log,
            (Log{"ask 0", "tell 0", "ask 1", "cancel 1", "ask 2",
                 "tell 2 infeasible", "ask 3", "tell 3"}));
  EXPECT_EQ(result->evaluations, 4u);
}

TEST(StudyTest, LostIsEvaluatedOnceMore) {
  int calls = 0;
  StudyFixture fixture(
      [&](uint64_t trial, const Configuration &) -> Result<Outcome> {
        if (trial == 1 && calls++ == 0)
          return failedOutcome(Status::Lost);
        return okOutcome(1);
      });
  Result<StudyResult> result = fixture.run(budgetOf(3, 1));
  ASSERT_TRUE(result);
  EXPECT_EQ(fixture.optimizer.log,
            (Log{"ask 0", "tell 0", "ask 1", "tell 1", "ask 2", "tell 2"}));
  EXPECT_EQ(fixture.evaluator.log,
            (Log{"submit 0", "wait 0", "submit 1", "wait 1", "submit 1",
                 "wait 1", "submit 2", "wait 2"}));
  EXPECT_EQ(result->counts[size_t(Status::Lost)], 0u);
}

TEST(StudyTest, ALostDefaultIsEvaluatedMoreOften) {
  int calls = 0;
  StudyFixture fixture(
      [&](uint64_t trial, const Configuration &) -> Result<Outcome> {
        if (trial == 0 && calls++ < 3)
          return failedOutcome(Status::Lost);
        return okOutcome(1);
      });
  Result<StudyResult> result = fixture.run(budgetOf(2, 1));
  ASSERT_TRUE(result);
  EXPECT_EQ(fixture.optimizer.log, (Log{"ask 0", "tell 0", "ask 1", "tell 1"}));
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(result->defaultTrial, 0u);
  EXPECT_EQ(result->counts[size_t(Status::Lost)], 0u);
}

TEST(StudyTest, ALostDefaultIsEvaluatedAtTheEnd) {
  bool isOver = false;
  StudyFixture fixture(
      [&](uint64_t trial, const Configuration &) -> Result<Outcome> {
        isOver |= trial == 2;
        if (trial == 0 && !isOver)
          return failedOutcome(Status::Lost);
        return okOutcome(3 - double(trial));
      });
  Result<StudyResult> result = fixture.run(budgetOf(3, 1));
  ASSERT_TRUE(result);
  EXPECT_EQ(fixture.optimizer.log,
            (Log{"ask 0", "cancel 0", "ask 1", "tell 1", "ask 2", "tell 2"}));
  EXPECT_EQ(result->defaultTrial, 0u);
  EXPECT_EQ(result->trials[0].outcome->timeNs, 3);
  EXPECT_EQ(result->best, 2u);
  EXPECT_EQ(result->evaluations, 3u);
  EXPECT_EQ(result->counts[size_t(Status::Ok)], 3u);
  EXPECT_EQ(result->counts[size_t(Status::Lost)], 0u);
}

TEST(StudyTest, ManyLostInARowEndTheStudy) {
  StudyFixture fixture([](uint64_t trial,
                          const Configuration &) -> Result<Outcome> {
    return trial < 2 ? okOutcome(1) : failedOutcome(Status::Lost, "no fork");
  });
  Result<StudyResult> result = fixture.run(budgetOf(30, 1));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->stopReason, StopReason::Failed);
  ASSERT_TRUE(result->failure);
  EXPECT_EQ(result->failure->message,
            "4 candidates in a row were lost, twice each: no fork");
  EXPECT_EQ(result->evaluations, 5u) << "the last one stays pending";
  EXPECT_FALSE(result->trials.back().outcome);
}

/// Trials 3, 4, 8, 9, ... are of no use once their forerunner's forerunner was
/// told.
static bool lastTwoOfFive(uint64_t trial, size_t numTold) {
  return trial % 5 >= 3 && numTold + 2 > trial - trial / 5 * 2;
}

TEST(StudyTest, UnwantedTrialsAreNotEvaluated) {
  StudyFixture fixture(alwaysOk);
  fixture.optimizer.isUnwanted = lastTwoOfFive;
  Result<StudyResult> result = fixture.run(budgetOf(6, 3));
  ASSERT_TRUE(result);
  // 3 and 4 cost nothing of the budget, and leave when their turn comes.
  EXPECT_EQ(fixture.optimizer.log,
            (Log{"ask 0", "ask 1", "ask 2", "tell 0", "ask 3", "tell 1",
                 "ask 4", "tell 2", "ask 5", "cancel 3", "ask 6", "cancel 4",
                 "ask 7", "tell 5", "tell 6", "tell 7"}));
  EXPECT_EQ(
      fixture.evaluator.log,
      (Log{"submit 0", "submit 1", "submit 2", "wait 0", "submit 3", "wait 1",
           "cancel 3", "submit 4", "wait 2", "cancel 4", "submit 5", "submit 6",
           "submit 7", "wait 5", "wait 6", "wait 7"}));
  EXPECT_EQ(result->evaluations, 6u);
  EXPECT_EQ(result->counts[size_t(Status::Cancelled)], 2u);
  EXPECT_EQ(result->trials[3].outcome->status, Status::Cancelled);
  EXPECT_EQ(result->stopReason, StopReason::Budget);
}

TEST(StudyTest, GivesUpWhenEverythingFails) {
  StudyFixture fixture(
      [](uint64_t trial, const Configuration &) -> Result<Outcome> {
        return trial % 3 == 0
                   ? failedOutcome(Status::Crashed)
                   : failedOutcome(Status::CompileFailed, "no such pass");
      });
  StudyOptions options = budgetOf(30);
  options.failureLimit = 6;
  Result<StudyResult> result = fixture.run(options);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->stopReason, StopReason::AlwaysFails);
  EXPECT_EQ(result->evaluations, 6u);
  EXPECT_FALSE(result->best);
  EXPECT_EQ(result->explanation,
            "none of the 6 configurations that were tried works; the most "
            "frequent failure (4): compile-failed: no such pass");

  StudyFixture stubborn([](uint64_t, const Configuration &) -> Result<Outcome> {
    return failedOutcome(Status::Crashed);
  });
  options.failureLimit = 0;
  result = stubborn.run(options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->stopReason, StopReason::Budget);
  EXPECT_EQ(result->explanation,
            "none of the 30 configurations that were tried works; the most "
            "frequent failure (30): crashed");
}

TEST(StudyTest, OneSuccessIsEnoughToGoOn) {
  StudyFixture fixture(
      [](uint64_t trial, const Configuration &) -> Result<Outcome> {
        return trial == 5 ? okOutcome(1) : failedOutcome(Status::Crashed);
      });
  StudyOptions options = budgetOf(30);
  options.failureLimit = 6;
  Result<StudyResult> result = fixture.run(options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->stopReason, StopReason::Budget);
}

TEST(StudyTest, StopsOnRequest) {
  std::atomic<bool> stop = false;
  StudyFixture fixture([&](uint64_t trial,
                           const Configuration &) -> Result<Outcome> {
    if (trial == 3)
      stop = true;
    return trial == 3 ? failedOutcome(Status::Lost) : okOutcome(10.0 - trial);
  });
  fixture.parts.stop = &stop;
  Result<StudyResult> result = fixture.run(budgetOf(30));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->stopReason, StopReason::Requested);
  EXPECT_EQ(result->evaluations, 3u);
  EXPECT_EQ(result->best, 2u);
  // Trials 3 and 4 were in flight; nothing is said of them.
  ASSERT_EQ(result->trials.size(), 5u);
  EXPECT_FALSE(result->trials[3].outcome);
  EXPECT_FALSE(result->trials[4].outcome);
  EXPECT_EQ(fixture.evaluator.log.back(), "wait 3");
}

TEST(StudyTest, StopKeepsAnOutcomeThatArrives) {
  std::atomic<bool> stop = false;
  StudyFixture fixture([&](uint64_t, const Configuration &) -> Result<Outcome> {
    stop = true;
    return okOutcome(1);
  });
  fixture.parts.stop = &stop;
  Result<StudyResult> result = fixture.run(budgetOf(30));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->evaluations, 1u);
  EXPECT_EQ(result->best, 0u);
}

TEST(StudyTest, StopBeforeTheStart) {
  std::atomic<bool> stop = true;
  StudyFixture fixture;
  fixture.parts.stop = &stop;
  Result<StudyResult> result = fixture.run(budgetOf(30));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->stopReason, StopReason::Requested);
  EXPECT_EQ(result->trials.size(), 0u);
}

TEST(StudyTest, AbandonedTrialsStayPending) {
  bool isOver = false;
  StudyFixture fixture(
      [&](uint64_t trial, const Configuration &) -> Result<Outcome> {
        isOver = trial == 3;
        return isOver ? failedOutcome(Status::Lost) : okOutcome(10.0 - trial);
      });
  fixture.parts.isOver = [&] { return isOver; };
  Result<StudyResult> result = fixture.run(budgetOf(30));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->stopReason, StopReason::TimeLimit);
  EXPECT_EQ(result->evaluations, 3u);
  EXPECT_EQ(result->best, 2u);
  ASSERT_EQ(result->trials.size(), 5u);
  EXPECT_FALSE(result->trials[3].outcome);
  EXPECT_FALSE(result->trials[4].outcome);
  // Somebody else may want the evaluator.
  ASSERT_GE(fixture.evaluator.log.size(), 2u);
  EXPECT_EQ(fixture.evaluator.log.end()[-2], "cancel 3");
  EXPECT_EQ(fixture.evaluator.log.back(), "cancel 4");
}

TEST(StudyTest, TimeLimitDrainsWhatIsInFlight) {
  double now = 1000;
  StudyFixture fixture([&](uint64_t, const Configuration &) -> Result<Outcome> {
    now += 10;
    return okOutcome(1);
  });
  fixture.parts.clock = [&] { return now; };
  StudyOptions options = budgetOf(30);
  options.timeLimitSeconds = 35;
  Result<StudyResult> result = fixture.run(options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->stopReason, StopReason::TimeLimit);
  // Over time after the fourth evaluation, with one more in flight.
  EXPECT_EQ(result->evaluations, 5u);
  EXPECT_EQ(result->trials.size(), 5u);
  EXPECT_EQ(result->wallSeconds, 50);
  EXPECT_EQ(result->searchSeconds, 0);
}

TEST(StudyTest, ConditionDrainsWhatIsInFlight) {
  StudyFixture fixture([](uint64_t trial, const Configuration &) {
    return Result<Outcome>(okOutcome(trial == 4 ? 5 : 10));
  });
  StudyOptions options = budgetOf(30, 3);
  options.stopWhen = search::stop::cost(5);
  Result<StudyResult> result = fixture.run(options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->stopReason, StopReason::Condition);
  // When trial 4 is told, 5 and 6 are in flight.
  EXPECT_EQ(result->trials.size(), 7u);
  EXPECT_EQ(result->evaluations, 7u);
}

TEST(StudyTest, ConditionThatBoundsTheNumberOfTrialsIsKeptExactly) {
  StudyFixture fixture;
  StudyOptions options = budgetOf(30, 4);
  // A quarter of 40, or 12.
  options.stopWhen =
      search::stop::fraction(0.25) || search::stop::evaluations(12);
  Result<StudyResult> result = fixture.run(options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->stopReason, StopReason::Condition);
  EXPECT_EQ(result->trials.size(), 10u);
}

TEST(StudyTest, WithoutLimitsTheWholeSpaceIsTried) {
  StudyFixture fixture;
  Result<StudyResult> result = fixture.run(budgetOf(UINT64_MAX));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->stopReason, StopReason::Exhausted);
  EXPECT_EQ(result->evaluations, 40u);
}

TEST(StudyTest, ErrorsOfTheEvaluatorEndTheRun) {
  StudyFixture fixture(
      [](uint64_t trial, const Configuration &) -> Result<Outcome> {
        if (trial == 2)
          return Error{ErrorCode::IOError, "no worker"};
        return okOutcome(1);
      });
  Result<StudyResult> result = fixture.run(budgetOf(30));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->stopReason, StopReason::Failed);
  ASSERT_TRUE(result->failure);
  EXPECT_EQ(result->failure->message, "no worker");
  EXPECT_EQ(result->evaluations, 2u);
  EXPECT_EQ(result->best, 0u);

  for (double nonsense : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                          std::numeric_limits<double>::quiet_NaN()}) {
    StudyFixture broken(
        [=](uint64_t, const Configuration &) -> Result<Outcome> {
          return okOutcome(nonsense);
        });
    Result<StudyResult> refused = broken.run(budgetOf(30));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message,
              "the evaluator reports trial 0 as ok, but without a time");
  }
}

//===----------------------------------------------------------------------===//
// Progress
//===----------------------------------------------------------------------===//

struct Recorder : report::ProgressListener {
  void update(const report::Progress &progress) override {
    all.push_back(progress);
  }
  std::vector<report::Progress> all;
};

TEST(StudyTest, TellsItsListener) {
  double now = 0;
  StudyFixture fixture(
      [&](uint64_t trial, const Configuration &) -> Result<Outcome> {
        now += 2;
        if (trial == 1)
          return failedOutcome(Status::Crashed);
        return okOutcome(trial == 2 ? 50 : 100);
      });
  Recorder recorder;
  fixture.parts.listener = &recorder;
  fixture.parts.clock = [&] { return now; };
  StudyOptions options = budgetOf(4);
  options.earlierSeconds = 50;
  ASSERT_TRUE(fixture.run(options));
  ASSERT_EQ(recorder.all.size(), 5u);
  EXPECT_EQ(recorder.all[0].evaluations, 0u);
  EXPECT_FALSE(recorder.all[0].leftSeconds);
  EXPECT_FALSE(recorder.all[0].isNewBest);
  for (uint64_t i = 1; i <= 4; ++i) {
    const report::Progress &progress = recorder.all[i];
    EXPECT_EQ(progress.evaluations, i);
    EXPECT_EQ(progress.budget, 4u);
    EXPECT_EQ(progress.isNewBest, i == 1 || i == 3);
    EXPECT_EQ(progress.bestTimeNs, i < 3 ? 100 : 50);
    EXPECT_EQ(progress.defaultTimeNs, 100);
    EXPECT_EQ(progress.elapsedSeconds, 50 + 2.0 * i);
    // By the trials of this run.
    EXPECT_EQ(progress.leftSeconds, 2.0 * (4 - i));
    EXPECT_EQ(report::numFailures(progress.counts), i < 2 ? 0u : 1u);
  }
}
