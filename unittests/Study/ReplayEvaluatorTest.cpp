//===- ReplayEvaluatorTest.cpp - Tests of replays -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The three kinds of files, each well-formed and broken.
//
//===----------------------------------------------------------------------===//

#include "baco/Study/ReplayEvaluator.h"

#include "../Database/TestHelpers.h"
#include "Fakes.h"

#include "baco/Database/Export.h"
#include "baco/Database/Files.h"
#include "baco/Database/Journal.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Support/Random.h"

#include <cmath>

using namespace baco;
using namespace baco::study;
using namespace baco::test;
using database::Journal;
using database::StudyJournal;
using database::Trial;

/// One parameter of each kind.
static Space mixedSpace() {
  Result<Space> space = Space::create(
      {*Parameter::permutation("order", 3),
       *Parameter::ordinal("tile", {int64_t(16), int64_t(32)}),
       *Parameter::categorical("isa", {std::string("avx2"), int64_t(0)}),
       *Parameter::boolean("pad"), *Parameter::real("ratio", 0, 1)});
  if (!space)
    ADD_FAILURE() << space.error().message;
  return *space;
}

static Configuration mixedPoint(Permutation order, int64_t tile,
                                ParameterValue isa, bool pad, double ratio) {
  return {order, tile, isa, pad, ratio};
}

/// Opens `text` as a file of the space; adds a failure if that doesn't work.
static std::unique_ptr<ReplayEvaluator> openText(const std::string &text,
                                                 const Space &space) {
  TemporaryFolder folder;
  EXPECT_TRUE(database::writeFileAtomically(folder.file("t"), text));
  auto replay = ReplayEvaluator::open(folder.file("t"), space);
  if (!replay) {
    ADD_FAILURE() << replay.error().message;
    return nullptr;
  }
  return std::move(*replay);
}

/// The message of opening `text`, without the file's name.
static std::string openError(const std::string &text, const Space &space) {
  TemporaryFolder folder;
  std::string path = folder.file("t");
  EXPECT_TRUE(database::writeFileAtomically(path, text));
  auto replay = ReplayEvaluator::open(path, space);
  if (replay)
    return "";
  std::string start = "cannot replay '" + path + "': ";
  std::string message = replay.error().message;
  EXPECT_TRUE(message.starts_with(start)) << message;
  return message.substr(std::min(start.size(), message.size()));
}

static Outcome lookUp(Evaluator &evaluator, const Configuration &c) {
  Result<void> submitted = evaluator.submit(0, c);
  if (!submitted) {
    ADD_FAILURE() << submitted.error().message;
    return {};
  }
  Result<Outcome> outcome = evaluator.wait(0);
  EXPECT_TRUE(outcome);
  return outcome ? *outcome : Outcome();
}

TEST(ReplayEvaluatorTest, TablesOfAllKindsOfParameters) {
  Space space = mixedSpace();
  auto replay = openText("order,tile,extra,isa,pad,ratio,time_ms,valid\n"
                         "\"(0, 2, 1)\",16,?,avx2,0,0.5,2.5,1\n"
                         "\"[2,1,0]\",32.0,?,0,True,1,,0\n"
                         "\"(0, 2, 1)\",16,?,avx2,0,0.5,99,1\n",
                         space);
  ASSERT_TRUE(replay);
  EXPECT_EQ(replay->size(), 2u);
  Outcome ok = lookUp(
      *replay, mixedPoint({0, 2, 1}, 16, std::string("avx2"), false, .5));
  EXPECT_EQ(ok.status, Status::Ok);
  EXPECT_EQ(ok.timeNs, 2.5e6) << "the first of two rows";
  EXPECT_EQ(ok.compileNs, 0);
  EXPECT_EQ(ok.runNs, 0);
  Outcome failed =
      lookUp(*replay, mixedPoint({2, 1, 0}, 32, int64_t(0), true, 1));
  EXPECT_EQ(failed.status, Status::Crashed);
  EXPECT_TRUE(std::isnan(failed.timeNs));
}

TEST(ReplayEvaluatorTest, UnitsAndStatuses) {
  Space space = smallSpace();
  const std::pair<const char *, double> units[] = {{"time", 3},
                                                   {"time_ns", 3},
                                                   {"time_us", 3e3},
                                                   {"time_ms", 3e6},
                                                   {"time_s", 3e9}};
  for (auto [name, expected] : units) {
    auto replay = openText(std::string("x,y,") + name +
                               ",status\n1,2,3,ok\n1,4,,timed-out\n",
                           space);
    ASSERT_TRUE(replay);
    EXPECT_EQ(lookUp(*replay, {int64_t(1), int64_t(2)}).timeNs, expected);
    EXPECT_EQ(lookUp(*replay, {int64_t(1), int64_t(4)}).status,
              Status::TimedOut);
  }
  // Without a status, a missing time says that it failed.
  auto replay = openText("x,y,time\n1,2,\n", space);
  ASSERT_TRUE(replay);
  EXPECT_EQ(lookUp(*replay, {int64_t(1), int64_t(2)}).status, Status::Crashed);
}

TEST(ReplayEvaluatorTest, ParametersMayHaveNamesOfOtherColumns) {
  std::vector<Parameter> parameters;
  for (const char *name : {"status", "valid", "kernel", "time"})
    parameters.push_back(*Parameter::ordinal(name, {int64_t(3), int64_t(5)}));
  Result<Space> space = Space::create(parameters);
  ASSERT_TRUE(space);
  auto replay =
      openText("status,valid,kernel,time,time_us\n3,5,+3,5,7\n", *space);
  ASSERT_TRUE(replay);
  Outcome outcome =
      lookUp(*replay, {int64_t(3), int64_t(5), int64_t(3), int64_t(5)});
  EXPECT_EQ(outcome.status, Status::Ok);
  EXPECT_EQ(outcome.timeNs, 7e3);
}

TEST(ReplayEvaluatorTest, RowsOutsideOfTheSpaceAreIgnored) {
  auto replay =
      openText("x,y,time\n77,2,5\n1,3,5\none,2,5\n1,2,5\n", smallSpace());
  ASSERT_TRUE(replay);
  EXPECT_EQ(replay->size(), 1u);
}

TEST(ReplayEvaluatorTest, BrokenTables) {
  Space space = smallSpace();
  EXPECT_EQ(openError("", space), "the file is empty");
  EXPECT_EQ(openError("x,time\n1,2\n", space),
            "the table has no column for the parameter 'y'");
  EXPECT_EQ(openError("x,y\n1,2\n", space),
            "the table has no column 'time_ns' ('time', 'time_us', 'time_ms' "
            "and 'time_s' are known too)");
  EXPECT_EQ(openError("x,y,time\n1,2,fast\n", space),
            "line 2: expected a time, not 'fast'");
  EXPECT_EQ(openError("x,y,time\n1,2,0\n", space),
            "line 2: expected a time, not '0': 'time_ns' must be 1e-06 to 1e18 "
            "where the status is ok, but is 0");
  EXPECT_EQ(openError("x,y,time\n1,2,1e999\n", space),
            "line 2: expected a time, not '1e999'");
  EXPECT_EQ(openError("x,y,time,valid\n1,2,1,maybe\n", space),
            "line 2: expected 0 or 1 under 'valid', not 'maybe'");
  EXPECT_EQ(openError("x,y,time,status\n1,2,1,fine\n", space),
            "line 2: unknown status 'fine'");
  EXPECT_EQ(openError("x,y,time\n", space),
            "no recorded configuration is in the space");
  EXPECT_EQ(openError("x,y,time\n1,2,1\nseven,2,1\n", space), "");
  EXPECT_EQ(openError("x,y,time\nseven,2,1\n", space),
            "no recorded configuration is in the space; line 2: parameter 'x' "
            "has no value 'seven'");
  EXPECT_EQ(openError("\x1f\x8b rest", space),
            "the file is compressed: unpack it with gunzip");
  EXPECT_EQ(openError("{\"x\":1}\n", space),
            "line 1: expected an object under 'configuration'");
}

TEST(ReplayEvaluatorTest, OrdersOfAnyForm) {
  Result<Space> one = Space::create({*Parameter::permutation("p", 1)});
  ASSERT_TRUE(one);
  for (const char *cell : {"\"(0,)\"", "(0)", "[0]", "\"( 0 )\""}) {
    auto replay = openText(std::string("p,time\n") + cell + ",1\n", *one);
    ASSERT_TRUE(replay) << cell;
    EXPECT_EQ(replay->size(), 1u);
  }
  Result<Space> three = Space::create({*Parameter::permutation("p", 3)});
  ASSERT_TRUE(three);
  for (const char *cell : {"()", "0", "(", "\"(0,1)\"", "\"(0,1,2\"",
                           "\"(0,1,x)\"", "\"(0,1,1)\"", "\"(0,1,2,)\""})
    EXPECT_NE(openError(std::string("p,time\n") + cell + ",1\n", *three), "")
        << cell;
}

static std::vector<Trial> someTrials() {
  return {
      {0, "{\"x\":1,\"y\":2}", "", okOutcome(5)},
      {1, "{\"x\":2,\"y\":4}", "", failedOutcome(Status::CompileFailed, "why")},
      {2, "{\"x\":3,\"y\":8}", "", {}}};
}

static void expectSomeTrials(ReplayEvaluator &replay) {
  EXPECT_EQ(replay.size(), 2u) << "pending trials have no outcome";
  Outcome ok = lookUp(replay, {int64_t(1), int64_t(2)});
  EXPECT_EQ(ok.timeNs, 5);
  EXPECT_EQ(ok.compileNs, 2e9);
  Outcome failed = lookUp(replay, {int64_t(2), int64_t(4)});
  EXPECT_EQ(failed.status, Status::CompileFailed);
  EXPECT_EQ(failed.message, "why");
}

TEST(ReplayEvaluatorTest, ExportsAndDatabases) {
  TemporaryFolder folder;
  Space space = smallSpace();
  std::vector<Trial> trials = someTrials();
  std::string text = folder.file("a.jsonl"), database = folder.file("a.db");
  ASSERT_TRUE(database::writeFileAtomically(text, writeTrialsJsonl(trials)));
  {
    Result<Journal> journal = Journal::open(database);
    ASSERT_TRUE(journal);
    Result<StudyJournal> writer =
        journal->openStudy({"k", "matmul", "{}", "{}", ""});
    ASSERT_TRUE(writer);
    for (const Trial &trial : trials) {
      ASSERT_TRUE(writer->recordAsk(trial));
      if (trial.outcome) {
        ASSERT_TRUE(writer->recordOutcome(trial.number, *trial.outcome));
      }
    }
    // While it is open for writing, too.
    auto during = ReplayEvaluator::open(database, space);
    ASSERT_TRUE(during) << during.error().message;
    expectSomeTrials(**during);
  }
  auto fromText = ReplayEvaluator::open(text, space);
  ASSERT_TRUE(fromText) << fromText.error().message;
  expectSomeTrials(**fromText);
  auto fromDatabase = ReplayEvaluator::open(database, space, "matmul");
  ASSERT_TRUE(fromDatabase) << fromDatabase.error().message;
  expectSomeTrials(**fromDatabase);
  EXPECT_EQ((*fromText)->fingerprint(), (*fromDatabase)->fingerprint());
}

TEST(ReplayEvaluatorTest, BrokenDatabases) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  ASSERT_TRUE(Journal::open(path));
  auto empty = ReplayEvaluator::open(path, smallSpace());
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().message,
            "cannot replay '" + path + "': it has no study");
  std::filesystem::resize_file(path, 5000);
  auto cut = ReplayEvaluator::open(path, smallSpace());
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ErrorCode::Corrupt);
  EXPECT_NE(cut.error().message.find("is damaged"), std::string::npos)
      << cut.error().message;
}

TEST(ReplayEvaluatorTest, DatabasesWithSeveralStudies) {
  TemporaryFolder folder;
  std::string path = folder.file("a.db");
  Space space = smallSpace();
  {
    Result<Journal> journal = Journal::open(path);
    ASSERT_TRUE(journal);
    auto add = [&](const std::string &name, const std::string &configuration,
                   double time) {
      Result<StudyJournal> writer =
          journal->openStudy({name + configuration, name, "{}", "{}", ""});
      ASSERT_TRUE(writer);
      ASSERT_TRUE(writer->recordAsk({0, configuration, "", {}}));
      ASSERT_TRUE(writer->recordOutcome(0, okOutcome(time)));
    };
    add("b", "{\"z\":1}", 1);
    EXPECT_FALSE(ReplayEvaluator::open(path, space));
    add("a", "{\"x\":1,\"y\":2}", 2);
    add("b", "{\"x\":1,\"y\":2}", 3);
    add("c", "{\"x\":77,\"y\":2}", 4);
  }
  auto b = ReplayEvaluator::open(path, space, "b");
  ASSERT_TRUE(b) << b.error().message;
  EXPECT_EQ(lookUp(**b, {int64_t(1), int64_t(2)}).timeNs, 3);
  auto any = ReplayEvaluator::open(path, space);
  ASSERT_TRUE(any) << any.error().message;
  EXPECT_EQ(lookUp(**any, {int64_t(1), int64_t(2)}).timeNs, 2);
  auto c = ReplayEvaluator::open(path, space, "c");
  ASSERT_FALSE(c);
  EXPECT_EQ(c.error().code, ErrorCode::InvalidArgument);
  EXPECT_TRUE(c.error().message.starts_with(
      "cannot replay '" + path +
      "': study 'c': trial 0 belongs to another space: parameter 'x'"))
      << c.error().message;
  auto none = ReplayEvaluator::open(path, space, "d");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message,
            "cannot replay '" + path +
                "': it has no study of the kernel 'd', but of 'b', 'a', 'b', "
                "'c'");
}

TEST(ReplayEvaluatorTest, OtherKernelsAreRefused) {
  TemporaryFolder folder;
  Space space = smallSpace();
  std::vector<Trial> trials = someTrials();
  std::string json = folder.file("a.jsonl"), csv = folder.file("a.csv");
  ASSERT_TRUE(
      database::writeFileAtomically(json, writeTrialsJsonl(trials, "matmul")));
  ASSERT_TRUE(
      database::writeFileAtomically(csv, *writeTrialsCsv(trials, "matmul")));
  for (const std::string &path : {json, csv}) {
    auto right = ReplayEvaluator::open(path, space, "matmul");
    ASSERT_TRUE(right) << right.error().message;
    expectSomeTrials(**right);
    EXPECT_TRUE(ReplayEvaluator::open(path, space)) << "any kernel";
    EXPECT_FALSE(ReplayEvaluator::open(path, space, "conv"));
  }
  EXPECT_EQ(ReplayEvaluator::open(json, space, "conv").error().message,
            "cannot replay '" + json +
                "': line 1: a trial of the kernel 'matmul', not of 'conv'");
  EXPECT_EQ(ReplayEvaluator::open(csv, space, "conv").error().message,
            "cannot replay '" + csv +
                "': line 2: an outcome of the kernel 'matmul', not of 'conv'");
}

TEST(ReplayEvaluatorTest, ExportsOfAnotherSpaceAreRefused) {
  TemporaryFolder folder;
  std::string path = folder.file("a.jsonl");
  std::vector<Trial> trials = someTrials();
  trials[1].configuration = "{\"x\":2,\"y\":5}";
  ASSERT_TRUE(database::writeFileAtomically(path, writeTrialsJsonl(trials)));
  auto replay = ReplayEvaluator::open(path, smallSpace());
  ASSERT_FALSE(replay);
  EXPECT_TRUE(replay.error().message.starts_with(
      "cannot replay '" + path + "': trial 1 belongs to another space: "))
      << replay.error().message;
}

/// Values of every kind, and outcomes with everything, through a table.
TEST(ReplayEvaluatorTest, TablesHoldWhatWasExported) {
  Result<Space> space =
      Space::create({*Parameter::real("r", 0, 1),
                     *Parameter::integer("i", -5, 5), *Parameter::boolean("b"),
                     *Parameter::categorical(
                         "c", {std::string("a,\"b\"\n"), std::string(" x "),
                               std::string(""), int64_t(1), 0.5, true}),
                     *Parameter::permutation("p", 3)});
  ASSERT_TRUE(space) << space.error().message;
  Random random(1, 2);
  std::vector<Trial> trials;
  for (uint64_t k = 0; k < 40; ++k) {
    Outcome outcome = k % 4 == 3
                          ? failedOutcome(Status::WrongResult, "a, \"b\"\n c ")
                          : okOutcome(1e9 * random.uniform());
    outcome.spread = random.uniform() / 3;
    trials.push_back({k,
                      writeConfiguration(*space, space->toConfiguration(
                                                     space->sample(random))),
                      "", outcome});
  }
  Result<std::string> table = writeTrialsCsv(trials, "k");
  ASSERT_TRUE(table) << table.error().message;
  auto replay = openText(*table, *space);
  ASSERT_TRUE(replay);
  ASSERT_EQ(replay->size(), 40u);
  std::vector<Trial> again = trials;
  for (Trial &trial : again)
    trial.outcome =
        lookUp(*replay, *readConfiguration(*space, trial.configuration));
  EXPECT_EQ(writeTrialsJsonl(again), writeTrialsJsonl(trials));
}

TEST(ReplayEvaluatorTest, MissingConfigurationsAndFiles) {
  TemporaryFolder folder;
  std::string path = folder.file("t.csv");
  ASSERT_TRUE(database::writeFileAtomically(path, "x,y,time\n1,2,5\n"));
  auto replay = ReplayEvaluator::open(path, smallSpace());
  ASSERT_TRUE(replay);
  Result<void> missing = (*replay)->submit(0, {int64_t(2), int64_t(8)});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
  EXPECT_EQ(missing.error().message,
            "no outcome of {\"x\":2,\"y\":8} is recorded in '" + path + "'");
  EXPECT_FALSE((*replay)->wait(0)) << "nothing was submitted";

  std::string none = folder.file("none");
  auto noFile = ReplayEvaluator::open(none, smallSpace());
  ASSERT_FALSE(noFile);
  EXPECT_EQ(noFile.error().message,
            "cannot read '" + none + "': No such file or directory");
}

TEST(ReplayEvaluatorTest, FingerprintFollowsTheContents) {
  Space space = smallSpace();
  auto a = openText("x,y,time\n1,2,5\n", space);
  auto b = openText("x,y,time\n1,2,5\n", space);
  auto c = openText("x,y,time\n1,2,6\n", space);
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(a->fingerprint(), b->fingerprint());
  EXPECT_NE(a->fingerprint(), c->fingerprint());
}
