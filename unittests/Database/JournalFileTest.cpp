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

#include "TestHelpers.h"

#include <fstream>

#include <gtest/gtest.h>
#include <sqlite3.h>

using namespace baco;
using namespace baco::database;
using baco::test::BackgroundProcess;
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

/// Runs SQL behind the journal's back.
static void runSql(const std::string &path, const std::string &sql) {
  sqlite3 *handle = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr),
            SQLITE_OK)
      << sqlite3_errmsg(handle);
  sqlite3_close(handle);
}

static std::string bytesOf(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The message of opening `path`; empty if that works.
static std::string openError(const std::string &path) {
  Result<Journal> journal = Journal::open(path);
  return journal ? "" : journal.error().message;
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
  runSql(path, "PRAGMA user_version = 2; PRAGMA journal_mode = DELETE");
  std::string before = bytesOf(path);
  EXPECT_EQ(openError(path),
            "database '" + path +
                "' was written by a newer baco (schema 2, this version knows "
                "1): use that version, or another file");
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
  Result<Journal> journal = Journal::open(path);
  ASSERT_TRUE(journal) << journal.error().message;
  Result<std::vector<Trial>> trials = journal->trials("k");
  ASSERT_FALSE(trials);
  EXPECT_EQ(trials.error().message,
            "database '" + path + "': trial 1 has the unknown status 'odd'");
  runSql(path, "DELETE FROM trials WHERE number = 0");
  trials = journal->trials("k");
  ASSERT_FALSE(trials);
  EXPECT_EQ(trials.error().code, ErrorCode::Corrupt);
}

TEST(JournalFileTest, UnusableFoldersAreNamed) {
  TemporaryFolder folder;
  std::string missing = folder.file("none/a.db");
  EXPECT_EQ(openError(missing), "cannot make database '" + missing +
                                    "': No such file or directory");
  EXPECT_NE(openError(folder.path().string()), "") << "a folder";

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
