//===- JournalTest.cpp - Tests of the journal -----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What must survive a process, and who may write.
//
//===----------------------------------------------------------------------===//

#include "baco/Database/Journal.h"

#include "TestHelpers.h"
#include "TestOutcomes.h"

#include <cmath>
#include <csignal>
#include <limits>

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>

using namespace baco;
using namespace baco::database;
using baco::test::BackgroundProcess;
using baco::test::ok;
using baco::test::runInChild;
using baco::test::TemporaryFolder;

static StudyInfo study(const std::string &key) {
  return {key, "matmul", "{\"parameters\":[]}", "{}", ""};
}

static Trial ask(uint64_t number) {
  return {number, "{\"MC\":" + std::to_string(number) + "}", "state", {}};
}

TEST(JournalTest, KeepsTrialsExactly) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  Outcome first;
  first.status = Status::Ok;
  first.timeNs = 0.1 + 0.2;
  first.spread = 5e-324;
  first.numSamples = 7;
  first.compileNs = 1e18;
  first.runNs = 12345678901234567.0;
  first.packNs = 2.5e6;
  Outcome second;
  second.status = Status::WrongResult;
  second.timeNs = std::numeric_limits<double>::quiet_NaN();
  second.narrowMiss = 3.5;
  second.usage = {0.1 + 0.2, 1.5};
  second.costBeyondLimits = 0.7;
  first.resources = {168, 32, 8192, 8};
  second.message =
      std::string("first line\nsecond 'quoted' \xff") + '\0' + "end";
  {
    Result<Journal> journal = Journal::open(path);
    ASSERT_TRUE(journal) << journal.error().message;
    Result<StudyJournal> writer = journal->openStudy(study("k"));
    ASSERT_TRUE(writer) << writer.error().message;
    for (uint64_t i = 0; i < 3; ++i)
      ASSERT_TRUE(writer->recordAsk(ask(i)));
    ASSERT_TRUE(writer->recordOutcome(0, first));
    ASSERT_TRUE(writer->recordOutcome(1, second));
  }
  Result<Journal> journal = Journal::open(path);
  ASSERT_TRUE(journal) << journal.error().message;
  Result<StudyJournal> writer = journal->openStudy(study("k"));
  ASSERT_TRUE(writer) << writer.error().message;
  Result<std::vector<Trial>> trials = writer->trials();
  ASSERT_TRUE(trials) << trials.error().message;
  ASSERT_EQ(trials->size(), 3u);
  for (uint64_t i = 0; i < 3; ++i) {
    EXPECT_EQ((*trials)[i].number, i);
    EXPECT_EQ((*trials)[i].configuration, "{\"MC\":" + std::to_string(i) + "}");
    EXPECT_EQ((*trials)[i].state, "state");
  }
  const std::optional<Outcome> &one = (*trials)[0].outcome;
  ASSERT_TRUE(one);
  EXPECT_EQ(one->status, Status::Ok);
  EXPECT_EQ(one->timeNs, first.timeNs);
  EXPECT_EQ(one->spread, first.spread);
  EXPECT_EQ(one->numSamples, 7);
  EXPECT_EQ(one->compileNs, first.compileNs);
  EXPECT_EQ(one->resources, first.resources);
  EXPECT_EQ(one->runNs, first.runNs);
  EXPECT_EQ(one->packNs, first.packNs);
  const std::optional<Outcome> &two = (*trials)[1].outcome;
  ASSERT_TRUE(two);
  EXPECT_EQ(two->status, Status::WrongResult);
  EXPECT_TRUE(std::isnan(two->timeNs));
  EXPECT_EQ(two->message, second.message);
  EXPECT_EQ(two->narrowMiss, second.narrowMiss);
  EXPECT_EQ(two->usage, second.usage);
  EXPECT_EQ(two->costBeyondLimits, second.costBeyondLimits);
  EXPECT_TRUE(one->usage.empty());
  EXPECT_FALSE(two->resources);
  EXPECT_FALSE((*trials)[2].outcome) << "trial 2 is pending";
  // The pending trial can still get its outcome.
  EXPECT_TRUE(writer->recordOutcome(2, ok(3)));
}

TEST(JournalTest, KeepsEveryStatus) {
  TemporaryFolder folder;
  Result<Journal> journal = Journal::open(folder.file("a.db"));
  ASSERT_TRUE(journal) << journal.error().message;
  Result<StudyJournal> writer = journal->openStudy(study("k"));
  ASSERT_TRUE(writer);
  for (int i = 0; i < numStatuses; ++i) {
    Outcome outcome;
    outcome.status = static_cast<Status>(i);
    outcome.timeNs = 1;
    ASSERT_TRUE(writer->recordAsk(ask(i)));
    ASSERT_TRUE(writer->recordOutcome(i, outcome));
  }
  Result<std::vector<Trial>> trials = writer->trials();
  ASSERT_TRUE(trials);
  for (int i = 0; i < numStatuses; ++i)
    EXPECT_EQ((*trials)[i].outcome->status, static_cast<Status>(i));
}

TEST(JournalTest, KeepsStudiesApart) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  Result<Journal> journal = Journal::open(path);
  ASSERT_TRUE(journal) << journal.error().message;
  Result<StudyJournal> a = journal->openStudy(study("a"));
  StudyInfo moved = study("b");
  moved.created = "2026-01-02T03:04:05Z";
  Result<StudyJournal> b = journal->openStudy(moved);
  ASSERT_TRUE(a && b);
  ASSERT_TRUE(a->recordAsk(ask(0)));
  ASSERT_TRUE(a->recordAsk(ask(1)));
  ASSERT_TRUE(b->recordAsk(ask(0)));

  Result<Journal> reader = Journal::openReadOnly(path);
  ASSERT_TRUE(reader) << reader.error().message;
  Result<std::vector<StudyInfo>> studies = reader->studies();
  ASSERT_TRUE(studies);
  ASSERT_EQ(studies->size(), 2u);
  EXPECT_EQ((*studies)[0].key, "a");
  EXPECT_EQ((*studies)[1].key, "b");
  EXPECT_EQ((*studies)[0].name, "matmul");
  EXPECT_EQ((*studies)[0].created, (*studies)[0].used);
  EXPECT_EQ((*studies)[0].created.size(), 20u);
  EXPECT_EQ((*studies)[1].created, moved.created);
  Result<std::vector<Trial>> trials = reader->trials("a");
  ASSERT_TRUE(trials);
  EXPECT_EQ(trials->size(), 2u);
  Result<std::vector<Trial>> none = reader->trials("c");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::NotFound);
}

TEST(JournalTest, KeepsTheLastMetadata) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  Result<Journal> journal = Journal::open(path);
  ASSERT_TRUE(journal) << journal.error().message;
  ASSERT_TRUE(journal->openStudy(study("other")));
  {
    Result<StudyJournal> writer = journal->openStudy(study("k"));
    ASSERT_TRUE(writer) << writer.error().message;
    ASSERT_TRUE(writer->setMetadata("{\"clock_ns\":5000}"));
  }
  ASSERT_TRUE(journal->openStudy(study("k")));
  Result<std::vector<StudyInfo>> studies = journal->studies();
  ASSERT_TRUE(studies && studies->size() == 2);
  EXPECT_EQ((*studies)[0].metadata, "{}");
  EXPECT_EQ((*studies)[1].metadata, "{\"clock_ns\":5000}");
}

TEST(JournalTest, RefusesNonsense) {
  TemporaryFolder folder;
  Result<Journal> journal = Journal::open(folder.file("a.db"));
  ASSERT_TRUE(journal) << journal.error().message;
  {
    Result<StudyJournal> writer = journal->openStudy(study("k"));
    ASSERT_TRUE(writer);
    Result<void> unasked = writer->recordOutcome(0, ok(1));
    ASSERT_FALSE(unasked);
    EXPECT_EQ(unasked.error().code, ErrorCode::InvalidArgument);
    ASSERT_TRUE(writer->recordAsk(ask(0)));
    EXPECT_FALSE(writer->recordAsk(ask(0))) << "the number is taken";
    ASSERT_TRUE(writer->recordOutcome(0, ok(1)));
    EXPECT_FALSE(writer->recordOutcome(0, ok(2))) << "not pending any more";
    Result<std::vector<Trial>> trials = writer->trials();
    ASSERT_TRUE(trials);
    EXPECT_EQ((*trials)[0].outcome->timeNs, 1);
  }
  StudyInfo other = study("k");
  other.space = "{}";
  Result<StudyJournal> clash = journal->openStudy(other);
  ASSERT_FALSE(clash);
  EXPECT_EQ(clash.error().code, ErrorCode::InvalidArgument);
  EXPECT_FALSE(Journal::open(""));
}

TEST(JournalTest, SecondTunerIsRefused) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  {
    BackgroundProcess first([&] {
      Result<Journal> journal = Journal::open(path);
      return journal->openStudy(study("k"));
    });
    ASSERT_TRUE(first.isReady);
    Result<Journal> journal = Journal::open(path);
    ASSERT_TRUE(journal) << journal.error().message;
    Result<StudyJournal> second = journal->openStudy(study("k"));
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().message,
              "study 'matmul' in database '" + path +
                  "' is being tuned by another process (" +
                  std::to_string(first.id()) +
                  "): wait for it, or use another database");
    // Another study in the same file is free.
    Result<StudyJournal> other = journal->openStudy(study("l"));
    ASSERT_TRUE(other) << other.error().message;
    EXPECT_TRUE(other->recordAsk(ask(0)));
  }
  // The lock died with its owner.
  Result<Journal> journal = Journal::open(path);
  ASSERT_TRUE(journal) << journal.error().message;
  {
    Result<StudyJournal> third = journal->openStudy(study("k"));
    EXPECT_TRUE(third) << third.error().message;
    EXPECT_FALSE(journal->openStudy(study("k"))) << "not even in one process";
  }
  EXPECT_FALSE(std::filesystem::exists(path + "-study1.lock"));
}

TEST(JournalTest, ATunerThatIsKilledWhileItForksLeavesTheStudy) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  EXPECT_EQ(runInChild([&] {
              Result<Journal> journal = Journal::open(path);
              Result<StudyJournal> writer = journal->openStudy(study("k"));
              if (fork() != 0)
                return raise(SIGKILL);
              // It has the lock, too, until it executes some program.
              poll(nullptr, 0, 20);
              _exit(0);
            }),
            -SIGKILL);
  Result<Journal> journal = Journal::open(path);
  ASSERT_TRUE(journal) << journal.error().message;
  Result<StudyJournal> next = journal->openStudy(study("k"));
  EXPECT_TRUE(next) << next.error().message;
}

TEST(JournalTest, KilledProcessLosesNothingCommitted) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  EXPECT_EQ(runInChild([&] {
              Result<Journal> journal = Journal::open(path);
              if (!journal)
                return 1;
              Result<StudyJournal> writer = journal->openStudy(study("k"));
              if (!writer)
                return 2;
              for (uint64_t i = 0; i < 10; ++i)
                if (!writer->recordAsk(ask(i)) ||
                    (i < 8 && !writer->recordOutcome(i, ok(i + 0.5))))
                  return 3;
              return raise(SIGKILL);
            }),
            -SIGKILL);
  Result<Journal> journal = Journal::open(path);
  ASSERT_TRUE(journal) << journal.error().message;
  // The lock died with its owner.
  Result<StudyJournal> writer = journal->openStudy(study("k"));
  ASSERT_TRUE(writer) << writer.error().message;
  Result<std::vector<Trial>> trials = writer->trials();
  ASSERT_TRUE(trials);
  ASSERT_EQ(trials->size(), 10u);
  for (uint64_t i = 0; i < 8; ++i)
    EXPECT_EQ((*trials)[i].outcome->timeNs, i + 0.5);
  EXPECT_FALSE((*trials)[8].outcome);
  EXPECT_FALSE((*trials)[9].outcome);
}

TEST(JournalTest, TwoProcessesMakeOneDatabase) {
  for (int round = 0; round < 4; ++round) {
    TemporaryFolder folder;
    std::string path = folder.file("a.db");
    auto body = [&](const char *key) {
      Result<Journal> journal = Journal::open(path);
      if (!journal)
        return 1;
      Result<StudyJournal> writer = journal->openStudy(study(key));
      if (!writer)
        return 2;
      for (uint64_t i = 0; i < 20; ++i)
        if (!writer->recordAsk(ask(i)) || !writer->recordOutcome(i, ok(1)))
          return 3;
      return 0;
    };
    pid_t child = fork();
    if (child == 0)
      _exit(body("child"));
    EXPECT_EQ(body("parent"), 0);
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    Result<Journal> journal = Journal::open(path);
    ASSERT_TRUE(journal) << journal.error().message;
    for (const char *key : {"child", "parent"}) {
      Result<std::vector<Trial>> trials = journal->trials(key);
      ASSERT_TRUE(trials) << trials.error().message;
      EXPECT_EQ(trials->size(), 20u);
    }
  }
}

TEST(JournalTest, ManyMayOpenANewDatabaseAtOnce) {
  // Switching to a write-ahead log fails at once while another has a lock.
  constexpr int numRounds = 100, numProcesses = 4;
  TemporaryFolder folder;
  for (int round = 0; round < numRounds; ++round) {
    std::string path = folder.file(std::to_string(round) + ".db");
    std::vector<pid_t> children;
    for (int i = 0; i < numProcesses; ++i) {
      children.push_back(fork());
      if (children.back() != 0)
        continue;
      Result<Journal> journal = Journal::open(path);
      _exit(journal && journal->openStudy(study(std::to_string(i))) ? 0 : 1);
    }
    for (pid_t child : children) {
      int status = -1;
      ASSERT_EQ(waitpid(child, &status, 0), child);
      EXPECT_EQ(status, 0) << "round " << round;
    }
  }
}

TEST(JournalTest, FailedWritesLoseNothingCommitted) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  // A limit on the size of files stands for a full disk. The child's exit code
  // is the number of trials that it committed.
  int committed = runInChild([&] {
    Result<Journal> journal = Journal::open(path);
    if (!journal)
      return 255;
    Result<StudyJournal> writer = journal->openStudy(study("k"));
    if (!writer)
      return 255;
    signal(SIGXFSZ, SIG_IGN);
    rlimit limit = {200000, 200000};
    setrlimit(RLIMIT_FSIZE, &limit);
    for (int i = 0; i < 200; ++i) {
      Trial trial = ask(i);
      trial.state = std::string(2000, 's');
      Result<void> done = writer->recordAsk(trial);
      if (!done)
        return done.error().message.find(path) == std::string::npos ? 255 : i;
    }
    return 255;
  });
  ASSERT_GT(committed, 0);
  ASSERT_LT(committed, 200) << "nothing failed, or not as it should";
  Result<Journal> journal = Journal::open(path);
  ASSERT_TRUE(journal) << journal.error().message;
  Result<std::vector<Trial>> trials = journal->trials("k");
  ASSERT_TRUE(trials) << trials.error().message;
  EXPECT_EQ(trials->size(), static_cast<size_t>(committed));
}
