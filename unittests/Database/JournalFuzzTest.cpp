//===- JournalFuzzTest.cpp - Tests of damaged databases -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Databases with flipped bytes, cut ends, zeroed pages and values that nobody
// wrote. Each is refused, and then left as it was with all files beside it, or
// is taken, and then holds what can be true. BACO_FUZZ says how many to try.
//
//===----------------------------------------------------------------------===//

#include "baco/Database/Export.h"
#include "baco/Database/Journal.h"

#include "TestHelpers.h"

#include <cmath>
#include <fstream>
#include <map>
#include <random>

#include <gtest/gtest.h>
#include <sqlite3.h>

using namespace baco;
using namespace baco::database;
using baco::test::TemporaryFolder;

using Files = std::map<std::string, std::string>;

/// The database and its log. The index of the log is SQLite's scratch space,
/// which every reader makes anew.
static Files readFiles(const TemporaryFolder &folder) {
  Files files;
  for (const auto &entry : std::filesystem::directory_iterator(folder.path())) {
    if (entry.path().string().ends_with("-shm"))
      continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    files[entry.path().filename()] = {std::istreambuf_iterator<char>(stream),
                                      {}};
  }
  return files;
}

static void writeFiles(const TemporaryFolder &folder, const Files &files) {
  for (const auto &entry : std::filesystem::directory_iterator(folder.path()))
    std::filesystem::remove(entry.path());
  for (const auto &[name, bytes] : files)
    std::ofstream(folder.file(name), std::ios::binary) << bytes;
}

static Outcome outcomeOf(uint64_t trial) {
  Outcome outcome;
  outcome.status = trial % 4 == 3 ? Status::WrongResult : Status::Ok;
  outcome.timeNs = outcome.status == Status::Ok ? 100.0 + double(trial)
                                                : std::nan("");
  outcome.spread = 0.25;
  outcome.numSamples = 12;
  outcome.compileNs = 2e7;
  outcome.runNs = 5e7;
  outcome.message = outcome.status == Status::Ok ? "" : "differs at [3]";
  return outcome;
}

/// A database with two studies; with its log if it isn't closed.
static Files makeFiles(bool isClosed) {
  TemporaryFolder folder;
  Files files;
  Result<Journal> journal = Journal::open(folder.file("a.db"));
  EXPECT_TRUE(journal) << journal.error().message;
  for (const char *key : {"first", "second"}) {
    Result<StudyJournal> writer =
        journal->openStudy({key, "matmul", "{\"parameters\":[]}", "{}"});
    EXPECT_TRUE(writer) << writer.error().message;
    for (uint64_t i = 0; i < 40; ++i) {
      EXPECT_TRUE(writer->recordAsk(
          {i, "{\"MC\":" + std::to_string(i) + "}", "state", std::nullopt}));
      if (i < 38)
        EXPECT_TRUE(writer->recordOutcome(i, outcomeOf(i)));
    }
  }
  if (!isClosed)
    return readFiles(folder);
  journal = Journal::open(folder.file("b.db"));
  std::filesystem::remove(folder.file("b.db"));
  Files all = readFiles(folder);
  return {{"a.db", all["a.db"]}};
}

/// What is stored, as text; an error is one, too.
static Result<std::string> readAll(const std::string &path) {
  Result<Journal> journal = Journal::open(path);
  if (!journal)
    return journal.error();
  std::string text;
  for (const char *key : {"first", "second"}) {
    Result<std::vector<Trial>> trials = journal->trials(key);
    if (!trials)
      return trials.error();
    text += writeTrialsJsonl(*trials);
    for (const Trial &trial : *trials)
      if (trial.outcome && trial.outcome->status == Status::Ok)
        EXPECT_TRUE(trial.outcome->timeNs >= 1e-6 &&
                    trial.outcome->timeNs <= 1e18);
  }
  return text;
}

namespace {
class JournalFuzzTest : public testing::Test {
protected:
  /// Opens what is in the folder; whether it was refused.
  bool isRefused(const std::string &what) {
    Files before = readFiles(folder);
    Result<std::string> read = readAll(folder.file("a.db"));
    if (read) {
      ++numTaken;
      return false;
    }
    EXPECT_EQ(read.error().message.find('\n'), std::string::npos) << what;
    // What is locked or missing isn't refused, and other files aren't ours.
    if (read.error().code == ErrorCode::Corrupt ||
        read.error().code == ErrorCode::Unsupported)
      EXPECT_TRUE(readFiles(folder) == before)
          << what << ": " << read.error().message;
    return true;
  }

  static int numRounds() {
    const char *given = std::getenv("BACO_FUZZ");
    return given ? std::atoi(given) : 100;
  }

  TemporaryFolder folder;
  int numTaken = 0;
};
} // namespace

TEST_F(JournalFuzzTest, DamagedBytes) {
  std::mt19937_64 random(1);
  for (bool isClosed : {true, false}) {
    const Files files = makeFiles(isClosed);
    writeFiles(folder, files);
    ASSERT_FALSE(isRefused("what is whole"));
    for (int round = 0; round < numRounds(); ++round) {
      Files damaged = files;
      auto victim = std::next(damaged.begin(), random() % damaged.size());
      std::string &bytes = victim->second;
      std::string what = victim->first + " " + std::to_string(round);
      switch (random() % 4) {
      case 0:
        bytes.resize(random() % bytes.size());
        break;
      case 1: {
        size_t begin = random() % bytes.size();
        size_t length = std::min<size_t>(bytes.size() - begin, 512);
        bytes.replace(begin, length, std::string(length, '\0'));
        break;
      }
      default:
        for (uint64_t flips = 1 + random() % 8; flips > 0; --flips)
          bytes[random() % bytes.size()] ^=
              static_cast<char>(1 << random() % 8);
      }
      writeFiles(folder, damaged);
      isRefused(what);
    }
  }
}

TEST_F(JournalFuzzTest, AlteredValues) {
  static const char *const columns[] = {
      "number",  "configuration", "state",  "status", "time_ns", "spread",
      "samples", "compile_ns",    "run_ns", "message"};
  static const char *const values[] = {
      "NULL",  "-1",   "0",    "1e-300", "9e999",         "'ok'",
      "'odd'", "'{}'", "'[]'", "'{'",    "zeroblob(100)", "'{\"MC\":null}'"};
  std::mt19937_64 random(2);
  const Files files = makeFiles(/*isClosed=*/true);
  for (int round = 0; round < numRounds(); ++round) {
    writeFiles(folder, files);
    sqlite3 *handle = nullptr;
    ASSERT_EQ(sqlite3_open(folder.file("a.db").c_str(), &handle), SQLITE_OK);
    std::string sql =
        std::string("PRAGMA journal_mode = DELETE; PRAGMA "
                    "ignore_check_constraints = 1; UPDATE trials SET ") +
        columns[random() % std::size(columns)] + " = " +
        values[random() % std::size(values)] +
        " WHERE number = " + std::to_string(random() % 40);
    // A table refuses what it can't hold, which is as good.
    sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr);
    sqlite3_close(handle);
    isRefused(sql);
  }
  // Messages, states, and values that are as they were.
  EXPECT_GT(numTaken, 0);
}
