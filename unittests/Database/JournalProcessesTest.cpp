//===- JournalProcessesTest.cpp - Tests of several tuners at once ---------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Processes that make, read, write and leave one file at the same time, some of
// which are killed.
//
//===----------------------------------------------------------------------===//

#include "TestHelpers.h"
#include "TestOutcomes.h"

#include "baco/Database/Journal.h"

#include <gtest/gtest.h>

#include <fstream>

using namespace baco;
using namespace baco::database;
using namespace baco::test;

/// An entry as libraries have it.
static EntryText entryOf(const std::string &key) {
  return splitLibrary("\n  transform.named_sequence @tuned." + key +
                      "(%arg0: !transform.any_op) attributes {baco.entry = "
                      "{fingerprint = \"" +
                      key + "\", function = \"" + key +
                      "\", outcome = \"tuned\"}} {\n  }\n")
      .front();
}

/// What a tuner does with its database. Returns what went wrong.
static std::string tune(const std::string &path, const std::string &key,
                        uint64_t first, uint64_t end) {
  // It keeps what it looks up entries in.
  std::optional<Result<Journal>> known;
  if (std::filesystem::exists(path))
    known.emplace(Journal::openForLookup(path));
  if (known && !*known)
    return known->error().message;
  {
    Result<Journal> journal = Journal::open(path);
    if (!journal)
      return journal.error().message;
    Result<Journal> reader = Journal::openReadOnly(path);
    if (!reader)
      return reader.error().message;
    Result<StudyJournal> study = journal->openStudy({key, "n", "{}", "{}"});
    if (!study)
      return study.error().message;
    for (uint64_t i = first; i < end; ++i) {
      Result<void> done = study->recordAsk({i, "{}", "", {}});
      if (done)
        done = study->recordOutcome(i, ok(1));
      if (!done)
        return done.error().message;
    }
  }
  Result<Journal> journal = Journal::open(path);
  if (!journal)
    return journal.error().message;
  Result<size_t> stored = journal->storeEntries({entryOf(key)});
  return stored ? "" : stored.error().message;
}

/// Starts `tune` in a process, which says in a file what went wrong.
static pid_t startTuner(const std::string &path, const std::string &key,
                        uint64_t first, uint64_t end) {
  pid_t child = fork();
  if (child != 0)
    return child;
  std::string wrong = tune(path, key, first, end);
  if (!wrong.empty())
    std::ofstream(path + "-" + key + ".wrong") << wrong;
  _exit(wrong.empty() ? 0 : 1);
}

static void expectWorks(pid_t child, const std::string &path,
                        const std::string &key) {
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  std::ifstream file(path + "-" + key + ".wrong");
  EXPECT_EQ(status, 0) << std::string(std::istreambuf_iterator<char>(file), {});
}

TEST(JournalProcessesTest, SeveralTunersShareADatabase) {
  constexpr int numRounds = 20, numTuners = 4;
  constexpr uint64_t numTrials = 5;
  for (int round = 0; round < numRounds; ++round) {
    TemporaryFolder folder;
    std::string path = folder.file("a.db");
    std::vector<pid_t> children;
    for (int i = 0; i < numTuners; ++i)
      children.push_back(
          startTuner(path, "k" + std::to_string(i), 0, numTrials));
    for (int i = 0; i < numTuners; ++i)
      expectWorks(children[i], path, "k" + std::to_string(i));
    Result<Journal> reader = Journal::openReadOnly(path);
    ASSERT_TRUE(reader) << reader.error().message;
    for (int i = 0; i < numTuners; ++i) {
      std::string key = "k" + std::to_string(i);
      Result<std::vector<Trial>> trials = reader->trials(key);
      ASSERT_TRUE(trials) << trials.error().message;
      EXPECT_EQ(trials->size(), numTrials);
      Result<std::vector<EntryText>> entries = reader->entriesWith(key);
      EXPECT_TRUE(entries && entries->size() == 1);
    }
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
}

/// Whoever is killed loses nothing that was committed, and others don't notice.
TEST(JournalProcessesTest, KilledTunersDoNoHarm) {
  constexpr int numRounds = 20;
  constexpr uint64_t manyTrials = 1000000, numTrials = 5;
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  for (int round = 0; round < numRounds; ++round) {
    pid_t victim = startTuner(path, "v" + std::to_string(round), 0, manyTrials);
    std::string key = "k" + std::to_string(round);
    pid_t other = startTuner(path, key, 0, numTrials);
    // Each time a bit later.
    usleep(500 * round);
    kill(victim, SIGKILL);
    waitpid(victim, nullptr, 0);
    expectWorks(other, path, key);
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
  Result<Journal> journal = Journal::open(path);
  ASSERT_TRUE(journal) << journal.error().message;
  for (int round = 0; round < numRounds; ++round) {
    std::string key = "k" + std::to_string(round);
    Result<std::vector<Trial>> trials = journal->trials(key);
    EXPECT_TRUE(trials && trials->size() == numTrials);
    Result<std::vector<EntryText>> entries = journal->entriesWith(key);
    EXPECT_TRUE(entries && entries->size() == 1);
  }
}

/// Between the two system calls of a tuner that makes it.
TEST(JournalProcessesTest, AFileThatIsBeingMadeHasNoEntriesYet) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  std::ofstream(path).flush();
  EXPECT_TRUE(isDatabase(path));
  Result<Journal> lookup = Journal::openForLookup(path);
  ASSERT_TRUE(lookup) << lookup.error().message;
  Result<std::vector<EntryText>> entries = lookup->entriesWith("k");
  EXPECT_TRUE(entries && entries->empty());
  Result<std::vector<StudyInfo>> studies = lookup->studies();
  EXPECT_TRUE(studies && studies->empty());
}

TEST(JournalProcessesTest, OnlyFilesOfSqliteAreDatabases) {
  TemporaryFolder folder;
  std::string text = folder.file("a.txt");
  std::ofstream(text) << std::string(5000, 'x');
  EXPECT_FALSE(isDatabase(text));
  EXPECT_FALSE(isDatabase(folder.file("none")));
  EXPECT_FALSE(isDatabase(folder.path()));
  ASSERT_TRUE(Journal::open(folder.file("a.db")));
  EXPECT_TRUE(isDatabase(folder.file("a.db")));
  EXPECT_FALSE(std::filesystem::exists(folder.file("a.db-wal")));
}
