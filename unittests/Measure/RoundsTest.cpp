//===- RoundsTest.cpp - Tests of comparing in fresh processes -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of the test worker's candidates, `slow` takes some hundred times as long as
// `good`: no machine is busy enough to hide that.
//
//===----------------------------------------------------------------------===//

#include "baco/Measure/Rounds.h"
#include "baco/Measure/WorkerProcess.h"
#include "baco/Protocol/Clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <future>
#include <set>
#include <thread>

using namespace baco;
using namespace baco::measure;

static Comparison compareUnder(const RoundsOptions &rounds,
                               const std::vector<Finalist> &finalists) {
  runtime::MeasureOptions options;
  options.timing.comparisonMs = 16;
  options.timing.sliceMs = 1;
  options.limits.runTimeoutMs = 10000;
  auto worker = WorkerProcess::start(
      {.program = BACO_TEST_WORKER, .text = "", .measure = ofRound(options)});
  EXPECT_TRUE(worker) << worker.error().message;
  if (!worker)
    return {};
  auto samples = compareInRounds(**worker, finalists, rounds);
  EXPECT_TRUE(samples) << samples.error().message;
  return samples ? *samples : Comparison();
}

static std::vector<Samples> compare(const std::vector<Finalist> &finalists) {
  Comparison comparison = compareUnder({}, finalists);
  EXPECT_EQ(comparison.cut, Cut::None);
  return comparison.finalists;
}

TEST(RoundsTest, RoundsShareTheTime) {
  runtime::MeasureOptions options;
  options.timing.comparisonMs = 80;
  EXPECT_EQ(ofRound(options).timing.comparisonMs, 10);
}

TEST(RoundsTest, FinalistsThatMayNotLeaveAreInAllRounds) {
  auto samples = compare({{"good"}, {"slow"}, {std::nullopt}});
  ASSERT_EQ(samples.size(), 3u);
  for (const Samples &one : samples) {
    EXPECT_EQ(one.outcome.status, Status::Ok) << one.outcome.message;
    EXPECT_EQ(one.slicesNs.size(), size_t(numRounds));
    EXPECT_EQ(one.conditions.size(), size_t(numRounds));
    EXPECT_GT(one.outcome.timeNs, 0);
  }
  Ratio ratio = compareRounds(samples[1], samples[0], finalConfidence);
  EXPECT_GT(ratio.interval.low, 1);
  EXPECT_TRUE(ratio.interval.contains(ratio.value));
}

TEST(RoundsTest, FinalistsSlowerInEveryRoundLeave) {
  auto samples = compare({{"good"}, {"slow", true}, {std::nullopt}});
  ASSERT_EQ(samples.size(), 3u);
  EXPECT_EQ(samples[1].outcome.status, Status::Ok);
  EXPECT_EQ(samples[1].slicesNs.size(), 3u);
  EXPECT_EQ(samples[0].slicesNs.size(), size_t(numRounds));
  // Three rounds are no claim.
  EXPECT_TRUE(compareRounds(samples[0], samples[1], finalConfidence)
                  .interval.contains(1));
}

/// Which schedule is the best must be known, be they all slower than that.
TEST(RoundsTest, FinalistsStayAgainstThePlainKernel) {
  auto samples = compare({{"slow", true}, {std::nullopt}});
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].slicesNs.size(), size_t(numRounds));
}

TEST(RoundsTest, RoundsEndWithASingleFinalist) {
  auto samples = compare({{"good"}, {"slow", true}});
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].slicesNs.size(), 3u);
  samples = compare({{"good"}, {"segfault"}});
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].slicesNs.size(), size_t(minRounds));
  EXPECT_TRUE(compare({}).empty());
}

/// Its time is reported, though nothing is compared with it.
TEST(RoundsTest, AFinalistThatBeginsAloneHasAllRounds) {
  auto samples = compare({{"good"}});
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_EQ(samples[0].outcome.status, Status::Ok);
  EXPECT_EQ(samples[0].slicesNs.size(), size_t(numRounds));
}

TEST(RoundsTest, FailedFinalistsHaveNoFurtherRounds) {
  auto samples = compare({{"good"}, {"segfault"}, {"slow"}});
  ASSERT_EQ(samples.size(), 3u);
  EXPECT_EQ(samples[1].outcome.status, Status::Crashed);
  EXPECT_LE(samples[1].slicesNs.size(), 1u);
  EXPECT_EQ(samples[0].slicesNs.size(), size_t(numRounds));
  EXPECT_EQ(samples[2].slicesNs.size(), size_t(numRounds));
}

TEST(RoundsTest, SlowKernelsHaveFewerRounds) {
  Comparison comparison =
      compareUnder({.longestMs = 1e-3}, {{"good"}, {"slow"}});
  EXPECT_EQ(comparison.cut, Cut::Slow);
  ASSERT_EQ(comparison.finalists.size(), 2u);
  for (const Samples &one : comparison.finalists) {
    EXPECT_EQ(one.outcome.status, Status::Ok) << one.outcome.message;
    EXPECT_EQ(one.slicesNs.size(), size_t(minRounds));
  }
  // Three pairs tell as much as three pairs can.
  Ratio ratio = compareRounds(comparison.finalists[1], comparison.finalists[0],
                              confidenceOf(minRounds));
  EXPECT_GT(ratio.interval.low, 0);
}

/// The fourth round never ends by itself; `endIn` sees to that. How long the
/// first three take isn't known: if they aren't complete, the error is `early`,
/// and there is more time in the next attempt.
static void
expectThreeRounds(std::atomic<bool> &stop, ErrorCode early, Cut cut,
                  const std::function<void(WorkerProcess &, int64_t)> &endIn) {
  runtime::MeasureOptions options;
  options.timing.comparisonMs = 16;
  options.timing.sliceMs = 1;
  options.limits.runTimeoutMs = 600000;
  for (int64_t seconds = 1;; seconds *= 4) {
    stop = false; // The attempt before may have set it.
    auto worker = WorkerProcess::start({.program = BACO_TEST_WORKER,
                                        .text = "",
                                        .measure = ofRound(options),
                                        .stop = &stop});
    ASSERT_TRUE(worker) << worker.error().message;
    endIn(**worker, seconds);
    Result<Comparison> comparison =
        compareInRounds(**worker, {{"good"}, {"good-thrice"}});
    if (!comparison && seconds < 100) {
      EXPECT_EQ(comparison.error().code, early);
      continue;
    }
    ASSERT_TRUE(comparison) << comparison.error().message;
    EXPECT_EQ(comparison->cut, cut);
    ASSERT_EQ(comparison->finalists.size(), 2u);
    for (const Samples &one : comparison->finalists) {
      EXPECT_EQ(one.outcome.status, Status::Ok) << one.outcome.message;
      EXPECT_EQ(one.slicesNs.size(), 3u);
    }
    return;
  }
}

TEST(RoundsTest, KeepsCompleteRoundsWhenTheTimeIsOver) {
  std::atomic<bool> stop = false;
  expectThreeRounds(stop, ErrorCode::TimedOut, Cut::OutOfTime,
                    [](WorkerProcess &worker, int64_t seconds) {
                      worker.endAt(runtime::nowNs() + seconds * 1000000000);
                    });
}

TEST(RoundsTest, KeepsCompleteRoundsWhenTheUserStops) {
  std::atomic<bool> stop = false;
  std::future<void> user;
  expectThreeRounds(stop, ErrorCode::IOError, Cut::Stopped,
                    [&](WorkerProcess &, int64_t seconds) {
                      user = std::async(std::launch::async, [&stop, seconds] {
                        std::this_thread::sleep_for(
                            std::chrono::seconds(seconds));
                        stop = true;
                      });
                    });
}

TEST(RoundsTest, FinalistsThatMayBeFasterHaveMoreRounds) {
  // `good` beats the defender in all rounds.
  auto samples = compareUnder({.defender = 0}, {{"slow"}, {"good"}}).finalists;
  ASSERT_EQ(samples.size(), 2u);
  for (const Samples &one : samples)
    EXPECT_EQ(one.slicesNs.size(), size_t(earlyRounds));
  EXPECT_TRUE(isCertainlyLonger(
      compareRounds(samples[0], samples[1], finalConfidence)));
  // And the other way round it can't win.
  samples = compareUnder({.defender = 0}, {{"good"}, {"slow"}}).finalists;
  EXPECT_EQ(samples[0].slicesNs.size(), size_t(numRounds));
  EXPECT_TRUE(isCertainlyLonger(
      compareRounds(samples[1], samples[0], finalConfidence)));
  // A defender that fails has lost.
  samples = compareUnder({.defender = 0}, {{"segfault"}, {"good"}, {"slow"}})
                .finalists;
  EXPECT_EQ(samples[1].slicesNs.size(), size_t(numRounds));
}

TEST(RoundsTest, FinalistsThatCannotBeatTheDefenderLeave) {
  // The defender is the same candidate, so that the second one isn't slower by
  // a percent in all rounds; it may be lucky in some, but not be chosen.
  auto samples =
      compareUnder({.defender = 0}, {{"slow"}, {"slow", true}}).finalists;
  ASSERT_EQ(samples.size(), 2u);
  size_t rounds = samples[1].slicesNs.size();
  EXPECT_EQ(samples[0].slicesNs.size(), rounds);
  std::vector<double> ratios = sliceMedians(samples[1]);
  std::vector<double> defended = sliceMedians(samples[0]);
  for (size_t i = 0; i < rounds; ++i)
    ratios[i] = defended[i] / ratios[i];
  EXPECT_TRUE(rounds >= size_t(earlyRounds) || !mayBeClaimed(ratios));
  // It left as soon as that was known, but not before three rounds.
  ratios.pop_back();
  EXPECT_TRUE(rounds == size_t(minRounds) || mayBeClaimed(ratios));
  // Plain stays, and so does what it is compared with.
  samples =
      compareUnder({.defender = 0}, {{"good"}, {"slow", true}, {std::nullopt}})
          .finalists;
  ASSERT_EQ(samples.size(), 3u);
  EXPECT_EQ(samples[1].slicesNs.size(), size_t(minRounds));
  EXPECT_GE(samples[0].slicesNs.size(), size_t(numRounds));
  EXPECT_EQ(samples[2].slicesNs.size(), samples[0].slicesNs.size());
}

//===----------------------------------------------------------------------===//
// Other measurers than a worker
//===----------------------------------------------------------------------===//

namespace {
/// Takes the same times in each round, and notes how it was called.
class Simulator : public SideBySide {
public:
  Result<std::vector<Samples>>
  compare(const std::vector<std::optional<std::string>> &configurations,
          uint64_t placementSeed) override {
    size_t call = calls.size();
    calls.push_back(configurations);
    seeds.push_back(placementSeed);
    if (call >= failsFrom)
      return error;
    std::vector<Samples> all;
    for (const std::optional<std::string> &configuration : configurations) {
      Samples &samples = all.emplace_back();
      samples.outcome.status = call < lostBefore ? Status::Lost : Status::Ok;
      if (call >= lostBefore)
        samples.slicesNs = {{configuration == "fast" ? 90.0 : 100.0}};
    }
    return all;
  }

  bool stopRequested() const override {
    return isStopped && calls.size() > failsFrom;
  }

  std::vector<std::vector<std::optional<std::string>>> calls;
  std::vector<uint64_t> seeds;
  /// Calls before this one lose all candidates.
  size_t lostBefore = 0;
  /// Calls from this one on fail.
  size_t failsFrom = 100;
  Error error = {ErrorCode::IOError, "it is gone"};
  bool isStopped = false;
};
} // namespace

TEST(RoundsTest, SimulatorsHaveTheSameRounds) {
  Simulator simulator;
  Result<Comparison> comparison = compareInRounds(
      simulator, {{"slow"}, {"fast"}, {std::nullopt}}, {.defender = 0});
  ASSERT_TRUE(comparison) << comparison.error().message;
  EXPECT_EQ(comparison->cut, Cut::None);
  ASSERT_EQ(comparison->finalists.size(), 3u);
  for (const Samples &one : comparison->finalists)
    EXPECT_EQ(one.slicesNs.size(), size_t(earlyRounds));
  EXPECT_EQ(comparison->finalists[0].outcome.timeNs, 100);
  EXPECT_EQ(comparison->finalists[1].outcome.timeNs, 90);
  EXPECT_EQ(comparison->finalists[1].outcome.numSamples, earlyRounds);
  // The order of each second round is the reverse of the one before.
  ASSERT_EQ(simulator.calls.size(), size_t(earlyRounds));
  for (size_t i = 0; i < simulator.calls.size(); i += 2) {
    std::reverse(simulator.calls[i].begin(), simulator.calls[i].end());
    EXPECT_EQ(simulator.calls[i], simulator.calls[i + 1]);
  }
  std::set<uint64_t> seeds(simulator.seeds.begin(), simulator.seeds.end());
  EXPECT_EQ(seeds.size(), simulator.seeds.size());
}

TEST(RoundsTest, LostRoundsAreMeasuredAgain) {
  Simulator simulator;
  simulator.lostBefore = 2;
  Result<Comparison> comparison =
      compareInRounds(simulator, {{"slow"}, {"fast"}});
  ASSERT_TRUE(comparison) << comparison.error().message;
  EXPECT_EQ(comparison->finalists[0].outcome.status, Status::Ok);
  EXPECT_EQ(comparison->finalists[0].slicesNs.size(), size_t(numRounds));
  EXPECT_EQ(simulator.calls.size(), size_t(numRounds + 2));
  // Alike.
  EXPECT_EQ(simulator.calls[0], simulator.calls[2]);
  EXPECT_EQ(simulator.seeds[0], simulator.seeds[2]);
  EXPECT_NE(simulator.seeds[2], simulator.seeds[3]);

  simulator = {};
  simulator.lostBefore = 3;
  comparison = compareInRounds(simulator, {{"slow"}, {"fast"}});
  ASSERT_TRUE(comparison) << comparison.error().message;
  EXPECT_EQ(comparison->finalists[0].outcome.status, Status::Lost);
  EXPECT_EQ(simulator.calls.size(), 3u);
}

TEST(RoundsTest, ErrorsEndTheRounds) {
  auto compareFailing = [](size_t from, ErrorCode code, bool isStopped) {
    Simulator simulator;
    simulator.failsFrom = from;
    simulator.error.code = code;
    simulator.isStopped = isStopped;
    return compareInRounds(simulator, {{"slow"}, {"fast"}});
  };
  auto cutOf = [&](size_t from, ErrorCode code, bool isStopped) {
    Result<Comparison> comparison = compareFailing(from, code, isStopped);
    EXPECT_TRUE(comparison) << comparison.error().message;
    return comparison ? comparison->cut : Cut::None;
  };
  EXPECT_EQ(cutOf(minRounds, ErrorCode::IOError, true), Cut::Stopped);
  EXPECT_EQ(cutOf(minRounds, ErrorCode::TimedOut, false), Cut::OutOfTime);
  // Two rounds are too few, and other errors are no limits.
  EXPECT_FALSE(compareFailing(minRounds - 1, ErrorCode::IOError, true));
  EXPECT_FALSE(compareFailing(minRounds - 1, ErrorCode::TimedOut, false));
  EXPECT_FALSE(compareFailing(minRounds, ErrorCode::IOError, false));
}

TEST(RoundsTest, AFinalistThatIsAloneNeedsOneRound) {
  Simulator simulator;
  simulator.error.code = ErrorCode::TimedOut;
  simulator.failsFrom = 1;
  Result<Comparison> comparison = compareInRounds(simulator, {{"fast"}});
  ASSERT_TRUE(comparison) << comparison.error().message;
  EXPECT_EQ(comparison->cut, Cut::OutOfTime);
  EXPECT_EQ(comparison->finalists[0].outcome.timeNs, 90);
  simulator.failsFrom = 0;
  EXPECT_FALSE(compareInRounds(simulator, {{"fast"}}));
}

//===----------------------------------------------------------------------===//
// The statistics
//===----------------------------------------------------------------------===//

TEST(RoundsTest, TwoFailuresToBeFasterAreTooMany) {
  std::vector<double> ratios(numRounds, 1.02);
  EXPECT_TRUE(mayBeClaimed(ratios));
  ratios[3] = 0.9;
  EXPECT_TRUE(mayBeClaimed(ratios));
  // Not faster by half a percent.
  ratios[5] = 1.0049;
  EXPECT_FALSE(mayBeClaimed(ratios));
}

TEST(RoundsTest, FewPairsHaveTheirConfidence) {
  EXPECT_EQ(confidenceOf(3), 0.75);
  EXPECT_EQ(confidenceOf(5), 0.9375);
  EXPECT_EQ(confidenceOf(numRounds), finalConfidence);
  for (size_t n = 2; n <= size_t(numRounds); ++n) {
    std::vector<double> ratios;
    for (size_t i = 0; i < n; ++i)
      ratios.push_back(1 + 0.1 * static_cast<double>(i));
    Interval interval = medianInterval(ratios, confidenceOf(n));
    EXPECT_EQ(interval.low, ratios.front()) << n;
    EXPECT_EQ(interval.high, ratios.back()) << n;
  }
}
