//===- JournalHazardsTest.cpp - Tests of what happens to files ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files that disappear, and places where nothing can be written.
//
//===----------------------------------------------------------------------===//

#include "TestHelpers.h"
#include "TestOutcomes.h"

#include "baco/Database/Journal.h"

#include <gtest/gtest.h>

#include <sched.h>
#include <sys/mount.h>

using namespace baco;
using namespace baco::database;
using namespace baco::test;

static const StudyInfo info = {"k", "n", "{}", "{}"};

/// A trial to ask for.
static Trial trialOf(uint64_t number) { return {number, "{}", "", {}}; }

TEST(JournalHazardsTest, ADeletedFileIsNoticed) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  Result<Journal> journal = Journal::open(path);
  ASSERT_TRUE(journal);
  Result<StudyJournal> study = journal->openStudy(info);
  ASSERT_TRUE(study);
  ASSERT_TRUE(study->recordAsk(trialOf(0)));
  std::filesystem::remove(path);
  const std::string expected = "database '" + path +
                               "' was deleted or replaced while it was in use: "
                               "further results would be lost";
  Result<void> told = study->recordOutcome(0, ok(1));
  ASSERT_FALSE(told);
  EXPECT_EQ(told.error().message, expected);
  EXPECT_EQ(told.error().code, ErrorCode::IOError);
  // Another one in its place is no better.
  ASSERT_TRUE(Journal::open(path));
  EXPECT_EQ(study->recordAsk(trialOf(1)).error().message, expected);
}

TEST(JournalHazardsTest, BusyStudiesAreKnown) {
  TemporaryFolder folder;
  Result<Journal> journal = Journal::open(folder.file("a.db"));
  ASSERT_TRUE(journal);
  EXPECT_TRUE(journal->checkIdle("k")) << "there is none";
  {
    Result<StudyJournal> study = journal->openStudy(info);
    ASSERT_TRUE(study);
    Result<void> idle = journal->checkIdle("k");
    ASSERT_FALSE(idle);
    EXPECT_NE(idle.error().message.find("is being tuned"), std::string::npos);
  }
  EXPECT_TRUE(journal->checkIdle("k"));
  EXPECT_TRUE(journal->openStudy(info)) << "it was not kept locked";
}

/// Not what SQLite says: that a file that it wants to make doesn't exist.
TEST(JournalHazardsTest, AReadOnlyFileSystemIsNamed) {
  TemporaryFolder folder;
  enum { passed, failed, noMounts };
  int code = runInChild([&] {
    // Of this child alone.
    if (unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", folder.path().c_str(), "tmpfs", 0, nullptr) != 0)
      return noMounts;
    std::string path = folder.file("a.db");
    {
      Result<Journal> journal = Journal::open(path);
      if (!journal || !journal->openStudy(info))
        return failed;
    }
    if (mount("none", folder.path().c_str(), nullptr, MS_REMOUNT | MS_RDONLY,
              nullptr) != 0)
      return noMounts;
    Result<Journal> journal = Journal::open(path);
    std::string expected =
        "database '" + path +
        "' cannot be written: the file or its directory is read-only";
    if (journal || journal.error().message != expected) {
      fprintf(stderr, "%s\n",
              journal ? "opened" : journal.error().message.c_str());
      return failed;
    }
    return Journal::openReadOnly(path) ? passed : failed;
  });
  if (code == noMounts)
    GTEST_SKIP() << "file systems can't be mounted here";
  EXPECT_EQ(code, passed);
}
