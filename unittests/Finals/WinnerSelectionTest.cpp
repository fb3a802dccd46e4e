//===- WinnerSelectionTest.cpp - Tests of which code is shipped -----------===//
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

#include "baco/Finals/WinnerSelection.h"

#include "HandMadeTimes.h"
#include "baco/Measure/Rounds.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::finals;
using database::Finalist;
using database::Trial;

static constexpr double confidence = 0.99;

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
