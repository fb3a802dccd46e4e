//===- JournalFileTest.cpp - Tests of files that are no journal -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files that must be refused and left alone, and folders that are of no use.
//
//===----------------------------------------------------------------------===//

#include "baco/Database/Journal.h"

#include "JournalFiles.h"
#include "RunSql.h"
#include "TestHelpers.h"

#include <fstream>

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/resource.h>

using namespace baco;
using namespace baco::database;
using baco::test::BackgroundProcess;
using baco::test::bytesOf;
using baco::test::openError;
using baco::test::runSql;
using baco::test::runUnprivileged;
using baco::test::TemporaryFolder;

/// Makes a database with a study `k` of pending trials.
static void makeDatabase(const std::string &path, uint64_t numTrials) {
  Result<Journal> journal = Journal::open(path);
  ASSERT_TRUE(journal) << journal.error().message;
  Result<StudyJournal> writer =
      journal->openStudy({"k", "matmul", "{}", "{}", ""});
  ASSERT_TRUE(writer) << writer.error().message;
  for (uint64_t i = 0; i < numTrials; ++i)
    ASSERT_TRUE(writer->recordAsk({i, "{}", "", {}}));
}

TEST(JournalFileTest, ForeignFilesAreLeftAlone) {
  TemporaryFolder folder;
  std::string text = folder.file("notes.txt");
  std::ofstream(text) << std::string(5000, 'x');
  std::string before = bytesOf(text);
  EXPECT_EQ(openError(text), "database '" + text +
                                 "' is not a database of baco: it is not an "
                                 "SQLite file");
  EXPECT_EQ(bytesOf(text), before);

  std::string foreign = folder.file("foreign.db");
  runSql(foreign, "CREATE TABLE t (x); INSERT INTO t VALUES (1)");
  before = bytesOf(foreign);
  EXPECT_EQ(openError(foreign), "database '" + foreign +
                                    "' is not a database of baco: it belongs "
                                    "to another application");
  EXPECT_EQ(bytesOf(foreign), before);
  Result<Journal> reader = Journal::openReadOnly(foreign);
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().code, ErrorCode::Corrupt);
}

TEST(JournalFileTest, EmptyFileIsANewDatabase) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  std::ofstream(path).flush();
  EXPECT_EQ(openError(path), "");
}

TEST(JournalFileTest, OtherSchemasAreRefused) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  ASSERT_EQ(openError(path), "");
  runSql(path, "PRAGMA user_version = 10; PRAGMA journal_mode = DELETE");
  std::string before = bytesOf(path);
  EXPECT_EQ(openError(path),
            "database '" + path +
                "' was written by a newer baco (schema 10, this version knows "
                "9): use that version, or another file");
  EXPECT_EQ(bytesOf(path), before);
  runSql(path, "PRAGMA user_version = 0");
  EXPECT_EQ(openError(path),
            "database '" + path + "' has an unknown schema (0)");
}

TEST(JournalFileTest, TruncatedFilesAreRefused) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  makeDatabase(path, 300);
  uintmax_t size = std::filesystem::file_size(path);
  for (uintmax_t shorter :
       {size - 1, size / 2, uintmax_t(4096), uintmax_t(1), uintmax_t(100)}) {
    std::string copy = folder.file("copy.db");
    std::filesystem::copy_file(
        path, copy, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(copy, shorter);
    Result<Journal> journal = Journal::open(copy);
    ASSERT_FALSE(journal) << shorter << " of " << size;
    EXPECT_EQ(journal.error().code, ErrorCode::Corrupt) << shorter;
    EXPECT_NE(journal.error().message.find(copy), std::string::npos);
    EXPECT_EQ(std::filesystem::file_size(copy), shorter) << "left as it was";
  }
}

TEST(JournalFileTest, DamagedContentsAreReported) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  makeDatabase(path, 2);
  runSql(path, "UPDATE trials SET status = 'odd' WHERE number = 1");
  Result<Journal> journal = Journal::openReadOnly(path);
  ASSERT_TRUE(journal) << journal.error().message;
  Result<std::vector<Trial>> trials = journal->trials("k");
  ASSERT_FALSE(trials);
  EXPECT_EQ(trials.error().message,
            "database '" + path + "': trial 1 has the unknown status 'odd'");
  EXPECT_EQ(openError(path), trials.error().message);
  runSql(path, "UPDATE trials SET status = NULL WHERE number = 1");
  runSql(path, "DELETE FROM trials WHERE number = 0");
  EXPECT_EQ(openError(path),
            "database '" + path + "': trial 0 of a study is missing");
}

/// Values that no tuner writes, and no import takes either.
TEST(JournalFileTest, ImpossibleValuesAreRefused) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  makeDatabase(path, 2);
  const std::string ok = "UPDATE trials SET status = 'ok', time_ns = 100, "
                         "spread = 0.1, samples = 3, compile_ns = 1, "
                         "run_ns = 2, message = '' WHERE number = 1";
  const std::pair<const char *, const char *> cases[] = {
      {"time_ns = -5",
       "'time_ns' must be 1e-06 to 1e18 where the status is ok, but is -5"},
      {"time_ns = 1e-300",
       "'time_ns' must be 1e-06 to 1e18 where the status is ok, but is 1e-300"},
      {"time_ns = 9e999",
       "'time_ns' must be 1e-06 to 1e18 where the status is ok, but is inf"},
      {"time_ns = NULL",
       "'time_ns' must be 1e-06 to 1e18 where the status is ok, but is nan"},
      {"spread = -1", "'spread' must be 0 to 1e18, but is -1"},
      {"samples = -3", "'samples' must be 0 to 1e9"},
      {"samples = 9000000000000", "'samples' must be 0 to 1e9"},
      {"compile_ns = 9e999", "'compile_ns' must be 0 to 1e18, but is inf"},
      {"run_ns = -2.5", "'run_ns' must be 0 to 1e18, but is -2.5"},
      {"configuration = '[1]'", "expected an object under 'configuration'"},
      {"configuration = '{\"x\":{}}'",
       "parameter 'x' has a value of unknown kind"}};
  for (auto [change, mistake] : cases) {
    // Neither the mode of the journal nor anything else is changed.
    runSql(path, "PRAGMA journal_mode = DELETE; " + ok);
    ASSERT_EQ(openError(path), "") << change;
    runSql(path, std::string("PRAGMA journal_mode = DELETE; UPDATE trials SET "
                             "configuration = '{}'; ") +
                     ok + "; UPDATE trials SET " + change +
                     " WHERE number = 1");
    std::string before = bytesOf(path);
    EXPECT_EQ(openError(path), "database '" + path + "': trial 1: " + mistake);
    EXPECT_EQ(bytesOf(path), before) << change;
    EXPECT_FALSE(std::filesystem::exists(path + "-wal")) << change;
    EXPECT_FALSE(std::filesystem::exists(path + "-shm")) << change;
    runSql(path, "UPDATE trials SET configuration = '{}'; " + ok);
  }
  runSql(path, "UPDATE trials SET status = NULL WHERE number = 1");
  EXPECT_EQ(openError(path), "database '" + path +
                                 "': trial 1 has no status, but other results");
}

TEST(JournalFileTest, UnusableFoldersAreNamed) {
  TemporaryFolder folder;
  std::string missing = folder.file("none/a.db");
  EXPECT_EQ(openError(missing), "cannot make database '" + missing +
                                    "': No such file or directory");
  for (const std::string &odd :
       {folder.path().string(), std::string("/dev/full"),
        std::string("/dev/null")}) {
    std::string expected =
        "cannot open database '" + odd + "': it is not a regular file";
    EXPECT_EQ(openError(odd), expected);
    EXPECT_EQ(Journal::openReadOnly(odd).error().message, expected);
  }

  std::string path = folder.file("a.db");
  std::string readOnly = "database '" + path +
                         "' cannot be written: the file or its directory is "
                         "read-only";
  auto cannotWrite = [&] { return openError(path) == readOnly ? 0 : 1; };
  auto canRead = [&] {
    Result<Journal> reader = Journal::openReadOnly(path);
    return reader && reader->studies() ? 0 : 1;
  };
  {
    BackgroundProcess writer([&] { return Journal::open(path); });
    ASSERT_TRUE(writer.isReady);
    EXPECT_EQ(runUnprivileged(cannotWrite), 0);
    EXPECT_EQ(runUnprivileged(canRead), 0);
  }
  ASSERT_EQ(openError(path), "");
  EXPECT_EQ(runUnprivileged(cannotWrite), 0);
  EXPECT_EQ(runUnprivileged(canRead), 0);
  // A reader that can't write leaves the files of the log behind.
  ASSERT_EQ(openError(path), "");

  std::filesystem::permissions(folder.path(),
                               static_cast<std::filesystem::perms>(0555));
  EXPECT_EQ(runUnprivileged(cannotWrite), 0);
  EXPECT_EQ(runUnprivileged(canRead), 0);
  std::string fresh = folder.file("b.db");
  EXPECT_EQ(runUnprivileged([&] {
              return openError(fresh) == "cannot make database '" + fresh +
                                             "': Permission denied"
                         ? 0
                         : 1;
            }),
            0);
  // A file that can be written in a folder that can't.
  std::filesystem::permissions(path, std::filesystem::perms::all);
  EXPECT_EQ(runUnprivileged(cannotWrite), 0);
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
}

namespace {
/// A file system in memory on a folder; `isThere` if we may make one.
class SmallDisk {
public:
  explicit SmallDisk(const std::string &folder)
      : folder(folder),
        isThere(mount("baco", folder.c_str(), "tmpfs", 0, "size=256k") == 0) {}
  ~SmallDisk() {
    if (isThere)
      umount2(folder.c_str(), MNT_DETACH);
  }
  bool grow() const {
    return mount("baco", folder.c_str(), "tmpfs", MS_REMOUNT, "size=2m") == 0;
  }

private:
  const std::string folder;

public:
  const bool isThere;
};
} // namespace

TEST(JournalFileTest, AFullDiskLosesNothing) {
  TemporaryFolder folder;
  SmallDisk disk(folder.path());
  if (!disk.isThere)
    GTEST_SKIP() << "only root may mount";
  std::string path = folder.file("a.db");
  uint64_t committed = 0;
  std::string message;
  {
    Result<Journal> journal = Journal::open(path);
    ASSERT_TRUE(journal) << journal.error().message;
    Result<StudyJournal> writer =
        journal->openStudy({"k", "matmul", "{}", "{}"});
    ASSERT_TRUE(writer) << writer.error().message;
    while (message.empty() && committed < 10000) {
      Result<void> done = writer->recordAsk(
          {committed, "{}", std::string(1000, 's'), std::nullopt});
      if (done)
        ++committed;
      else
        message = done.error().message;
    }
    // What is read is what was committed, full or not.
    Result<std::vector<Trial>> trials = writer->trials();
    EXPECT_TRUE(trials && trials->size() == committed);
  }
  EXPECT_GT(committed, 0u);
  EXPECT_EQ(message, "no space left to write database '" + path +
                         "': what was committed before is safe");
  {
    Result<Journal> reader = Journal::openReadOnly(path);
    EXPECT_TRUE(reader) << reader.error().message;
    if (reader)
      EXPECT_EQ(reader->trials("k")->size(), committed);
  }
  // With more room it goes on.
  ASSERT_TRUE(disk.grow());
  {
    Result<Journal> journal = Journal::open(path);
    ASSERT_TRUE(journal) << journal.error().message;
    Result<StudyJournal> writer =
        journal->openStudy({"k", "matmul", "{}", "{}"});
    ASSERT_TRUE(writer) << writer.error().message;
    EXPECT_EQ(writer->trials()->size(), committed);
    EXPECT_TRUE(writer->recordAsk({committed, "{}", "", std::nullopt}));
  }
}

TEST(JournalFileTest, ReadOnlyNeedsAFile) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  Result<Journal> reader = Journal::openReadOnly(path);
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().message,
            "cannot open database '" + path + "': No such file or directory");
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(JournalFileTest, NamesAreNotInterpreted) {
  TemporaryFolder folder;
  for (const char *name : {"50%20?mode=ro#x.db", ":memory:", "file:x.db"}) {
    EXPECT_EQ(openError(folder.file(name)), "");
    EXPECT_TRUE(std::filesystem::exists(folder.file(name))) << name;
  }
}
