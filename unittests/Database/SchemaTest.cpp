//===- SchemaTest.cpp - Tests of files of earlier versions ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Database/Journal.h"

#include "JournalFiles.h"
#include "RunSql.h"
#include "TestHelpers.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>

using namespace baco;
using namespace baco::database;
using baco::test::bytesOf;
using baco::test::openError;
using baco::test::runSql;
using baco::test::TemporaryFolder;

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

TEST(SchemaTest, EarlierSchemasAreBroughtToThisOne) {
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
  EXPECT_EQ(schemaOf(path), 9);
  EXPECT_EQ(openError(path), "");
}

TEST(SchemaTest, StudiesWithoutFinalComparisonsGetThem) {
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
  EXPECT_EQ(schemaOf(path), 9);
}

TEST(SchemaTest, AMigrationThatFailsChangesNothing) {
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
  EXPECT_EQ(schemaOf(path), 9);
}

/// Eight processes find an old file at the same time.
TEST(SchemaTest, ManyMayMigrateAtOnce) {
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
