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
  runSql(path, "PRAGMA user_version = 5; PRAGMA journal_mode = DELETE");
  std::string before = bytesOf(path);
  EXPECT_EQ(openError(path),
            "database '" + path +
                "' was written by a newer baco (schema 5, this version knows "
                "4): use that version, or another file");
  EXPECT_EQ(bytesOf(path), before);
  runSql(path, "PRAGMA user_version = 0");
  EXPECT_EQ(openError(path),
            "database '" + path + "' has an unknown schema (0)");
}

/// What baco wrote before version 2: as it was then, whatever we write now.
static constexpr const char *version1 = R"(
CREATE TABLE studies (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  space TEXT NOT NULL,
  metadata TEXT NOT NULL,
  created TEXT NOT NULL
) STRICT;
CREATE TABLE trials (
  study INTEGER NOT NULL REFERENCES studies (id),
  number INTEGER NOT NULL,
  configuration TEXT NOT NULL,
  state TEXT NOT NULL,
  status TEXT,
  time_ns REAL,
  spread REAL,
  samples INTEGER,
  compile_ns REAL,
  run_ns REAL,
  message TEXT,
  PRIMARY KEY (study, number)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = 1111573327;
PRAGMA user_version = 1;
INSERT INTO studies VALUES
  (1, 'k', 'matmul', '{}', '{}', '2026-01-02T03:04:05Z');
INSERT INTO trials VALUES
  (1, 0, '{"x":1}', 's', 'ok', 12.5, 0.5, 3, 4.0, 5.0, ''),
  (1, 1, '{"x":2}', '', 'crashed', NULL, 0.0, 0, 4.0, 5.0, 'boom'),
  (1, 2, '{"x":3}', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
)";

/// What baco wrote before version 3: as it was then.
static std::string version2() {
  return std::string(version1) + R"(
ALTER TABLE studies ADD COLUMN used TEXT NOT NULL DEFAULT '';
UPDATE studies SET used = created;
UPDATE trials SET status = 'cancelled' WHERE number = 2;
PRAGMA user_version = 2;
)";
}

static int64_t schemaOf(const std::string &path) {
  sqlite3 *handle = nullptr;
  sqlite3_stmt *statement = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  EXPECT_EQ(sqlite3_prepare_v2(handle, "PRAGMA user_version", -1, &statement,
                               nullptr),
            SQLITE_OK);
  EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW);
  int64_t version = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_close(handle);
  return version;
}

/// Whether a journal holds what `version1` does.
static void expectFixture(const Journal &journal) {
  Result<std::vector<StudyInfo>> studies = journal.studies();
  ASSERT_TRUE(studies) << studies.error().message;
  ASSERT_EQ(studies->size(), 1u);
  EXPECT_EQ((*studies)[0].created, "2026-01-02T03:04:05Z");
  EXPECT_EQ((*studies)[0].used, "2026-01-02T03:04:05Z");
  Result<std::vector<Trial>> trials = journal.trials("k");
  ASSERT_TRUE(trials) << trials.error().message;
  ASSERT_EQ(trials->size(), 3u);
  EXPECT_EQ((*trials)[0].outcome->timeNs, 12.5);
  EXPECT_EQ((*trials)[0].state, "s");
  EXPECT_EQ((*trials)[1].outcome->message, "boom");
  EXPECT_FALSE((*trials)[2].outcome);
}

TEST(JournalFileTest, EarlierSchemasAreBroughtToThisOne) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  runSql(path, version1);
  std::string before = bytesOf(path);
  {
    Result<Journal> reader = Journal::openReadOnly(path);
    ASSERT_TRUE(reader) << reader.error().message;
    expectFixture(*reader);
  }
  EXPECT_EQ(bytesOf(path), before) << "a reader changes nothing";
  {
    Result<Journal> journal = Journal::open(path);
    ASSERT_TRUE(journal) << journal.error().message;
    expectFixture(*journal);
    Result<StudyJournal> writer =
        journal->openStudy({"k", "matmul", "{}", "{}"});
    ASSERT_TRUE(writer) << writer.error().message;
    Outcome cancelled;
    cancelled.status = Status::Cancelled;
    EXPECT_TRUE(writer->recordOutcome(2, cancelled));
    EXPECT_EQ((*journal->studies())[0].used, "2026-01-02T03:04:05Z");
    EXPECT_TRUE(writer->markUsed());
    EXPECT_GT((*journal->studies())[0].used, "2026-01-02T03:04:05Z");
    EXPECT_EQ((*journal->studies())[0].created, "2026-01-02T03:04:05Z");
  }
  EXPECT_EQ(schemaOf(path), 4);
  EXPECT_EQ(openError(path), "");
}

TEST(JournalFileTest, StudiesWithoutFinalComparisonsGetThem) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  runSql(path, version2());
  std::string before = bytesOf(path);
  {
    Result<Journal> reader = Journal::openReadOnly(path);
    ASSERT_TRUE(reader) << reader.error().message;
    Result<std::vector<Trial>> trials = reader->trials("k");
    ASSERT_TRUE(trials) << trials.error().message;
    EXPECT_EQ((*trials)[2].outcome->status, Status::Cancelled);
    EXPECT_FALSE((*trials)[0].failure);
    Result<std::vector<Final>> finals = reader->finals("k");
    ASSERT_TRUE(finals) << finals.error().message;
    EXPECT_TRUE(finals->empty());
  }
  EXPECT_EQ(bytesOf(path), before) << "a reader changes nothing";
  {
    Result<Journal> journal = Journal::open(path);
    ASSERT_TRUE(journal) << journal.error().message;
    Result<StudyJournal> writer =
        journal->openStudy({"k", "matmul", "{}", "{}"});
    ASSERT_TRUE(writer) << writer.error().message;
    Outcome failure;
    failure.status = Status::Crashed;
    EXPECT_TRUE(writer->recordFailure(0, failure));
    Final final;
    final.kept = Kept::Plain;
    EXPECT_TRUE(writer->recordFinal(final));
    EXPECT_EQ(writer->finals()->size(), 1u);
    EXPECT_EQ((*writer->trials())[0].failure->status, Status::Crashed);
    EXPECT_EQ((*writer->trials())[0].outcome->timeNs, 12.5);
  }
  EXPECT_EQ(schemaOf(path), 4);
}

TEST(JournalFileTest, AMigrationThatFailsChangesNothing) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  runSql(path, version1);
  // The column is there already: the first statement fails.
  runSql(path, "ALTER TABLE studies ADD COLUMN used TEXT");
  EXPECT_NE(openError(path), "");
  EXPECT_EQ(schemaOf(path), 1);
  runSql(path, "ALTER TABLE studies DROP COLUMN used");
  // No room to write: the child's exit code says whether the error is one line
  // that names the file.
  EXPECT_EQ(baco::test::runInChild([&] {
              signal(SIGXFSZ, SIG_IGN);
              rlimit limit = {100, 100};
              setrlimit(RLIMIT_FSIZE, &limit);
              std::string message = openError(path);
              return message.find(path) != std::string::npos &&
                             message.find('\n') == std::string::npos
                         ? 0
                         : 1;
            }),
            0);
  EXPECT_EQ(schemaOf(path), 1);
  EXPECT_EQ(openError(path), "");
  EXPECT_EQ(schemaOf(path), 4);
}

/// Eight processes find an old file at the same time.
TEST(JournalFileTest, ManyMayMigrateAtOnce) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  runSql(path, version1);
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    children.push_back(fork());
    if (children.back() == 0)
      _exit(openError(path).empty() ? 0 : 1);
  }
  for (pid_t child : children) {
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  Result<Journal> journal = Journal::openReadOnly(path);
  ASSERT_TRUE(journal) << journal.error().message;
  expectFixture(*journal);
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
