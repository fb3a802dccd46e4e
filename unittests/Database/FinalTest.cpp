//===- FinalTest.cpp - Tests of recorded final comparisons ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Database/Export.h"
#include "baco/Database/Journal.h"
#include "baco/Database/Merge.h"

#include "RunSql.h"
#include "TestHelpers.h"

#include <csignal>
#include <limits>

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::database;
using baco::test::runInChild;
using baco::test::runSql;
using baco::test::TemporaryFolder;

static Outcome sampled(double timeNs) {
  Outcome outcome;
  outcome.status = Status::Ok;
  outcome.timeNs = timeNs;
  outcome.spread = 0.125;
  outcome.numSamples = 7;
  return outcome;
}

static Outcome failed(Status status, const std::string &message) {
  Outcome outcome;
  outcome.status = status;
  outcome.timeNs = std::numeric_limits<double>::quiet_NaN();
  outcome.message = message;
  return outcome;
}

static Trial trial(uint64_t number, double timeNs) {
  return {number, "{\"x\":" + std::to_string(number) + "}", "s",
          sampled(timeNs)};
}

static std::vector<Trial> threeTrials() {
  return {trial(0, 100), trial(1, 50), trial(2, 80)};
}

/// The default, a winner, one that failed, and plain.
static Final comparison() {
  Final final;
  final.numTrials = 3;
  final.kept = Kept::Tuned;
  final.winner = 2;
  final.confidence = 0.99;
  final.plain = sampled(1.0 / 3);
  final.finalists = {{0, sampled(100), {101, 99.5}},
                     {2, sampled(80), {80, 0.1 + 0.2}},
                     {1, failed(Status::WrongResult, "differs"), {}},
                     {std::nullopt, sampled(300), {300, 301}}};
  return final;
}

/// A study in a new database.
static Result<StudyJournal> openStudy(const std::string &path) {
  Result<Journal> journal = Journal::open(path);
  if (!journal)
    return journal.error();
  return journal->openStudy({"k", "matmul", "{}", "{}"});
}

TEST(FinalTest, JournalsKeepThemExactly) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  Final second;
  second.numTrials = 4;
  second.kept = Kept::Plain;
  {
    Result<StudyJournal> writer = openStudy(path);
    ASSERT_TRUE(writer) << writer.error().message;
    ASSERT_TRUE(writer->replaceTrials(threeTrials(), {}));
    ASSERT_TRUE(writer->recordFinal(comparison()));
    ASSERT_TRUE(writer->recordFinal(second));
  }
  Result<Journal> journal = Journal::openReadOnly(path);
  ASSERT_TRUE(journal) << journal.error().message;
  Result<std::vector<Final>> finals = journal->finals("k");
  ASSERT_TRUE(finals) << finals.error().message;
  ASSERT_EQ(finals->size(), 2u);
  EXPECT_EQ(writeFinalJson((*finals)[0]), writeFinalJson(comparison()));
  EXPECT_EQ(writeFinalJson((*finals)[1]), writeFinalJson(second));
  EXPECT_EQ((*finals)[0].finalists[1].roundsNs[1], 0.1 + 0.2);
  EXPECT_EQ(findFinal(*finals, 3), finals->data());
  EXPECT_EQ(findFinal(*finals, 5), nullptr);
  Result<std::vector<Final>> none = journal->finals("other");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::NotFound);
}

TEST(FinalTest, AFailureAmendsATrialOnce) {
  TemporaryFolder folder;
  Result<StudyJournal> writer = openStudy(folder.file("a.db"));
  ASSERT_TRUE(writer) << writer.error().message;
  ASSERT_TRUE(writer->replaceTrials(
      {trial(0, 100), {1, "{}", "", failed(Status::Crashed, "")}}));
  ASSERT_TRUE(writer->recordFailure(0, failed(Status::WrongResult, "differs")));
  for (uint64_t number : {0, 1, 2}) {
    Result<void> again =
        writer->recordFailure(number, failed(Status::Crashed, ""));
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, ErrorCode::InvalidArgument);
  }
  Result<std::vector<Trial>> trials = writer->trials();
  ASSERT_TRUE(trials) << trials.error().message;
  const Trial &first = trials->front();
  EXPECT_EQ(first.outcome->timeNs, 100);
  ASSERT_TRUE(first.failure);
  EXPECT_EQ(first.failure->status, Status::WrongResult);
  EXPECT_EQ(first.failure->message, "differs");
  EXPECT_FALSE(first.works());
}

/// Killed right after a call: what it committed is there.
TEST(FinalTest, AKilledProcessLosesNothingCommitted) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  EXPECT_EQ(runInChild([&] {
              Result<StudyJournal> writer = openStudy(path);
              if (!writer || !writer->replaceTrials(threeTrials()) ||
                  !writer->recordFailure(1, failed(Status::Crashed, "boom")) ||
                  !writer->recordFinal(comparison()))
                return 1;
              raise(SIGKILL);
              return 2;
            }),
            -SIGKILL);
  Result<Journal> journal = Journal::openReadOnly(path);
  ASSERT_TRUE(journal) << journal.error().message;
  EXPECT_EQ((*journal->trials("k"))[1].failure->message, "boom");
  EXPECT_EQ(journal->finals("k")->size(), 1u);
}

TEST(FinalTest, ImpossibleRecordsAreCorrupt) {
  for (const char *change :
       {"UPDATE finals SET kept = 'best'", "UPDATE finals SET winner = NULL",
        "UPDATE finals SET winner = 1",
        "UPDATE finals SET trials = 3, kept = 'default', winner = 9",
        "UPDATE finalists SET trial = 3 WHERE place = 2",
        "UPDATE finals SET confidence = 2", "UPDATE finals SET plain_ns = -5",
        "UPDATE finalists SET status = 'fine' WHERE place = 0",
        "UPDATE finalists SET time_ns = -5 WHERE place = 0",
        "UPDATE finalists SET time_ns = NULL WHERE place = 0",
        "UPDATE finalists SET rounds = '[' WHERE place = 0",
        "UPDATE finalists SET rounds = '[-1]' WHERE place = 0"}) {
    TemporaryFolder folder;
    std::string path = folder.file("a.db");
    {
      Result<StudyJournal> writer = openStudy(path);
      ASSERT_TRUE(writer && writer->replaceTrials(threeTrials(), {}) &&
                  writer->recordFinal(comparison()));
    }
    runSql(path, change);
    Result<Journal> journal = Journal::openReadOnly(path);
    ASSERT_TRUE(journal) << journal.error().message;
    Result<std::vector<Final>> finals = journal->finals("k");
    ASSERT_FALSE(finals) << change;
    EXPECT_EQ(finals.error().code, ErrorCode::Corrupt);
    EXPECT_NE(finals.error().message.find(path), std::string::npos);
  }
}

TEST(FinalTest, DeepNestingIsAnErrorToo) {
  // Of its own accord the JSON library destroys what it reads recursively.
  std::string deep(1000000, '['), closed = deep + std::string(1000000, ']');
  for (const std::string &rounds : {deep, closed}) {
    TemporaryFolder folder;
    std::string path = folder.file("a.db");
    {
      Result<StudyJournal> writer = openStudy(path);
      ASSERT_TRUE(writer && writer->replaceTrials(threeTrials(), {}) &&
                  writer->recordFinal(comparison()));
    }
    runSql(path, "UPDATE finalists SET rounds = '" + rounds + "'");
    Result<Journal> journal = Journal::openReadOnly(path);
    ASSERT_TRUE(journal) << journal.error().message;
    Result<std::vector<Final>> finals = journal->finals("k");
    ASSERT_FALSE(finals);
    EXPECT_EQ(finals.error().code, ErrorCode::Corrupt);
  }
  for (const std::string &line :
       {"{\"final\":" + closed + "}", "{\"final\":" + deep,
        "{\"final\":{\"finalists\":" + closed + "}}"}) {
    Result<std::vector<Trial>> read = readTrialsJsonl(line);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().message, "line 1: expected a JSON object");
  }
}

TEST(FinalTest, StudiesAreDeletedWithThem) {
  TemporaryFolder folder;
  Result<Journal> journal = Journal::open(folder.file("a.db"));
  ASSERT_TRUE(journal) << journal.error().message;
  StudyInfo info = {"k", "matmul", "{}", "{}"};
  {
    Result<StudyJournal> writer = journal->openStudy(info);
    ASSERT_TRUE(writer && writer->recordFinal(comparison()));
  }
  ASSERT_TRUE(journal->removeStudy("k"));
  Result<StudyJournal> writer = journal->openStudy(info);
  ASSERT_TRUE(writer);
  EXPECT_TRUE(writer->finals()->empty());
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

TEST(FinalTest, ExportsHaveThem) {
  std::vector<Trial> trials = threeTrials();
  trials[1].failure = failed(Status::WrongResult, "differs");
  std::string text = writeTrialsJsonl(trials, "matmul") +
                     writeFinalJsonl({Final(), comparison()}, "matmul");
  EXPECT_NE(
      text.find(R"({"trial":1,"configuration":{"x":1},"status":"wrong-result",)"
                R"("time_ns":null,)"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find(R"("search":{"status":"ok","time_ns":50.0})"),
            std::string::npos);
  std::vector<Final> finals;
  Result<std::vector<Trial>> read = readTrialsJsonl(text, "matmul", &finals);
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->size(), 3u);
  EXPECT_EQ((*read)[1].outcome->timeNs, 50);
  EXPECT_EQ((*read)[1].failure->message, "differs");
  ASSERT_EQ(finals.size(), 1u);
  EXPECT_EQ(writeTrialsJsonl(*read, "matmul") +
                writeFinalJsonl(finals, "matmul"),
            text);
  EXPECT_FALSE(readTrialsJsonl(text, "conv"));
  // Who doesn't ask for it doesn't get it.
  EXPECT_TRUE(readTrialsJsonl(text));
}

TEST(FinalTest, ResultsThatFollowFromTrialsHaveNoLine) {
  Final alone;
  alone.winner = 0;
  EXPECT_EQ(writeFinalJsonl({}), "");
  EXPECT_EQ(writeFinalJsonl({comparison(), alone}), "");
  alone.winner.reset();
  alone.kept = Kept::Plain;
  EXPECT_NE(writeFinalJsonl({alone}), "");
}

TEST(FinalTest, WrongLinesAreNamed) {
  std::string line = writeFinalJson(comparison());
  auto replaced = [&](const std::string &what, const std::string &by) {
    std::string copy = line;
    EXPECT_NE(copy.find(what), std::string::npos) << what;
    return copy.replace(copy.find(what), what.size(), by);
  };
  EXPECT_TRUE(readTrialsJsonl(line));
  for (const std::string &wrong :
       {replaced("\"tuned\"", "\"best\""), replaced("\"winner\":2", "\"w\":2"),
        replaced("\"trials\":3", "\"trials\":-3"),
        replaced("\"finalists\":[", "\"finalists\":[7,"),
        replaced("\"time_ns\":100.0", "\"time_ns\":-1"),
        replaced("[101.0", "[\"101\""), std::string(R"({"final":null})")}) {
    Result<std::vector<Trial>> read = readTrialsJsonl("\n" + wrong);
    ASSERT_FALSE(read) << wrong;
    EXPECT_EQ(read.error().message,
              "line 2: expected a final comparison under 'final'");
  }
  // Only what was ok can have failed later.
  Result<std::vector<Trial>> read = readTrialsJsonl(
      R"({"configuration":{},"status":"ok","time_ns":1,"search":{"status":"ok","time_ns":1}})");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message,
            "line 1: expected a failure that was ok in the search under "
            "'search'");
}

TEST(FinalTest, TablesHaveTheFailure) {
  std::vector<Trial> trials = {trial(0, 100)};
  trials[0].failure = failed(Status::Crashed, "boom");
  Result<std::string> text = writeTrialsCsv(trials);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("\n0,0,crashed,,"), std::string::npos) << *text;
  EXPECT_NE(text->find(",boom\n"), std::string::npos) << *text;
}

//===----------------------------------------------------------------------===//
// Merging and pruning
//===----------------------------------------------------------------------===//

TEST(FinalTest, MergingKeepsOnesOwn) {
  std::vector<Trial> theirs = threeTrials();
  theirs[1].failure = failed(Status::Crashed, "boom");
  std::vector<Trial> mine = {trial(0, 100),
                             {1, "{\"x\":2}", "s", sampled(80)},
                             {2, "{\"x\":1}", "s", sampled(50)}};
  MergeReport report = uniteTrials(mine, theirs);
  EXPECT_EQ(report.filled, 1u) << "the failure is news";
  EXPECT_EQ(report.same, 2u);
  ASSERT_TRUE(mine[2].failure);
  EXPECT_EQ(mine[2].outcome->timeNs, 50);

  std::vector<Final> finals = uniteFinals({}, {comparison()}, theirs, mine);
  ASSERT_EQ(finals.size(), 1u);
  EXPECT_EQ(finals[0].winner, 1u);
  EXPECT_EQ(finals[0].finalists[1].trial, 1u);
  EXPECT_EQ(finals[0].finalists[2].trial, 2u);
  EXPECT_FALSE(finals[0].finalists[3].trial);
  Final own;
  own.winner = 0;
  finals = uniteFinals({own}, {comparison()}, theirs, mine);
  ASSERT_EQ(finals.size(), 1u);
  EXPECT_EQ(finals[0].winner, 0u);
  // Once more is no news.
  EXPECT_EQ(uniteTrials(mine, theirs).filled, 0u);
}

TEST(FinalTest, PruningKeepsTheWinner) {
  std::vector<Trial> trials = threeTrials();
  trials.push_back(trial(3, 60));
  trials[1].failure = failed(Status::Crashed, "");
  Final final = comparison();
  final.numTrials = 4;
  std::vector<Trial> kept = keepBest(trials, 1, {final});
  ASSERT_EQ(kept.size(), 3u);
  EXPECT_EQ(kept[1].configuration, "{\"x\":2}") << "the winner";
  EXPECT_EQ(kept[2].configuration, "{\"x\":3}") << "the fastest that works";
  std::vector<Final> finals = keepLast({Final(), final}, trials, kept);
  ASSERT_EQ(finals.size(), 1u);
  EXPECT_EQ(finals[0].winner, 1u);
  EXPECT_EQ(finals[0].numTrials, 3u) << "about all of them, as before";
  ASSERT_EQ(finals[0].finalists.size(), 3u) << "the one that failed is gone";
  // Trials came since: it is of others, and stays so.
  final.numTrials = 2;
  EXPECT_EQ(keepLast({final}, trials, kept)[0].numTrials, 2u);
}
