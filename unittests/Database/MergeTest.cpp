//===- MergeTest.cpp - Tests of uniting and cutting studies ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Database/Merge.h"

#include "baco/Database/Journal.h"

#include "TestHelpers.h"
#include "TestOutcomes.h"

#include <limits>

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::database;
using baco::test::BackgroundProcess;
using baco::test::ended;
using baco::test::ok;
using baco::test::TemporaryFolder;

static Outcome crashed() {
  return ended(Status::Crashed, std::numeric_limits<double>::quiet_NaN());
}

/// Trials of the configurations `names`.
static std::vector<Trial>
makeTrials(const std::vector<std::pair<std::string, std::optional<Outcome>>>
               &outcomes) {
  std::vector<Trial> trials;
  for (const auto &[name, outcome] : outcomes)
    trials.push_back({trials.size(), "{\"" + name + "\":1}", "state", outcome});
  return trials;
}

TEST(MergeTest, UnitesByConfiguration) {
  auto mine = makeTrials({{"a", ok(1)},
                          {"b", crashed()},
                          {"c", std::nullopt},
                          {"d", ended(Status::Cancelled, 0)},
                          {"e", ok(5)}});
  auto theirs = makeTrials({{"e", ok(6)},
                            {"a", ok(1)},
                            {"b", crashed()},
                            {"c", ok(3)},
                            {"d", ok(4)},
                            {"f", ok(7)},
                            {"g", std::nullopt},
                            {"h", ended(Status::Lost, 0)},
                            {"f", ok(8)}});
  MergeReport report = uniteTrials(mine, theirs);
  EXPECT_EQ(report.added, 1u);
  EXPECT_EQ(report.filled, 2u);
  EXPECT_EQ(report.same, 2u);
  ASSERT_EQ(report.conflicts.size(), 2u);
  EXPECT_EQ(report.conflicts[0].configuration, "{\"e\":1}");
  EXPECT_EQ(report.conflicts[0].kept.timeNs, 5);
  EXPECT_EQ(report.conflicts[0].dropped.timeNs, 6);
  EXPECT_EQ(report.conflicts[1].dropped.timeNs, 8);
  ASSERT_EQ(mine.size(), 6u);
  EXPECT_EQ(mine[2].outcome->timeNs, 3);
  EXPECT_EQ(mine[3].outcome->timeNs, 4);
  EXPECT_EQ(mine[4].outcome->timeNs, 5) << "the first stays";
  EXPECT_EQ(mine[5].number, 5u);
  EXPECT_EQ(mine[5].configuration, "{\"f\":1}");
  EXPECT_EQ(mine[5].state, "");
  EXPECT_EQ(mine[0].state, "state");

  MergeReport again = uniteTrials(mine, theirs);
  EXPECT_EQ(again.added + again.filled, 0u);
  EXPECT_EQ(uniteTrials(mine, {}).same, 0u);
}

TEST(MergeTest, KeepsTheDefaultAndTheBest) {
  auto trials = makeTrials({{"a", ok(9)},
                            {"b", ok(3)},
                            {"c", crashed()},
                            {"d", ok(1)},
                            {"e", ok(3)},
                            {"f", std::nullopt}});
  std::vector<Trial> kept = keepBest(trials, 2);
  ASSERT_EQ(kept.size(), 3u);
  EXPECT_EQ(kept[0].configuration, "{\"a\":1}");
  EXPECT_EQ(kept[1].configuration, "{\"b\":1}") << "the first of equal ones";
  EXPECT_EQ(kept[2].configuration, "{\"d\":1}");
  for (size_t i = 0; i < kept.size(); ++i) {
    EXPECT_EQ(kept[i].number, i);
    EXPECT_EQ(kept[i].state, "");
  }
  EXPECT_EQ(keepBest(trials, 100).size(), 4u);
  EXPECT_TRUE(keepBest({}, 3).empty());
}

TEST(MergeTest, JournalsReplaceAndDelete) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  Result<Journal> journal = Journal::open(path);
  ASSERT_TRUE(journal) << journal.error().message;
  auto trials = makeTrials({{"a", ok(9)}, {"b", std::nullopt}});
  {
    Result<StudyJournal> writer = journal->openStudy({"k", "n", "{}", "{}"});
    Result<StudyJournal> other = journal->openStudy({"l", "n", "{}", "{}"});
    ASSERT_TRUE(writer && other);
    ASSERT_TRUE(other->replaceTrials(trials));
    ASSERT_TRUE(writer->replaceTrials(makeTrials({{"z", ok(1)}})));
    ASSERT_TRUE(writer->replaceTrials(trials));
    Result<std::vector<Trial>> read = writer->trials();
    ASSERT_TRUE(read);
    ASSERT_EQ(read->size(), 2u);
    EXPECT_EQ((*read)[0].outcome->timeNs, 9);
    EXPECT_EQ((*read)[0].state, "state");
    EXPECT_FALSE((*read)[1].outcome);

    auto gap = trials;
    gap[1].number = 2;
    Result<void> refused = writer->replaceTrials(gap);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "trial 1 of a study is missing");
    EXPECT_EQ(writer->trials()->size(), 2u);

    Result<void> busy = journal->removeStudy("k");
    ASSERT_FALSE(busy);
    EXPECT_EQ(busy.error().code, ErrorCode::IOError);
  }
  EXPECT_TRUE(journal->removeStudy("k"));
  Result<void> none = journal->removeStudy("k");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::NotFound);
  EXPECT_EQ(journal->studies()->size(), 1u);
  EXPECT_EQ(journal->trials("l")->size(), 2u) << "others stay";
  EXPECT_TRUE(journal->compact());
}

TEST(MergeTest, DeletedSpaceIsGivenBack) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  Result<Journal> journal = Journal::open(path);
  ASSERT_TRUE(journal);
  std::vector<std::pair<std::string, std::optional<Outcome>>> outcomes;
  for (int i = 0; i < 2000; ++i)
    outcomes.emplace_back(std::string(100, 'x') + std::to_string(i), ok(i + 1));
  {
    Result<StudyJournal> writer = journal->openStudy({"k", "n", "{}", "{}"});
    ASSERT_TRUE(writer && writer->replaceTrials(makeTrials(outcomes)));
  }
  ASSERT_TRUE(journal->compact());
  ASSERT_TRUE(journal->removeStudy("k"));
  ASSERT_TRUE(journal->compact());
  journal = Error{ErrorCode::NotFound, "closed"};
  EXPECT_LT(std::filesystem::file_size(path), 100000u);
}
