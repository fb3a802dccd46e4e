//===- WorkerProcessTest.cpp - Tests of trials and comparisons ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkerFixture.h"

#include "baco/Protocol/Clock.h"
#include "baco/Support/Sanitizer.h"

#include <set>
#include <sstream>

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
    // One may be enough to see that it is clearly worse.
    EXPECT_GE(outcome.numSamples, 1);
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
    // 12 ms in turns of 1 ms, the first of up to 5 ms; on a busy machine times
    // vary, and there are more.
    EXPECT_GE(samples.slicesNs.size(), 8u);
    EXPECT_LE(samples.slicesNs.size(),
              size_t(12 * runtime::maxComparisonStretch));
    for (const std::vector<double> &slice : samples.slicesNs)
      EXPECT_FALSE(slice.empty());
    EXPECT_GT(samples.outcome.timeNs, 0);
  }
  // 20000 stores more: slower on any machine.
  EXPECT_GT((*compared)[1].outcome.timeNs, (*compared)[0].outcome.timeNs);
  EXPECT_EQ(worker->wait(1)->status, Status::Ok);
}

static int numCpus() {
  cpu_set_t cpus;
  return sched_getaffinity(0, sizeof cpus, &cpus) == 0 ? CPU_COUNT(&cpus) : 0;
}

TEST_F(WorkerProcessTest, ItsOwnerStaysOffTheMeasuredCpu) {
  int before = numCpus();
  {
    auto worker = startWorker(makeOptions());
    ASSERT_TRUE(worker);
    EXPECT_EQ(numCpus(), std::max(1, before - 1));
    // A worker that is started again may use all of them, too.
    kill(worker->pid(), SIGKILL);
    EXPECT_EQ(evaluate(*worker, "good").status, Status::Lost);
    EXPECT_EQ(evaluate(*worker, "good").status, Status::Ok);
  }
  EXPECT_EQ(numCpus(), before);
}

/// Compilers beside a trial would evict what it has in its caches.
TEST_F(WorkerProcessTest, NothingCompilesOnTheOnlyCpuDuringATrial) {
  cpu_set_t all, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  WorkerOptions options = makeOptions();
  options.measure.limits.runTimeoutMs = 500;
  auto worker = startWorker(options);
  ASSERT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
  ASSERT_TRUE(worker);
  ASSERT_TRUE(worker->submit(0, "hang"));
  ASSERT_TRUE(worker->submit(1, "no-transform"));
  int64_t startNs = runtime::nowNs();
  EXPECT_EQ(worker->wait(1)->status, Status::TransformFailed);
  // The second one was compiled when the first one was over.
  EXPECT_GE(runtime::nowNs() - startNs, 400'000'000);
  EXPECT_EQ(worker->wait(0)->status, Status::TimedOut);
}

TEST_F(WorkerProcessTest, TwoShareACpu) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  auto one = startWorker(makeOptions());
  // Another tuner would not stay off the CPU of the first one.
  ASSERT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
  auto two = startWorker(makeOptions());
  ASSERT_TRUE(one && two);
  EXPECT_EQ(one->ready().cpu, two->ready().cpu);
  for (uint64_t trial = 0; trial < 10; ++trial)
    for (auto *worker : {one.get(), two.get()})
      ASSERT_TRUE(worker->submit(trial, trial % 2 ? "good" : "slow"));
  for (uint64_t trial = 0; trial < 10; ++trial)
    for (auto *worker : {two.get(), one.get()})
      EXPECT_EQ(worker->wait(trial)->status, Status::Ok);
  // Comparisons wait for those of others.
  ASSERT_TRUE(one->submit(10, "good"));
  auto samples = two->compare({"good", "slow"});
  ASSERT_TRUE(samples);
  EXPECT_EQ((*samples)[1].outcome.status, Status::Ok);
  EXPECT_EQ(one->wait(10)->status, Status::Ok);
}

TEST_F(WorkerProcessTest, TrialsTellOfTheMachine) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  EXPECT_EQ(evaluate(*worker, "good").status, Status::Ok);
  ASSERT_EQ(worker->conditions().size(), 1u);
  const runtime::Conditions &conditions = worker->conditions().front();
  EXPECT_GT(conditions.referenceNs, 0);
  EXPECT_GT(conditions.cpuNs, 0);
  EXPECT_GE(conditions.wallNs, conditions.cpuNs * 0.99);
}

/// The worker learns of the clock by a candidate that it keeps.
TEST_F(WorkerProcessTest, TimesAreThoseOfOneClock) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  double baseline = worker->baselineNs();
  EXPECT_GT(baseline, 0);
  EXPECT_EQ(evaluate(*worker, "good").status, Status::Ok);
  // A clock that is four times as fast as this one: from no change to a quarter
  // of the time, for whatever the kernel may make of that.
  worker->useBaseline(baseline / 4);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(evaluate(*worker, "good").status, Status::Ok);
  ASSERT_EQ(worker->conditions().size(), 5u);
  for (size_t i = 1; i < 5; ++i) {
    const runtime::Conditions &seen = worker->conditions()[i];
    EXPECT_LE(seen.clockFactor, 1);
    EXPECT_GE(seen.clockFactor, 0.1);
    EXPECT_GT(seen.clockError, 0);
  }
  // Another worker goes on with that.
  kill(worker->pid(), SIGKILL);
  EXPECT_EQ(evaluate(*worker, "good").status, Status::Lost);
  EXPECT_EQ(evaluate(*worker, "good").status, Status::Ok);
  EXPECT_EQ(worker->baselineNs(), baseline / 4);
  EXPECT_GT(worker->conditions().back().clockError, 0);
  // Comparisons have the machine to themselves, and their times as they are.
  auto compared = worker->compare({"good"});
  ASSERT_TRUE(compared);
  EXPECT_EQ(compared->front().conditions.front().clockFactor, 1);
  EXPECT_EQ(evaluate(*worker, "good").status, Status::Ok);
}

/// A candidate that was right once, and then isn't, costs nothing but itself.
TEST_F(WorkerProcessTest, AYardstickMayFail) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  EXPECT_EQ(evaluate(*worker, "good-once").status, Status::Ok);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(evaluate(*worker, "good").status, Status::Ok);
}

/// Where a candidate of a comparison lies, in its own words.
static std::string placeOf(WorkerProcess &worker, uint64_t seed) {
  auto compared = worker.compare({"say-where"}, seed);
  return compared ? compared->front().outcome.message : "";
}

TEST_F(WorkerProcessTest, ComparisonsLieElsewhereEachTime) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  std::string place = placeOf(*worker, 1);
  EXPECT_EQ(place.substr(0, 30), "died of SIGABRT while running:");
  std::set<std::string> stacks, blocks, arguments;
  for (uint64_t seed = 1; seed < 9; ++seed) {
    std::istringstream words(placeOf(*worker, seed).substr(30));
    std::string stack, block, argument;
    words >> stack >> block >> argument;
    stacks.insert(stack);
    blocks.insert(block);
    arguments.insert(argument.substr(argument.size() - 3));
  }
  // Of 256 places in a page, or 32.
  EXPECT_GE(stacks.size(), 5u);
  EXPECT_GE(arguments.size(), 4u);
  EXPECT_GE(blocks.size(), 2u);
  // Data lie alike for all of one comparison.
  auto compared = worker->compare({"say-where", "say-where"}, 5);
  ASSERT_TRUE(compared);
  const std::string &one = (*compared)[0].outcome.message;
  const std::string &other = (*compared)[1].outcome.message;
  // Of arguments, that is where in a page they begin.
  EXPECT_EQ(one.substr(one.size() - 3), other.substr(other.size() - 3));
  // Where a sanitizer has the stack and the heap depends on what was called.
  if (!isAddressSanitized) {
    std::istringstream words(one.substr(30)), others(other.substr(30));
    std::string stack, block, otherStack, otherBlock;
    words >> stack >> block;
    others >> otherStack >> otherBlock;
    EXPECT_EQ(stack, otherStack);
    EXPECT_EQ(block, otherBlock);
  }
}

TEST_F(WorkerProcessTest, CachesCanBeFlushed) {
  WorkerOptions options = makeOptions();
  options.measure.timing.caches = runtime::Caches::Flushed;
  auto worker = startWorker(std::move(options));
  ASSERT_TRUE(worker);
  Outcome outcome = evaluate(*worker, "good");
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.message;
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

TEST_F(WorkerProcessTest, CancelledCandidatesAreStopped) {
  WorkerOptions options = makeOptions();
  // Nothing ends by itself within this test.
  options.measure.limits.runTimeoutMs = 1000000;
  options.measure.limits.compileTimeoutMs = 1000000;
  auto worker = startWorker(options);
  ASSERT_TRUE(worker);
  // One runs, one compiles, the last ones may not have been started.
  for (uint64_t trial = 0; trial < 40; ++trial)
    ASSERT_TRUE(worker->submit(trial, trial % 2 ? "compile-hang" : "hang"));
  ASSERT_TRUE(worker->submit(40, "good"));
  for (uint64_t trial = 0; trial < 40; ++trial)
    worker->cancel(trial);
  Result<Outcome> outcome = worker->wait(40);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, Status::Ok);
  EXPECT_TRUE(areLeft(2)) << "the worker itself and its yardstick";
  EXPECT_FALSE(worker->wait(7)) << "not submitted any more";
  // An answer that comes all the same is ignored, and the number is free.
  ASSERT_TRUE(worker->submit(7, "good"));
  EXPECT_EQ(evaluate(*worker, "good").status, Status::Ok);
  worker->cancel(7);
  worker->cancel(1234567);
  ASSERT_TRUE(worker->submit(7, "abort"));
  EXPECT_EQ(worker->wait(7)->status, Status::Crashed);
}
