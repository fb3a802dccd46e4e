//===- KilledStudyTest.cpp - Tests of studies that are killed -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A whole tuner below the MLIR line: search, study, journal, worker, and
// candidates good and hostile. Coordinators and workers get SIGKILL again and
// again, at random points; what comes out is what an undisturbed study gives.
// Times are made up from the configuration, as measured ones never repeat.
//
//===----------------------------------------------------------------------===//

#include "../Database/TestHelpers.h"
#include "WorkerFixture.h"

#include "baco/Database/Export.h"
#include "baco/Database/Journal.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Search/Techniques/OptimizerFactory.h"
#include "baco/Study/Study.h"
#include "baco/Support/Sanitizer.h"

#include <cmath>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <random>
#include <set>

using namespace baco;
using namespace baco::measure;
using namespace baco::test;
using database::Trial;

static constexpr uint64_t budget = 30;
static constexpr uint64_t inFlight = 2;

/// What the candidates are; most of them work.
static const Fault kinds[] = {
    {"good", Status::Ok, ""},
    {"backward", Status::Ok, ""},
    {"slow", Status::Ok, ""},
    {"print", Status::Ok, ""},
    {"segfault", Status::Crashed, "died of SIGSEGV while running"},
    {"compile-abort", Status::Crashed, "died of SIGABRT while compiling"},
    {"last-term-missing", Status::WrongResult, "argument 2 differs at [3]"},
    {"no-transform", Status::TransformFailed, "tile size 3 is odd"}};

static Space makeSpace() {
  Result<Parameter> kind = Parameter::integer("kind", 0, std::size(kinds) - 1);
  Result<Parameter> x = Parameter::integer("x", 0, 40);
  Result<Space> space = Space::create({*kind, *x});
  EXPECT_TRUE(space);
  return *space;
}

static int64_t valueOf(const Configuration &configuration, size_t i) {
  return std::get<int64_t>(configuration[i]);
}

namespace {
/// What a coordinator tells the test when it reaches a step.
struct Step {
  pid_t worker;
};

/// Evaluates by a worker, but makes the times up. Writes down what it is given.
class ToyEvaluator : public study::Evaluator {
public:
  ToyEvaluator(std::unique_ptr<WorkerProcess> worker, const std::string &log,
               int steps)
      : worker(std::move(worker)),
        log(open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)),
        steps(steps) {}

  Result<void> submit(uint64_t trial,
                      const Configuration &configuration) override {
    // Whole, or not at all.
    std::string line = std::to_string(trial) + "\n";
    EXPECT_EQ(write(log, line.data(), line.size()), ssize_t(line.size()));
    configurations[trial] = configuration;
    Result<void> submitted =
        worker->submit(trial, kinds[valueOf(configuration, 0)].candidate);
    tellStep();
    return submitted;
  }

  Result<Outcome> wait(uint64_t trial) override {
    Result<Outcome> outcome = worker->wait(trial);
    tellStep();
    if (!outcome || outcome->status == Status::Lost)
      return outcome;
    const Configuration &configuration = configurations[trial];
    outcome->compileNs = outcome->runNs = 1e6;
    outcome->spread = 0;
    outcome->numSamples = 0;
    // How much it differed is not the same each time, where it differs is.
    const Fault &kind = kinds[valueOf(configuration, 0)];
    if (outcome->status == kind.status)
      outcome->message = kind.message;
    if (outcome->status == Status::Ok)
      outcome->timeNs = 1000 + std::pow(valueOf(configuration, 1) - 11, 2) +
                        100 * valueOf(configuration, 0);
    return outcome;
  }

  void cancel(uint64_t trial) override { worker->cancel(trial); }

  std::string fingerprint() const override { return "toy"; }

private:
  void tellStep() {
    Step step{worker->pid()};
    // Nobody may listen any more.
    if (steps >= 0 && write(steps, &step, sizeof step) < 0)
      close(std::exchange(steps, -1));
  }

  std::unique_ptr<WorkerProcess> worker;
  int log, steps;
  std::map<uint64_t, Configuration> configurations;
};
} // namespace

/// Runs the study of `seed` to its end, unless it is killed.
static bool runStudy(const std::string &path, uint64_t seed,
                     const std::string &log, int steps) {
  Space space = makeSpace();
  Result<database::Journal> journal = database::Journal::open(path);
  EXPECT_TRUE(journal) << journal.error().message;
  if (!journal)
    return false;
  Result<database::StudyJournal> writer =
      journal->openStudy({"key", "name", "{}", "{}", ""});
  search::OptimizerOptions searchOptions;
  searchOptions.seed = seed;
  auto optimizer = search::makeOptimizer("baco", space, searchOptions);
  auto worker = WorkerProcess::start(makeOptions());
  if (!writer || !optimizer || !worker) {
    ADD_FAILURE() << (!writer      ? writer.error()
                      : !optimizer ? optimizer.error()
                                   : worker.error())
                         .message;
    return false;
  }
  ToyEvaluator evaluator(std::move(*worker), log, steps);
  study::StudyOptions options;
  options.budget = budget;
  options.inFlight = inFlight;
  Result<study::StudyResult> result =
      study::runStudy({space, **optimizer, evaluator, &*writer}, options);
  std::optional<Error> error = result ? result->failure : result.error();
  EXPECT_FALSE(error) << error->message;
  return !error;
}

static std::vector<Trial> readTrials(const std::string &path) {
  // It may have been killed before it had made the file.
  Result<database::Journal> journal = database::Journal::openReadOnly(path);
  if (!journal)
    return {};
  Result<std::vector<Trial>> trials = journal->trials("key");
  return trials ? *trials : std::vector<Trial>();
}

static std::string textOf(const Trial &trial) {
  return database::writeTrialsJsonl({trial});
}

namespace {
/// A study under fire.
class Siege {
public:
  explicit Siege(uint64_t seed) : seed(seed), random(seed) {}

  /// Kills until the study comes to its end; the number of kills.
  int run();

private:
  bool runOnce();
  void killCoordinator();
  bool waitForSteps(int count, bool &ended);
  void checkJournal();

  uint64_t seed;
  std::mt19937_64 random;
  TemporaryFolder folder;
  std::string path = folder.file("study.db");
  std::vector<Trial> expected;
  size_t numCommitted = 0;
  int kills = 0;
  // Of one run.
  pid_t coordinator = -1, worker = -1;
  int steps = -1;
};
} // namespace

/// Follows the coordinator for so many steps, and a little more; false if it
/// has ended before.
bool Siege::waitForSteps(int count, bool &ended) {
  for (int i = 0; i < count && !ended; ++i) {
    Step step;
    ended = read(steps, &step, sizeof step) != sizeof step;
    if (!ended)
      worker = step.worker;
  }
  timespec pause{0, long(random() % 2000000)};
  nanosleep(&pause, nullptr);
  return !ended;
}

void Siege::killCoordinator() {
  kill(coordinator, SIGKILL);
  int status = 0;
  ASSERT_EQ(waitpid(coordinator, &status, 0), coordinator);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
    ++kills;
  else
    EXPECT_EQ(status, 0) << "the coordinator failed";
}

/// One coordinator; whether it came to its end.
bool Siege::runOnce() {
  int ends[2];
  EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
  // Each run's candidates are written to a log of its own.
  std::string log = folder.file("log");
  unlink(log.c_str());
  std::vector<Trial> before = readTrials(path);
  coordinator = fork();
  if (coordinator == 0) {
    close(ends[0]);
    std::signal(SIGPIPE, SIG_IGN);
    _exit(runStudy(path, seed, log, ends[1]) ? 0 : 1);
  }
  close(ends[1]);
  steps = ends[0];

  bool ended = false;
  // A worker, at most one in a run: what is lost twice counts as lost.
  if (random() % 3 == 0 && waitForSteps(1 + random() % 4, ended) &&
      worker > 0 && kill(worker, SIGKILL) == 0)
    ++kills;
  // One in eight is left alone before its first step.
  int count = random() % 8;
  waitForSteps(count, ended);
  if (ended) {
    int status = 0;
    EXPECT_EQ(waitpid(coordinator, &status, 0), coordinator);
    EXPECT_EQ(status, 0) << "the coordinator failed";
  } else {
    killCoordinator();
  }
  close(steps);
  EXPECT_TRUE(areLeft(0));

  // Nothing that had an outcome was run again, and of what had none no more
  // than was in flight.
  std::ifstream lines(log);
  std::set<uint64_t> again;
  for (uint64_t trial; lines >> trial;)
    if (trial < before.size()) {
      EXPECT_FALSE(before[trial].outcome) << "trial " << trial;
      again.insert(trial);
    }
  EXPECT_LE(again.size(), inFlight);
  checkJournal();
  return ended;
}

/// What is there is what the undisturbed study has at that place, and nothing
/// that was there before is gone.
void Siege::checkJournal() {
  std::vector<Trial> trials = readTrials(path);
  ASSERT_LE(trials.size(), expected.size());
  size_t committed = 0;
  for (size_t i = 0; i < trials.size(); ++i) {
    EXPECT_EQ(trials[i].configuration, expected[i].configuration) << i;
    EXPECT_EQ(trials[i].state, expected[i].state) << i;
    if (!trials[i].outcome)
      continue;
    ++committed;
    EXPECT_EQ(textOf(trials[i]), textOf(expected[i]));
  }
  EXPECT_LE(trials.size(), committed + inFlight);
  EXPECT_GE(committed, numCommitted);
  numCommitted = committed;
}

int Siege::run() {
  // In another process: this one stays as small as it is.
  std::string undisturbed = folder.file("undisturbed.db");
  EXPECT_EQ(
      runInChild([&] { return !runStudy(undisturbed, seed, "/dev/null", -1); }),
      0);
  expected = readTrials(undisturbed);
  EXPECT_EQ(expected.size(), budget);
  for (const Trial &trial : expected) {
    EXPECT_TRUE(trial.outcome);
    Result<Configuration> configuration =
        readConfiguration(makeSpace(), trial.configuration);
    EXPECT_TRUE(configuration);
    const Fault &kind = kinds[valueOf(*configuration, 0)];
    EXPECT_EQ(statusName(trial.outcome->status), statusName(kind.status))
        << kind.candidate << ": " << trial.outcome->message;
  }
  while (!runOnce() && !testing::Test::HasFailure()) {
  }
  EXPECT_EQ(readTrials(path).size(), budget);
  return kills;
}

using KilledStudyTest = WorkerTest;

TEST_F(KilledStudyTest, KillsLoseNothing) {
  // A run takes minutes with AddressSanitizer when it is killed as often.
  const int enough = isAddressSanitized ? 5 : 200;
  int kills = 0;
  for (uint64_t seed = 1; kills < enough && !HasFailure(); ++seed)
    kills += Siege(seed).run();
  RecordProperty("kills", kills);
  EXPECT_GE(kills, enough);
}
