//===- WinnerSelectionTest.cpp - Tests of what is shipped
//------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times by hand: eight rounds, whose 99 % interval goes from the least ratio to
// the largest.
//
//===----------------------------------------------------------------------===//

#include "FinalComparison.h"

#include <limits>
#include <map>

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::driver;
using database::Final;
using database::Finalist;
using database::Trial;

static constexpr double confidence = 0.99;

static Outcome ok(double timeNs, double spread = 0) {
  Outcome outcome;
  outcome.status = Status::Ok;
  outcome.timeNs = timeNs;
  outcome.spread = spread;
  return outcome;
}

static Outcome failed(Status status) {
  Outcome outcome;
  outcome.status = status;
  outcome.timeNs = std::numeric_limits<double>::quiet_NaN();
  outcome.message = "because";
  return outcome;
}

/// Trials with these times; the first is the default.
static std::vector<Trial> trialsOf(const std::vector<double> &times) {
  std::vector<Trial> trials;
  for (double time : times)
    trials.push_back({trials.size(), "{}", "", ok(time)});
  return trials;
}

/// Rounds around `timeNs`, which others share but for `wobble`.
static std::vector<double> rounds(double timeNs, double wobble = 0) {
  std::vector<double> times;
  for (int i = 0; i < 8; ++i)
    times.push_back(timeNs * (1 + (i % 2 ? wobble : -wobble)));
  return times;
}

static Finalist finalist(std::optional<uint64_t> trial, double timeNs,
                         double wobble = 0) {
  return {trial, ok(timeNs), rounds(timeNs, wobble)};
}

//===----------------------------------------------------------------------===//
// Who takes part
//===----------------------------------------------------------------------===//

TEST(WinnerSelectionTest, TheDefaultAndTheBestTwoTakePart) {
  std::vector<Trial> trials = trialsOf({200, 104, 100, 103, 150});
  FinalistSet ballot = chooseFinalists(trials, 0, nullptr, 1000);
  EXPECT_EQ(ballot.trials, (std::vector<size_t>{0, 2, 3}));
  EXPECT_TRUE(ballot.hasDefault);
  EXPECT_FALSE(ballot.hasPlain);
  // Without a default that works.
  trials[0].outcome = failed(Status::Crashed);
  ballot = chooseFinalists(trials, 0, nullptr, 1000);
  EXPECT_EQ(ballot.trials, (std::vector<size_t>{2, 3}));
  EXPECT_FALSE(ballot.hasDefault);
  EXPECT_TRUE(chooseFinalists({}, std::nullopt, nullptr, 1000).trials.empty());
}

TEST(WinnerSelectionTest, FailedTrialsSetNoMargin) {
  std::vector<Trial> trials = trialsOf({200, 104, 50, 103});
  EXPECT_EQ(chooseFinalists(trials, 0, nullptr, 1000).trials,
            (std::vector<size_t>{0, 2}));
  trials[2].failure = failed(Status::WrongResult);
  EXPECT_EQ(chooseFinalists(trials, 0, nullptr, 1000).trials,
            (std::vector<size_t>{0, 3, 1}));
}

TEST(WinnerSelectionTest, PlainTakesPartIfItCouldWin) {
  std::vector<Trial> trials = trialsOf({200, 100});
  auto hasPlain = [&](const Outcome &plain, double longestMs = 1000) {
    return chooseFinalists(trials, 0, &plain, longestMs).hasPlain;
  };
  EXPECT_TRUE(hasPlain(ok(50)));
  EXPECT_TRUE(hasPlain(ok(999)));
  EXPECT_FALSE(hasPlain(ok(1001)));
  EXPECT_FALSE(hasPlain(failed(Status::TimedOut)));
  // Six executions of 160 ns take longer than 900 ns.
  EXPECT_FALSE(hasPlain(ok(160), 9e-4));
  EXPECT_TRUE(hasPlain(ok(140), 9e-4));
  EXPECT_FALSE(couldPlainWin(nullptr, 1, 1000));
}

//===----------------------------------------------------------------------===//
// Who wins
//===----------------------------------------------------------------------===//

TEST(WinnerSelectionTest, TheDefaultStaysUnlessAnotherIsCertainlyFaster) {
  Decision decision = decide(
      {{finalist(0, 100), finalist(1, 90), finalist(2, 80)}}, 0, confidence);
  EXPECT_EQ(decision.kept, Kept::Tuned);
  EXPECT_EQ(decision.schedule, 2u);
  // Faster in every round, but by less than half a percent.
  decision = decide({{finalist(0, 100.4), finalist(1, 100)}}, 0, confidence);
  EXPECT_EQ(decision.kept, Kept::Default);
  decision = decide({{finalist(0, 100.6), finalist(1, 100)}}, 0, confidence);
  EXPECT_EQ(decision.kept, Kept::Tuned);
  // Few rounds must show more.
  decision = decide({{finalist(0, 102), finalist(1, 100)}}, 0, 0.75);
  EXPECT_EQ(decision.kept, Kept::Default);
  decision = decide({{finalist(0, 104), finalist(1, 100)}}, 0, 0.75);
  EXPECT_EQ(decision.kept, Kept::Tuned);
  // Faster in the median, but not in every round.
  decision = decide({{finalist(0, 100), finalist(1, 98, 0.05)}}, 0, confidence);
  EXPECT_EQ(decision.kept, Kept::Default);
  EXPECT_EQ(decision.schedule, 0u);
  EXPECT_EQ(decision.other, 1u);
  // The default failed.
  decision = decide({{{0, failed(Status::Crashed), {}}, finalist(1, 300)}}, 0,
                    confidence);
  EXPECT_EQ(decision.kept, Kept::Tuned);
  EXPECT_EQ(decision.schedule, 1u);
  EXPECT_FALSE(
      decide({{{0, failed(Status::Crashed), {}}}}, 0, confidence).kept);
  EXPECT_FALSE(decide({}, 0, confidence).kept);
}

TEST(WinnerSelectionTest, FinalistsThatLeftEarlyCannotWin) {
  Finalist early = finalist(1, 50);
  early.roundsNs.resize(3);
  Decision decision =
      decide({{finalist(0, 100), early, finalist(2, 80)}}, 0, confidence);
  EXPECT_EQ(decision.schedule, 2u);
}

TEST(WinnerSelectionTest, PlainStaysIfItIsCertainlyFasterThanTheBestSchedule) {
  auto keptWith = [&](double plainNs, double otherNs, double wobble = 0) {
    return decide({{finalist(0, 100), finalist(1, otherNs),
                    finalist(std::nullopt, plainNs, wobble)}},
                  0, confidence)
        .kept;
  };
  EXPECT_EQ(keptWith(70, 80), Kept::Plain);
  EXPECT_EQ(keptWith(90, 80), Kept::Tuned);
  // Nothing beats the default, which plain does.
  EXPECT_EQ(keptWith(90, 110), Kept::Plain);
  EXPECT_EQ(keptWith(110, 120), Kept::Default);
  // Not in every round.
  EXPECT_EQ(keptWith(79, 80, 0.05), Kept::Tuned);
  // It failed.
  Finalist broken{std::nullopt, failed(Status::TimedOut), {}};
  EXPECT_EQ(decide({{finalist(0, 100), broken}}, 0, confidence).kept,
            Kept::Default);
  // With no schedule left there is nothing to compare.
  EXPECT_FALSE(
      decide({{{0, failed(Status::Crashed), {}}, finalist(std::nullopt, 50)}},
             0, confidence)
          .kept);
}

TEST(WinnerSelectionTest, FewRoundsAskMoreOfASchedule) {
  auto threeOf = [](std::optional<uint64_t> trial, std::vector<double> times) {
    Finalist finalist{trial, ok(times[1]), times};
    return finalist;
  };
  double few = measure::confidenceOf(3);
  // 1.2 % to 22 % faster than the default: no other schedule, but plain.
  std::vector<double> slow = {100, 100, 100}, fast = {82, 92.6, 98.8};
  EXPECT_EQ(decide({{threeOf(0, slow), threeOf(1, fast)}}, 0, few).kept,
            Kept::Default);
  EXPECT_EQ(
      decide({{threeOf(0, slow), threeOf(std::nullopt, fast)}}, 0, few).kept,
      Kept::Plain);
}

TEST(WinnerSelectionTest, ProgramsKeepTheFirstUnlessAnotherIsFaster) {
  // Tuned, default, plain.
  auto kept = [](double tunedNs, double defaultNs, double plainNs,
                 double wobble = 0) {
    return decideProgram({{finalist(1, tunedNs), finalist(0, defaultNs, wobble),
                           finalist(std::nullopt, plainNs)}},
                         confidence);
  };
  EXPECT_EQ(kept(100, 110, 500), 0u);
  // Neither is certainly faster.
  EXPECT_EQ(kept(100.4, 100, 500), 0u);
  EXPECT_EQ(kept(100, 98, 500, 0.05), 0u);
  EXPECT_EQ(kept(101, 100, 500), 1u);
  EXPECT_EQ(kept(101, 100, 100), 1u);
  EXPECT_EQ(kept(101, 100, 99), 2u);
  // Plain beats tuned, but the default doesn't.
  EXPECT_EQ(kept(100, 200, 90), 2u);
}

TEST(WinnerSelectionTest, VersionsOfProgramsThatFailAreNotKept) {
  Finalist wrong{1, failed(Status::WrongResult), {}};
  EXPECT_EQ(decideProgram({{wrong, finalist(0, 200)}}, confidence), 1u);
  EXPECT_EQ(
      decideProgram({{finalist(1, 200), {0, failed(Status::Crashed), {}}}},
                    confidence),
      0u);
  EXPECT_FALSE(decideProgram({{wrong}}, confidence));
  // After three rounds nothing that took longer in one of them.
  Finalist few = finalist(1, 100), other = finalist(0, 90);
  few.roundsNs.resize(3);
  other.roundsNs = {90, 90, 101};
  EXPECT_EQ(decideProgram({{few, other}}, measure::confidenceOf(3)), 0u);
}

TEST(WinnerSelectionTest, AloneOnlyAGreatDifferenceIsCertain) {
  EXPECT_TRUE(isCertainlyFasterAlone(ok(100), ok(126)));
  EXPECT_FALSE(isCertainlyFasterAlone(ok(100), ok(124)));
  EXPECT_FALSE(isCertainlyFasterAlone(ok(100), ok(126, 0.1)));
  EXPECT_FALSE(isCertainlyFasterAlone(ok(100, 0.1), ok(126)));
  EXPECT_FALSE(isCertainlyFasterAlone(failed(Status::TimedOut), ok(1e12)));
  EXPECT_FALSE(isCertainlyFasterAlone(ok(1), failed(Status::Crashed)));
}

//===----------------------------------------------------------------------===//
// Selections
//===----------------------------------------------------------------------===//

namespace {
/// A study whose comparisons go as a table says.
struct Finals {
  study::StudyResult study;
  std::optional<Outcome> plain;
  /// By trial; nobody else fails or takes another time than in its trial.
  std::map<size_t, Outcome> again;
  double plainAgainNs = 0;
  std::vector<std::vector<size_t>> ballots;
  std::vector<size_t> failures;
  int numRounds = measure::numRounds;

  explicit Finals(const std::vector<double> &times) {
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
  Finals finals({100, 90, 80});
  Result<FinalComparisonResult> result = finals.run();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(finals.ballots, (FinalistSets{{0, 2}}));
  EXPECT_EQ(result->final.winner, 2u);
  EXPECT_EQ(result->final.kept, Kept::Tuned);
  EXPECT_EQ(result->final.numTrials, 3u);
  EXPECT_EQ(result->final.confidence, measure::finalConfidence);
  EXPECT_EQ(result->final.finalists[1].roundsNs, std::vector<double>(8, 80.0));
}

TEST(FinalComparisonTest, ComparisonsThatAreCutHaveLessConfidence) {
  Finals finals({100, 90, 80});
  finals.numRounds = 3;
  Result<FinalComparisonResult> result = finals.run();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(numRoundsOf(result->final), 3u);
  EXPECT_EQ(result->final.confidence, measure::confidenceOf(3));
  EXPECT_LT(result->final.confidence, measure::finalConfidence);
}

TEST(FinalComparisonTest, FinalistsAreChosenAgainFromTheRest) {
  Finals finals({200, 104, 50, 103});
  finals.again[2] = failed(Status::WrongResult);
  Result<FinalComparisonResult> result = finals.run();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(finals.ballots, (FinalistSets{{0, 2}, {0, 3, 1}}));
  EXPECT_EQ(finals.failures, std::vector<size_t>{2});
  EXPECT_EQ(result->final.winner, 3u);
  const study::StudyResult &study = finals.study;
  EXPECT_EQ(study.best, 3u);
  EXPECT_EQ(study.counts[static_cast<size_t>(Status::Ok)], 3u);
  EXPECT_EQ(study.counts[static_cast<size_t>(Status::WrongResult)], 1u);
  ASSERT_TRUE(study.trials[2].failure);
  EXPECT_EQ(study.trials[2].failure->message, "because");
  EXPECT_EQ(study.trials[2].outcome->status, Status::Ok);
}

TEST(FinalComparisonTest, NoSecondComparisonWithoutNewFinalists) {
  // Of three finalists one fails, and the next one is too slow.
  Finals finals({200, 101, 100, 300});
  finals.again[2] = failed(Status::Crashed);
  Result<FinalComparisonResult> result = finals.run();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(finals.ballots, (FinalistSets{{0, 2, 1}}));
  EXPECT_EQ(result->final.winner, 1u);
}

TEST(FinalComparisonTest, ElectionsAreBounded) {
  Finals finals({200, 10, 20, 30, 40, 50, 60, 70});
  for (size_t trial = 1; trial < 8; ++trial)
    finals.again[trial] = failed(Status::Crashed);
  Result<FinalComparisonResult> result = finals.run();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(finals.ballots.size(), size_t{maxSelections});
  EXPECT_EQ(result->final.kept, Kept::Default);
}

TEST(FinalComparisonTest, FailuresOfTheMachineDoNotCountAsTrials) {
  Finals finals({200, 101, 100});
  finals.again[2] = failed(Status::Lost);
  Result<FinalComparisonResult> result = finals.run();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(finals.failures.empty());
  EXPECT_EQ(result->final.winner, 1u);
  // Without the default there is nothing to compare with.
  finals.again[0] = failed(Status::OutOfMemory);
  result = finals.run();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::IOError);
  EXPECT_TRUE(finals.failures.empty());
}

TEST(FinalComparisonTest, ADefaultThatFailsIsNotShipped) {
  Finals finals({100, 103});
  finals.again[0] = failed(Status::WrongResult);
  Result<FinalComparisonResult> result = finals.run();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->final.kept, Kept::Tuned);
  EXPECT_EQ(result->final.winner, 1u);
  finals.again[1] = failed(Status::WrongResult);
  result = finals.run();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::NotFound);
  EXPECT_FALSE(finals.study.best);
}

TEST(FinalComparisonTest, PlainComesInWhenTheTrialsPromisedTooMuch) {
  Finals finals({300, 10});
  finals.plain = ok(200);
  finals.again[1] = ok(250);
  finals.plainAgainNs = 210;
  Result<FinalComparisonResult> result = finals.run();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(finals.ballots, (FinalistSets{{0, 1}, {0, 1}}));
  EXPECT_EQ(result->final.kept, Kept::Plain);
  EXPECT_FALSE(result->final.winner);
}

TEST(FinalComparisonTest, WithoutAComparisonTheTrialsDecide) {
  Finals finals({300, 100, 200});
  Final final = decideAlone(finals.study, nullptr);
  EXPECT_EQ(final.kept, Kept::Tuned);
  EXPECT_EQ(final.winner, 1u);
  EXPECT_TRUE(final.finalists.empty());
  Outcome plain = ok(50);
  final = decideAlone(finals.study, &plain);
  EXPECT_EQ(final.kept, Kept::Plain);
  EXPECT_FALSE(final.winner);
  EXPECT_EQ(final.plain->timeNs, 50);
  // Its time isn't known.
  plain = failed(Status::TimedOut);
  final = decideAlone(finals.study, &plain);
  EXPECT_EQ(final.kept, Kept::Tuned);
  EXPECT_FALSE(final.plain);
  EXPECT_EQ(decideAlone(Finals({100, 200}).study, nullptr).kept, Kept::Default);
}

//===----------------------------------------------------------------------===//
// What is told
//===----------------------------------------------------------------------===//

TEST(FinalComparisonTest, SpeedUpsAreThoseOfWhatIsKept) {
  Finals finals({300, 200});
  finals.plain = ok(100);
  finals.plainAgainNs = 100;
  Result<FinalComparisonResult> result = finals.run();
  ASSERT_TRUE(result);
  report::KernelSummary summary;
  summarize(result->final, finals.study, summary);
  EXPECT_EQ(summary.kept, Kept::Plain);
  EXPECT_TRUE(summary.isConfirmed);
  EXPECT_EQ(summary.best->timeNs, 100);
  EXPECT_EQ(summary.speedup->ratio, 3);
  EXPECT_EQ(summary.speedupOverPlain->ratio, 1);
  EXPECT_EQ(summary.bestOther->ratio, 0.5);

  summary = {};
  finals.plainAgainNs = 400;
  result = finals.run();
  ASSERT_TRUE(result);
  summarize(result->final, finals.study, summary);
  EXPECT_EQ(summary.kept, Kept::Tuned);
  EXPECT_EQ(summary.best->timeNs, 200);
  EXPECT_EQ(summary.speedup->ratio, 1.5);
  EXPECT_EQ(summary.speedupOverPlain->ratio, 2);
  EXPECT_FALSE(summary.bestOther);
}
