//===- ResumeRunTest.cpp - Tests of continued studies ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs that are stopped or killed at every point, and continued.
//
//===----------------------------------------------------------------------===//

#include "../Database/TestHelpers.h"
#include "Fakes.h"

#include "baco/Database/Export.h"
#include "baco/Search/Techniques/OptimizerFactory.h"
#include "baco/Support/Random.h"
#include "baco/Support/Sanitizer.h"

#include <sys/mman.h>
#include <sys/time.h>

using namespace baco;
using namespace baco::study;
using namespace baco::test;
using database::Journal;
using database::StudyJournal;

using Log = std::vector<std::string>;

/// Runs a study on the database at `path`; dies of an error.
static StudyResult runJournaled(const std::string &path, StudyFixture &fixture,
                                const StudyOptions &options) {
  Result<Journal> journal = Journal::open(path);
  EXPECT_TRUE(journal) << journal.error().message;
  Result<StudyJournal> writer = journal->openStudy({"k", "n", "{}", "{}", ""});
  EXPECT_TRUE(writer) << writer.error().message;
  fixture.parts.journal = &*writer;
  Result<StudyResult> result = fixture.run(options);
  EXPECT_TRUE(result) << result.error().message;
  fixture.parts.journal = nullptr;
  return std::move(*result);
}

/// Fails sometimes, loses trial 4.
static Result<Outcome> mixed(uint64_t trial, const Configuration &c) {
  return trial == 4 ? failedOutcome(Status::Lost, "gone") : bowl(trial, c);
}

TEST(ResumeRunTest, JournalHoldsTheTrials) {
  TemporaryFolder folder;
  StudyFixture fixture(mixed);
  StudyResult result = runJournaled(folder.file("a.db"), fixture, budgetOf(12));
  Result<Journal> journal = Journal::openReadOnly(folder.file("a.db"));
  ASSERT_TRUE(journal);
  Result<std::vector<database::Trial>> trials = journal->trials("k");
  ASSERT_TRUE(trials);
  EXPECT_EQ(writeTrialsJsonl(*trials), writeTrialsJsonl(result.trials));
  EXPECT_EQ((*trials)[7].state, result.trials[7].state);
}

TEST(ResumeRunTest, FinishedStudiesAreNotRunAgain) {
  TemporaryFolder folder;
  StudyFixture first(mixed), second(mixed);
  StudyResult a = runJournaled(folder.file("a.db"), first, budgetOf(12));
  StudyResult b = runJournaled(folder.file("a.db"), second, budgetOf(12));
  EXPECT_EQ(second.evaluator.log, Log{});
  EXPECT_EQ(writeTrialsJsonl(b.trials), writeTrialsJsonl(a.trials));
  EXPECT_EQ(b.best, a.best);
  EXPECT_EQ(b.counts, a.counts);
  EXPECT_EQ(b.evaluations, 12u);
  EXPECT_EQ(b.defaultTrial, a.defaultTrial);
  EXPECT_EQ(b.stopReason, StopReason::Budget);
  EXPECT_EQ(b.compileSeconds, 0) << "nothing was compiled in this run";
}

/// The default is the one trial that a later run measures although it has an
/// outcome: it was lost.
TEST(ResumeRunTest, ALostDefaultIsMeasuredByTheNextRun) {
  TemporaryFolder folder;
  StudyFixture first([](uint64_t trial, const Configuration &c) {
    return trial == 0 ? failedOutcome(Status::Lost, "gone") : bowl(trial, c);
  });
  StudyResult a = runJournaled(folder.file("a.db"), first, budgetOf(4, 1));
  EXPECT_EQ(statusName(a.trials[0].outcome->status), "lost");
  StudyFixture second;
  StudyResult b = runJournaled(folder.file("a.db"), second, budgetOf(4, 1));
  EXPECT_EQ(second.evaluator.log, (Log{"submit 0", "wait 0"}));
  EXPECT_EQ(second.optimizer.log,
            (Log{"tell 0", "tell 1", "tell 2 infeasible", "tell 3"}));
  EXPECT_EQ(b.trials[0].outcome->status, Status::Ok);
  EXPECT_EQ(b.defaultTrial, 0u);
  StudyFixture third;
  StudyResult c = runJournaled(folder.file("a.db"), third, budgetOf(4, 1));
  EXPECT_EQ(third.evaluator.log, Log{});
  EXPECT_EQ(writeTrialsJsonl(c.trials), writeTrialsJsonl(b.trials));
}

/// For each number in flight: the trials are the same whether one run makes
/// them, or one with a smaller budget and then another.
TEST(ResumeRunTest, RaisingTheBudgetContinues) {
  for (uint64_t inFlight : {1, 2, 3, 5})
    for (uint64_t firstBudget = 1; firstBudget < 12; ++firstBudget) {
      StudyFixture whole(mixed), first(mixed), second(mixed);
      Result<StudyResult> expected = whole.run(budgetOf(12, inFlight));
      ASSERT_TRUE(expected);
      TemporaryFolder folder;
      std::string path = folder.file("a.db");
      runJournaled(path, first, budgetOf(firstBudget, inFlight));
      StudyResult result = runJournaled(path, second, budgetOf(12, inFlight));
      EXPECT_EQ(writeTrialsJsonl(result.trials),
                writeTrialsJsonl(expected->trials))
          << inFlight << " in flight, stopped after " << firstBudget;
    }
}

/// The same without a journal, in one process: time and trials go on.
TEST(ResumeRunTest, RunsGoOnFromTheirTrials) {
  for (uint64_t inFlight : {1, 2, 3, 5})
    for (uint64_t firstBudget = 1; firstBudget < 12; ++firstBudget) {
      StudyFixture whole(mixed), first(mixed), second(mixed);
      Result<StudyResult> expected = whole.run(budgetOf(12, inFlight));
      ASSERT_TRUE(expected);
      Result<StudyResult> before = first.run(budgetOf(firstBudget, inFlight));
      ASSERT_TRUE(before);
      second.parts.earlier = &before->trials;
      Result<StudyResult> result = second.run(budgetOf(12, inFlight));
      ASSERT_TRUE(result);
      EXPECT_EQ(writeTrialsJsonl(result->trials),
                writeTrialsJsonl(expected->trials))
          << inFlight << " in flight, stopped after " << firstBudget;
      EXPECT_EQ(result->counts, expected->counts);
      EXPECT_EQ(result->best, expected->best);
    }
}

TEST(ResumeRunTest, EarlierTimeCountsForTheLimit) {
  StudyFixture fixture;
  fixture.parts.clock = [] { return 100.0; };
  StudyOptions options = budgetOf(12);
  options.timeLimitSeconds = 5;
  options.earlierSeconds = 5;
  Result<StudyResult> result = fixture.run(options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->stopReason, StopReason::TimeLimit);
  EXPECT_EQ(result->evaluations, 0u);
  EXPECT_EQ(result->wallSeconds, 5);
}

/// Kills the process when trial `victim` is submitted or waited for.
static int runAndDie(const std::string &path, uint64_t victim, bool onSubmit,
                     uint64_t inFlight) {
  return runInChild([&] {
    StudyFixture fixture([&](uint64_t trial, const Configuration &c) {
      if (!onSubmit && trial == victim)
        raise(SIGKILL);
      return mixed(trial, c);
    });
    if (onSubmit)
      fixture.evaluator.onSubmit = [&](uint64_t trial) {
        if (trial == victim)
          raise(SIGKILL);
      };
    runJournaled(path, fixture, budgetOf(12, inFlight));
    return 0;
  });
}

TEST(ResumeRunTest, KilledAnywhereGivesTheSameTrials) {
  for (uint64_t inFlight : {1, 2, 3}) {
    StudyFixture whole(mixed);
    Result<StudyResult> expected = whole.run(budgetOf(12, inFlight));
    ASSERT_TRUE(expected);
    for (uint64_t victim = 0; victim < 12; ++victim)
      for (bool onSubmit : {false, true}) {
        TemporaryFolder folder;
        std::string path = folder.file("a.db");
        ASSERT_EQ(runAndDie(path, victim, onSubmit, inFlight), -SIGKILL);
        StudyFixture resumed(mixed);
        StudyResult result =
            runJournaled(path, resumed, budgetOf(12, inFlight));
        EXPECT_EQ(writeTrialsJsonl(result.trials),
                  writeTrialsJsonl(expected->trials))
            << inFlight << " in flight, killed at " << victim;
        for (size_t i = 0; i < 12; ++i)
          EXPECT_EQ(result.trials[i].state, expected->trials[i].state);
        // What has an outcome isn't run again: if it died when it was waited
        // for, that is all before the victim, else all but those in flight.
        uint64_t known =
            onSubmit ? victim - std::min(victim, inFlight - 1) : victim;
        size_t submitted = static_cast<size_t>(std::count_if(
            resumed.evaluator.log.begin(), resumed.evaluator.log.end(),
            [](const auto &entry) { return entry.starts_with("submit"); }));
        // What is lost is run a second time.
        EXPECT_EQ(submitted, 12 - known + (known <= 4));
      }
  }
}

namespace {
/// Counts that outlive the processes that count.
class SharedCounts {
public:
  explicit SharedCounts(size_t size) : size(size) {
    void *block = mmap(nullptr, size * sizeof(int), PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    counts = block == MAP_FAILED ? nullptr : static_cast<int *>(block);
  }
  ~SharedCounts() {
    if (counts)
      munmap(counts, size * sizeof(int));
  }
  int &operator[](size_t index) { return counts[index]; }
  bool isThere() const { return counts; }

private:
  size_t size;
  int *counts;
};
} // namespace

/// Ends this process by a signal after a while, in the middle of whatever it
/// does then.
static void dieAfter(double microseconds) {
  itimerval when = {};
  when.it_value.tv_usec = static_cast<suseconds_t>(microseconds);
  setitimer(ITIMER_REAL, &when, nullptr);
}

/// 200 deaths at any instruction, that is, also inside SQLite: nothing that was
/// committed is lost or run again, and the trials are those of a run in peace.
TEST(ResumeRunTest, KilledAtAnyMoment) {
  constexpr uint64_t budget = 40, inFlight = 3;
  StudyFixture whole(mixed);
  Result<StudyResult> expected = whole.run(budgetOf(budget, inFlight));
  ASSERT_TRUE(expected);
  Random random(5, 0);
  // A process takes a second with AddressSanitizer.
  const int enough = isAddressSanitized ? 20 : 200;
  int kills = 0;
  while (kills < enough) {
    TemporaryFolder folder;
    std::string path = folder.file("a.db");
    SharedCounts evaluations(budget);
    ASSERT_TRUE(evaluations.isThere());
    int killsHere = 0;
    std::string known;
    for (bool isDone = false; !isDone;) {
      // Longer and longer, as a busy machine may get nowhere in this time.
      double microseconds = random.uniform(100, 2000 + 100 * killsHere);
      int status = runInChild([&] {
        dieAfter(microseconds);
        StudyFixture fixture([&](uint64_t trial, const Configuration &c) {
          ++evaluations[trial];
          return mixed(trial, c);
        });
        runJournaled(path, fixture, budgetOf(budget, inFlight));
        return 0;
      });
      isDone = status == 0;
      ASSERT_TRUE(isDone || status == -SIGALRM) << status;
      killsHere += !isDone;
      // What was known stays known.
      Result<Journal> journal = Journal::openReadOnly(path);
      if (!journal)
        continue; // Not made yet.
      Result<std::vector<database::Trial>> trials = journal->trials("k");
      if (!trials)
        continue;
      std::string now = writeTrialsJsonl(*trials);
      EXPECT_TRUE(now.starts_with(known)) << known << " became " << now;
      known = now;
    }
    kills += killsHere;
    EXPECT_EQ(known, writeTrialsJsonl(expected->trials));
    int numEvaluations = 0;
    for (uint64_t trial = 0; trial < budget; ++trial)
      numEvaluations += evaluations[trial];
    // Trial 4 is lost, and each time run twice.
    EXPECT_LE(numEvaluations,
              int(budget + inFlight * killsHere) + 1 + killsHere);
  }
}

/// Every third trial is of no use as soon as the one before it is the next to
/// be told; for some trials that changes again.
static bool everyThird(uint64_t trial, size_t numTold) {
  return trial % 3 == 2 && trial < 2 * numTold && (trial + numTold) % 7 != 0;
}

/// The moments at which a process can die.
enum class Moment { Submit, Wait, Cancel };

/// Kills the process at such a moment of trial `victim`, if it comes.
static int runUnwantedAndDie(const std::string &path, uint64_t victim,
                             Moment moment, uint64_t inFlight) {
  return runInChild([&] {
    auto dieAt = [&](Moment now) {
      return [&, now](uint64_t trial) {
        if (moment == now && trial == victim)
          raise(SIGKILL);
      };
    };
    StudyFixture fixture([&](uint64_t trial, const Configuration &c) {
      dieAt(Moment::Wait)(trial);
      return mixed(trial, c);
    });
    fixture.optimizer.isUnwanted = everyThird;
    fixture.evaluator.onSubmit = dieAt(Moment::Submit);
    fixture.evaluator.onCancel = dieAt(Moment::Cancel);
    runJournaled(path, fixture, budgetOf(12, inFlight));
    return 0;
  });
}

TEST(ResumeRunTest, KilledAnywhereCancelsTheSameTrials) {
  int numKills = 0;
  for (uint64_t inFlight : {2, 3, 5}) {
    StudyFixture whole(mixed);
    whole.optimizer.isUnwanted = everyThird;
    Result<StudyResult> expected = whole.run(budgetOf(12, inFlight));
    ASSERT_TRUE(expected);
    ASSERT_GT(expected->counts[size_t(Status::Cancelled)], 0u);
    for (uint64_t victim = 0; victim < expected->trials.size(); ++victim)
      for (Moment moment : {Moment::Submit, Moment::Wait, Moment::Cancel}) {
        TemporaryFolder folder;
        std::string path = folder.file("a.db");
        numKills +=
            runUnwantedAndDie(path, victim, moment, inFlight) == -SIGKILL;
        StudyFixture resumed(mixed);
        resumed.optimizer.isUnwanted = everyThird;
        StudyResult result =
            runJournaled(path, resumed, budgetOf(12, inFlight));
        EXPECT_EQ(writeTrialsJsonl(result.trials),
                  writeTrialsJsonl(expected->trials))
            << inFlight << " in flight, killed at " << victim;
      }
  }
  EXPECT_GT(numKills, 70);
}

/// A search by pro-c, seven in flight, which cancels some of its trials; killed
/// when `victim` is waited for.
static std::string runPro(const std::string &path, uint64_t victim) {
  std::vector<Parameter> parameters;
  for (const char *name : {"a", "b", "c", "d"})
    parameters.push_back(*Parameter::integer(name, 0, 19));
  Result<Space> space = Space::create(parameters);
  search::OptimizerOptions options;
  options.seed = 3;
  auto optimizer = search::makeOptimizer("pro-c", *space, options);
  FakeEvaluator evaluator([&](uint64_t trial, const Configuration &c) {
    if (trial == victim)
      raise(SIGKILL);
    double sum = 1, coupled = 0;
    for (size_t k = 0; k < c.size(); ++k) {
      double x = double(std::get<int64_t>(c[k])) - double(3 + 2 * k);
      sum += double(k + 1) * x * x;
      coupled += x;
    }
    return Result<Outcome>(okOutcome(sum + coupled * coupled));
  });
  Result<Journal> journal = Journal::open(path);
  Result<StudyJournal> writer = journal->openStudy({"k", "n", "{}", "{}", ""});
  Result<StudyResult> result =
      runStudy({*space, **optimizer, evaluator, &*writer}, budgetOf(80, 7));
  return result ? writeTrialsJsonl(result->trials) : result.error().message;
}

TEST(ResumeRunTest, ProCancelsTheSameKilledOrNot) {
  TemporaryFolder folder;
  std::string expected = runPro(folder.file("whole.db"), ~0);
  EXPECT_NE(expected.find("cancelled"), std::string::npos) << expected;
  for (uint64_t victim = 0; victim < 80; victim += 3)
    runInChild([&] {
      runPro(folder.file("killed.db"), victim);
      return 0;
    });
  EXPECT_EQ(runPro(folder.file("killed.db"), ~0), expected);
}

/// A smaller budget evaluates to its end what a larger one may cancel later,
/// but asks for the same.
TEST(ResumeRunTest, RaisingTheBudgetOfAStudyThatCancels) {
  for (uint64_t inFlight : {2, 3, 5})
    for (uint64_t firstBudget = 1; firstBudget < 12; ++firstBudget) {
      StudyFixture whole(mixed), first(mixed), second(mixed);
      for (StudyFixture *fixture : {&whole, &first, &second})
        fixture->optimizer.isUnwanted = everyThird;
      Result<StudyResult> expected = whole.run(budgetOf(12, inFlight));
      ASSERT_TRUE(expected);
      TemporaryFolder folder;
      std::string path = folder.file("a.db");
      runJournaled(path, first, budgetOf(firstBudget, inFlight));
      StudyResult result = runJournaled(path, second, budgetOf(12, inFlight));
      ASSERT_GE(result.trials.size(), 12u);
      for (size_t i = 0; i < firstBudget; ++i)
        EXPECT_EQ(result.trials[i].configuration,
                  expected->trials[i].configuration);
    }
}

TEST(ResumeRunTest, ResumeKeepsGivingUp) {
  TemporaryFolder folder;
  auto failing = [](uint64_t, const Configuration &) -> Result<Outcome> {
    return failedOutcome(Status::Crashed, "boom");
  };
  StudyFixture first(failing), second(failing);
  StudyOptions options = budgetOf(30);
  options.failureLimit = 4;
  StudyResult a = runJournaled(folder.file("a.db"), first, options);
  StudyResult b = runJournaled(folder.file("a.db"), second, options);
  EXPECT_EQ(b.stopReason, StopReason::AlwaysFails);
  EXPECT_EQ(b.explanation, a.explanation);
  EXPECT_EQ(b.evaluations, 4u);
  EXPECT_EQ(writeTrialsJsonl(b.trials), writeTrialsJsonl(a.trials));
}

TEST(ResumeRunTest, StopAtOnceStillKnowsTheBest) {
  TemporaryFolder folder;
  StudyFixture first, second;
  StudyResult a = runJournaled(folder.file("a.db"), first, budgetOf(12));
  std::atomic<bool> stop = true;
  second.parts.stop = &stop;
  StudyResult b = runJournaled(folder.file("a.db"), second, budgetOf(12));
  EXPECT_EQ(b.stopReason, StopReason::Requested);
  EXPECT_EQ(b.best, a.best);
  EXPECT_EQ(b.evaluations, 12u);
}

TEST(ResumeRunTest, ForeignTrialsAreRefused) {
  TemporaryFolder folder;
  Result<Journal> journal = Journal::open(folder.file("a.db"));
  ASSERT_TRUE(journal);
  Result<StudyJournal> writer = journal->openStudy({"k", "n", "{}", "{}", ""});
  ASSERT_TRUE(writer);
  ASSERT_TRUE(writer->recordAsk({0, "{\"x\":77,\"y\":1}", "", {}}));
  StudyFixture fixture;
  fixture.parts.journal = &*writer;
  Result<StudyResult> result = fixture.run(budgetOf(3));
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find(
                "trial 0 of the journal doesn't fit the space"),
            std::string::npos)
      << result.error().message;
}

/// What failed in a final comparison counts as that, but is never told: a study
/// that goes on asks what it would have asked.
TEST(ResumeRunTest, FailuresInFinalComparisonsAreNotTold) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  StudyFixture whole(bowl), first(bowl), second(bowl);
  Result<StudyResult> expected = whole.run(budgetOf(12));
  ASSERT_TRUE(expected);
  StudyResult result = runJournaled(path, first, budgetOf(6));
  size_t winner = *result.best;
  addFailure(result, winner, failedOutcome(Status::TimedOut, "boom"));
  EXPECT_NE(result.best, winner);
  EXPECT_EQ(result.counts[static_cast<size_t>(Status::TimedOut)], 1u);
  {
    Result<Journal> journal = Journal::open(path);
    Result<StudyJournal> writer =
        journal->openStudy({"k", "n", "{}", "{}", ""});
    ASSERT_TRUE(writer && writer->recordFailure(
                              winner, failedOutcome(Status::TimedOut, "boom")));
  }
  result = runJournaled(path, second, budgetOf(12));
  ASSERT_EQ(result.trials.size(), 12u);
  EXPECT_FALSE(result.trials[winner].works());
  EXPECT_NE(result.best, winner);
  EXPECT_EQ(result.counts[static_cast<size_t>(Status::TimedOut)], 1u);
  result.trials[winner].failure.reset();
  EXPECT_EQ(writeTrialsJsonl(result.trials),
            writeTrialsJsonl(expected->trials));
}

/// Not even when nothing works any more: the limit for those that always fail
/// is about what the search saw.
TEST(ResumeRunTest, FailuresInFinalComparisonsDoNotEndASearch) {
  StudyFixture first(bowl), second(bowl);
  StudyOptions options = budgetOf(4);
  options.failureLimit = 4;
  Result<StudyResult> result = first.run(options);
  ASSERT_TRUE(result);
  for (size_t i = 0; i < 4; ++i)
    if (result->trials[i].works())
      addFailure(*result, i, failedOutcome(Status::TimedOut));
  EXPECT_FALSE(result->best);
  second.parts.earlier = &result->trials;
  options.budget = 8;
  Result<StudyResult> more = second.run(options);
  ASSERT_TRUE(more);
  EXPECT_EQ(more->stopReason, StopReason::Budget);
  EXPECT_EQ(more->evaluations, 8u);
}
