//===- EntryRowsTest.cpp - Tests of the entries in a database -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Database/Journal.h"

#include "RunSql.h"
#include "TestHelpers.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::database;
using baco::test::runSql;
using baco::test::TemporaryFolder;

static EntryText entry(const std::string &name, const std::string &fingerprint,
                       bool isAsWritten = false) {
  std::string fields = std::string(isAsWritten ? "as_written, " : "") +
                       "fingerprint = \"" + fingerprint + "\", function = \"" +
                       name + "\", structure = \"s" + fingerprint + "\"";
  return splitLibrary("\n  transform.named_sequence @" + name +
                      "() attributes {baco.entry = {" + fields + "}} {\n  }\n")
      .front();
}

static std::vector<std::string> namesOf(const std::vector<EntryText> &entries) {
  std::vector<std::string> names;
  for (const EntryText &entry : entries)
    names.push_back(entry.name);
  return names;
}

using Names = std::vector<std::string>;

TEST(EntryRowsTest, FindsWhatWasStored) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  {
    Result<Journal> journal = Journal::open(path);
    ASSERT_TRUE(journal) << journal.error().message;
    EXPECT_FALSE(*journal->hasEntriesAsWritten());
    EntryText first = entry("f", "1");
    first.study = "key";
    EXPECT_EQ(*journal->storeEntries({first, entry("g", "2"), entry("h", "1")}),
              3u);
  }
  Result<Journal> reader = Journal::openForLookup(path);
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_EQ(namesOf(*reader->entriesWith("1")), (Names{"f", "h"}));
  EXPECT_TRUE(reader->entriesWith("3")->empty());
  EXPECT_EQ(reader->entriesWith("1")->front().study, "key");
  EXPECT_EQ(reader->entriesWith("2")->front().text, entry("g", "2").text);
  EXPECT_EQ((*reader->entryLike("g", "s1"))->name, "g");
  EXPECT_EQ((*reader->entryLike("x", "s1"))->name, "f");
  EXPECT_FALSE(*reader->entryLike("x", "y"));
  EXPECT_EQ(namesOf(*reader->entries()), (Names{"f", "g", "h"}));
  EXPECT_EQ(namesOf(*reader->entries("key")), (Names{"f"}));
  EXPECT_FALSE(reader->storeEntries({entry("i", "4")}));
}

TEST(EntryRowsTest, OneNameHasOneEntry) {
  TemporaryFolder folder;
  Result<Journal> journal = Journal::open(folder.file("a.db"));
  ASSERT_TRUE(journal) << journal.error().message;
  ASSERT_TRUE(journal->storeEntries({entry("f", "1"), entry("g", "2")}));
  EXPECT_EQ(*journal->storeEntries({entry("f", "3"), entry("h", "4")},
                                   /*keepsOld=*/true),
            1u);
  EXPECT_TRUE(journal->entriesWith("3")->empty());
  EXPECT_EQ(*journal->storeEntries({entry("f", "3", /*isAsWritten=*/true)}),
            1u);
  EXPECT_EQ(namesOf(*journal->entries()), (Names{"f", "g", "h"}));
  EXPECT_TRUE(journal->entriesWith("1")->empty());
  EXPECT_TRUE(journal->entriesWith("3")->front().isAsWritten);
  EXPECT_TRUE(*journal->hasEntriesAsWritten());
}

TEST(EntryRowsTest, StudiesTakeTheirEntriesAlong) {
  TemporaryFolder folder;
  Result<Journal> journal = Journal::open(folder.file("a.db"));
  ASSERT_TRUE(journal) << journal.error().message;
  ASSERT_TRUE(journal->openStudy({"key", "f", "{}", "{}"}));
  EntryText first = entry("f", "1");
  first.study = "key";
  ASSERT_TRUE(journal->storeEntries({first, entry("g", "2")}));
  ASSERT_TRUE(journal->removeStudy("key"));
  EXPECT_EQ(namesOf(*journal->entries()), (Names{"g"}));
}

TEST(EntryRowsTest, DatabasesOfBeforeHaveNone) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  {
    ASSERT_TRUE(Journal::open(path));
  }
  runSql(path, "DROP TABLE entries; "
               "ALTER TABLE trials DROP COLUMN metrics; "
               "ALTER TABLE trials DROP COLUMN usage; "
               "ALTER TABLE trials DROP COLUMN cost_beyond_limits; "
               "PRAGMA user_version = 6; PRAGMA journal_mode = DELETE");
  Result<Journal> reader = Journal::openForLookup(path);
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_TRUE(reader->entriesWith("1")->empty());
  EXPECT_TRUE(reader->entries()->empty());
  EXPECT_FALSE(*reader->entryLike("f", "s"));
  EXPECT_FALSE(*reader->hasEntriesAsWritten());
}

TEST(EntryRowsTest, DamageIsAnError) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  {
    Result<Journal> journal = Journal::open(path);
    ASSERT_TRUE(journal->storeEntries({entry("f", "1"), entry("g", "2")}));
  }
  // A text of another function.
  runSql(path, "UPDATE entries SET fingerprint = '1'; "
               "PRAGMA journal_mode = DELETE");
  {
    Result<Journal> reader = Journal::openForLookup(path);
    ASSERT_TRUE(reader) << reader.error().message;
    Result<std::vector<EntryText>> found = reader->entriesWith("1");
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().message.find(path), std::string::npos);
  }
  EXPECT_FALSE(Journal::open(path)) << "what is wrong isn't written to";
}
