//===- FinalComparisonTest.cpp - Tests of the last measurement ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Finals/FinalComparison.h"

#include "HandMadeTimes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

using namespace baco;
using namespace baco::finals;
using database::Final;

//===----------------------------------------------------------------------===//
// Selections
//===----------------------------------------------------------------------===//

namespace {
/// A study whose comparisons go as a table says.
struct TimedStudy {
  study::StudyResult study;
  std::optional<Outcome> plain;
  /// By trial; nobody else fails or takes another time than in its trial.
  std::map<size_t, Outcome> again;
  double plainAgainNs = 0;
  std::vector<std::vector<size_t>> ballots;
  std::vector<size_t> failures;
  int numRounds = measure::numRounds;

  explicit TimedStudy(const std::vector<double> &times) {
    study.trials = trialsOf(times);
    study.defaultTrial = 0;
    study.evaluations = times.size();
    study.counts[static_cast<size_t>(Status::Ok)] = times.size();
    study.best = std::min_element(times.begin(), times.end()) - times.begin();
  }

  runtime::Samples samplesOf(const Outcome &outcome) const {
    runtime::Samples samples;
    samples.outcome = outcome;
    for (int i = 0; outcome.status == Status::Ok && i < numRounds; ++i)
      samples.slicesNs.push_back({outcome.timeNs});
    return samples;
  }

  Result<FinalComparisonResult> run() {
    auto compare =
        [&](const FinalistSet &ballot) -> Result<measure::Comparison> {
      ballots.push_back(ballot.trials);
      measure::Comparison comparison;
      if (numRounds < measure::numRounds)
        comparison.cut = measure::Cut::Slow;
      for (size_t trial : ballot.trials)
        comparison.finalists.push_back(
            samplesOf(again.contains(trial) ? again[trial]
                                            : *study.trials[trial].outcome));
      if (ballot.hasPlain)
        comparison.finalists.push_back(samplesOf(ok(plainAgainNs)));
      return comparison;
    };
    auto onFailure = [&](size_t trial, const Outcome &) {
      failures.push_back(trial);
      return Result<void>();
    };
    return runFinalComparison(
        study, {plain ? &*plain : nullptr, 1000, compare, onFailure});
  }
};
} // namespace

using FinalistSets = std::vector<std::vector<size_t>>;

TEST(FinalComparisonTest, OneElectionIsEnoughIfNobodyFails) {
  TimedStudy timed({100, 90, 80});
  Result<FinalComparisonResult> result = timed.run();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(timed.ballots, (FinalistSets{{0, 2}}));
  EXPECT_EQ(result->final.winner, 2u);
  EXPECT_EQ(result->final.kept, Kept::Tuned);
  EXPECT_EQ(result->final.numTrials, 3u);
  EXPECT_EQ(result->final.confidence, measure::finalConfidence);
  EXPECT_EQ(result->final.finalists[1].roundsNs, std::vector<double>(8, 80.0));
}

TEST(FinalComparisonTest, ComparisonsThatAreCutHaveLessConfidence) {
  TimedStudy timed({100, 90, 80});
  timed.numRounds = 3;
  Result<FinalComparisonResult> result = timed.run();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(numRoundsOf(result->final), 3u);
  EXPECT_EQ(result->final.confidence, measure::confidenceOf(3));
  EXPECT_LT(result->final.confidence, measure::finalConfidence);
}

TEST(FinalComparisonTest, FinalistsAreChosenAgainFromTheRest) {
  TimedStudy timed({200, 104, 50, 103});
  timed.again[2] = failed(Status::WrongResult);
  Result<FinalComparisonResult> result = timed.run();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(timed.ballots, (FinalistSets{{0, 2}, {0, 3, 1}}));
  EXPECT_EQ(timed.failures, std::vector<size_t>{2});
  EXPECT_EQ(result->final.winner, 3u);
  const study::StudyResult &study = timed.study;
  EXPECT_EQ(study.best, 3u);
  EXPECT_EQ(study.counts[static_cast<size_t>(Status::Ok)], 3u);
  EXPECT_EQ(study.counts[static_cast<size_t>(Status::WrongResult)], 1u);
  ASSERT_TRUE(study.trials[2].failure);
  EXPECT_EQ(study.trials[2].failure->message, "because");
  EXPECT_EQ(study.trials[2].outcome->status, Status::Ok);
}

TEST(FinalComparisonTest, NoSecondComparisonWithoutNewFinalists) {
  // Of three finalists one fails, and the next one is too slow.
  TimedStudy timed({200, 101, 100, 300});
  timed.again[2] = failed(Status::Crashed);
  Result<FinalComparisonResult> result = timed.run();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(timed.ballots, (FinalistSets{{0, 2, 1}}));
  EXPECT_EQ(result->final.winner, 1u);
}

TEST(FinalComparisonTest, ElectionsAreBounded) {
  TimedStudy timed({200, 10, 20, 30, 40, 50, 60, 70});
  for (size_t trial = 1; trial < 8; ++trial)
    timed.again[trial] = failed(Status::Crashed);
  Result<FinalComparisonResult> result = timed.run();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(timed.ballots.size(), size_t{maxSelections});
  EXPECT_EQ(result->final.kept, Kept::Default);
}

TEST(FinalComparisonTest, FailuresOfTheMachineDoNotCountAsTrials) {
  TimedStudy timed({200, 101, 100});
  timed.again[2] = failed(Status::Lost);
  Result<FinalComparisonResult> result = timed.run();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(timed.failures.empty());
  EXPECT_EQ(result->final.winner, 1u);
  // Without the default there is nothing to compare with.
  timed.again[0] = failed(Status::OutOfMemory);
  result = timed.run();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::IOError);
  EXPECT_TRUE(timed.failures.empty());
}

TEST(FinalComparisonTest, ADefaultThatFailsIsNotShipped) {
  TimedStudy timed({100, 103});
  timed.again[0] = failed(Status::WrongResult);
  Result<FinalComparisonResult> result = timed.run();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->final.kept, Kept::Tuned);
  EXPECT_EQ(result->final.winner, 1u);
  timed.again[1] = failed(Status::WrongResult);
  result = timed.run();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::NotFound);
  EXPECT_FALSE(timed.study.best);
}

TEST(FinalComparisonTest, PlainComesInWhenTheTrialsPromisedTooMuch) {
  TimedStudy timed({300, 10});
  timed.plain = ok(200);
  timed.again[1] = ok(250);
  timed.plainAgainNs = 210;
  Result<FinalComparisonResult> result = timed.run();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(timed.ballots, (FinalistSets{{0, 1}, {0, 1}}));
  EXPECT_EQ(result->final.kept, Kept::Plain);
  EXPECT_FALSE(result->final.winner);
}

TEST(FinalComparisonTest, WithoutAComparisonTheTrialsDecide) {
  TimedStudy timed({300, 100, 200});
  Final final = decideAlone(timed.study, nullptr);
  EXPECT_EQ(final.kept, Kept::Tuned);
  EXPECT_EQ(final.winner, 1u);
  EXPECT_TRUE(final.finalists.empty());
  Outcome plain = ok(50);
  final = decideAlone(timed.study, &plain);
  EXPECT_EQ(final.kept, Kept::Plain);
  EXPECT_FALSE(final.winner);
  EXPECT_EQ(final.plain->timeNs, 50);
  // Its time isn't known.
  plain = failed(Status::TimedOut);
  final = decideAlone(timed.study, &plain);
  EXPECT_EQ(final.kept, Kept::Tuned);
  EXPECT_FALSE(final.plain);
  EXPECT_EQ(decideAlone(TimedStudy({100, 200}).study, nullptr).kept,
            Kept::Default);
}

namespace {
/// Another evaluator than a worker: the same times in each round.
class Simulator : public measure::SideBySide {
public:
  explicit Simulator(std::map<std::string, double> times)
      : times(std::move(times)) {}

  Result<std::vector<runtime::Samples>>
  compare(const std::vector<std::optional<std::string>> &configurations,
          uint64_t) override {
    std::vector<runtime::Samples> all;
    for (const std::optional<std::string> &configuration : configurations) {
      runtime::Samples &samples = all.emplace_back();
      samples.outcome = ok(0);
      samples.slicesNs = {{times.at(configuration.value_or("plain"))}};
    }
    return all;
  }

  bool stopRequested() const override { return false; }

private:
  std::map<std::string, double> times;
};
} // namespace

TEST(FinalComparisonTest, EvaluatorsWithoutAWorkerCompareInRounds) {
  TimedStudy timed({100, 90, 89});
  const std::vector<std::string> names = {"default", "good", "lucky"};
  Outcome plain = ok(300);
  Simulator simulator(
      {{"default", 100}, {"good", 90}, {"lucky", 95}, {"plain", 300}});
  auto compare = [&](const FinalistSet &ballot) {
    std::vector<measure::Finalist> finalists;
    for (size_t trial : ballot.trials)
      finalists.push_back({names[trial], /*mayLeave=*/trial != 0});
    if (ballot.hasPlain)
      finalists.push_back({std::nullopt});
    return measure::compareInRounds(simulator, finalists, {.defender = 0});
  };
  auto onFailure = [](size_t, const Outcome &) { return Result<void>(); };
  Result<FinalComparisonResult> result =
      runFinalComparison(timed.study, {&plain, 1000, compare, onFailure});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->final.kept, Kept::Tuned);
  EXPECT_EQ(result->final.winner, 1u);
  ASSERT_EQ(result->final.finalists.size(), 4u);
  // The one that was only lucky in its trial leaves after three rounds.
  EXPECT_EQ(result->final.finalists[1].trial, 2u);
  EXPECT_EQ(result->final.finalists[1].roundsNs,
            std::vector<double>(measure::minRounds, 95.0));
  EXPECT_EQ(numRoundsOf(result->final), size_t{measure::earlyRounds});
  ASSERT_TRUE(result->decisive);
  EXPECT_DOUBLE_EQ(result->decisive->value, 100.0 / 90);
}

//===----------------------------------------------------------------------===//
// What is told
//===----------------------------------------------------------------------===//

TEST(FinalComparisonTest, SpeedUpsAreThoseOfWhatIsKept) {
  TimedStudy timed({300, 200});
  timed.plain = ok(100);
  timed.plainAgainNs = 100;
  Result<FinalComparisonResult> result = timed.run();
  ASSERT_TRUE(result);
  report::KernelSummary summary;
  summarize(result->final, timed.study, summary);
  EXPECT_EQ(summary.kept, Kept::Plain);
  EXPECT_TRUE(summary.isConfirmed);
  EXPECT_EQ(summary.best->timeNs, 100);
  EXPECT_EQ(summary.speedup->ratio, 3);
  EXPECT_EQ(summary.speedupOverPlain->ratio, 1);
  EXPECT_EQ(summary.bestOther->ratio, 0.5);

  summary = {};
  timed.plainAgainNs = 400;
  result = timed.run();
  ASSERT_TRUE(result);
  summarize(result->final, timed.study, summary);
  EXPECT_EQ(summary.kept, Kept::Tuned);
  EXPECT_EQ(summary.best->timeNs, 200);
  EXPECT_EQ(summary.speedup->ratio, 1.5);
  EXPECT_EQ(summary.speedupOverPlain->ratio, 2);
  EXPECT_FALSE(summary.bestOther);
}
