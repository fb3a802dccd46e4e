//===- EntryTimesTest.cpp - Tests of times of entries ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/EntryTimes.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace baco;
using namespace baco::driver;
using Interval = std::pair<double, double>;

static EntryTimes someTimes() {
  EntryTimes times;
  times.machine.cpu = "znver5";
  times.machine.isa = "x86-64-v4";
  times.machine.host = "l1=1";
  times.versions = {"1.0", "22", 3};
  EntryTime tuned;
  tuned.function = "f \"quoted\"";
  tuned.fingerprint = "abc";
  tuned.configuration = R"({"U":2})";
  tuned.timeNs = 100.25;
  tuned.defaultNs = 140;
  tuned.speedup = {1.4, Interval(1.3, 1.5)};
  EntryTime plain;
  plain.function = "g";
  plain.fingerprint = "def";
  plain.kept = Kept::Plain;
  plain.plainNs = 7;
  plain.speedupOverPlain = {1, std::nullopt};
  times.entries = {tuned, plain};
  times.programs = {{"main", 12.5, std::nullopt}};
  return times;
}

TEST(EntryTimesTest, ReadsWhatItHasWritten) {
  std::string text = writeEntryTimes(someTimes());
  Result<EntryTimes> read = readEntryTimes(text, "x.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(writeEntryTimes(*read), text);
  ASSERT_EQ(read->entries.size(), 2u);
  EXPECT_EQ(read->entries[0].function, "f \"quoted\"");
  EXPECT_EQ(read->entries[0].speedup->interval, Interval(1.3, 1.5));
  EXPECT_EQ(read->entries[0].plainNs, std::nullopt);
  EXPECT_EQ(read->entries[1].kept, Kept::Plain);
  EXPECT_EQ(read->programs.front().timeNs, 12.5);
  EXPECT_EQ(read->programs.front().plainNs, std::nullopt);
  EXPECT_EQ(read->entries[1].speedupOverPlain->interval, std::nullopt);
}

TEST(EntryTimesTest, NamesWhatIsWrong) {
  auto errorOf = [](const std::string &from, const std::string &to) {
    std::string text = writeEntryTimes(someTimes());
    text.replace(text.find(from), from.size(), to);
    Result<EntryTimes> read = readEntryTimes(text, "x.json");
    return read ? std::string("none") : read.error().message;
  };
  std::string start = "'x.json' is no file of --remeasure: ";
  EXPECT_EQ(errorOf(R"("version": 1)", R"("version": 2)"),
            start + "written by another version of baco at times.version");
  EXPECT_EQ(errorOf("100.25", R"("fast")"),
            start + "expected number at times.entries[0].time_ns");
  EXPECT_EQ(errorOf(R"("plain",)", R"("best",)"),
            start +
                "expected tuned, default or plain at times.entries[1].outcome");
  const std::string interval =
      start + "expected two positive numbers, the smaller one first, and a "
              "ratio at times.entries[0].speedup_interval";
  for (const char *wrong : {"1.5, 2", "1.2", "-1.5", "1e999"})
    EXPECT_EQ(errorOf("1.5", wrong), interval);
  EXPECT_EQ(errorOf(R"("speedup_over_plain": 1)", R"("speedup_over_plain": 0)"),
            start + "expected a positive number at "
                    "times.entries[1].speedup_over_plain");
  EXPECT_EQ(errorOf("140", "-140"),
            start +
                "expected a positive number at times.entries[0].default_ns");
  EXPECT_EQ(errorOf(R"("entries")", R"("others")"),
            start + "expected array at times.entries");
}

namespace {
/// Checks one entry, of `someTimes`, against its time.
class CheckEntryTimes : public ::testing::Test {
protected:
  /// The first error; empty if there is none.
  std::string check(Interval known) {
    apply::Entry entry;
    entry.key = {times.entries[0].function, times.entries[0].fingerprint, ""};
    entry.kept = Kept::Tuned;
    entry.machine = times.machine;
    entry.versions = times.versions;
    entry.evidence.configuration = R"({"U":2})";
    entry.evidence.speedup = 1.6;
    entry.evidence.interval = known;
    mlir::MLIRContext context;
    std::string error;
    mlir::ScopedDiagnosticHandler handler(&context,
                                          [&](mlir::Diagnostic &diagnostic) {
                                            error = diagnostic.str();
                                            return mlir::success();
                                          });
    apply::Applied applied;
    applied.used.push_back(
        {"f", mlir::UnknownLoc::get(&context), entry, "lock.mlir"});
    bool isGood = succeeded(checkEntryTimes(applied, times, "x.json"));
    EXPECT_EQ(isGood, error.empty());
    return error;
  }

  EntryTimes times = someTimes();
};
} // namespace

TEST_F(CheckEntryTimes, IntervalsThatMeetAreNoLoss) {
  EXPECT_EQ(check({1.5, 1.7}), "");
  EXPECT_EQ(check({1.2, 1.7}), "");
  // It has become faster.
  EXPECT_EQ(check({1.01, 1.02}), "");
}

TEST_F(CheckEntryTimes, IntervalBelowThatOfTheEntryIsALoss) {
  EXPECT_EQ(check({1.51, 1.7}),
            "'f' has become slower: measured anew it is 1.40x over the default "
            "(1.30x to 1.50x), and its entry says 1.60x over the default "
            "(1.51x to 1.70x); tune it again");
}

TEST_F(CheckEntryTimes, SlowerThanTheDefaultIsALoss) {
  times.entries[0].speedup = {0.5, Interval(0.4, 0.6)};
  EXPECT_EQ(check({0.5, 1.7}),
            "'f' is slower than the default: measured anew it is 0.50x over "
            "the default (0.40x to 0.60x); tune it again");
}

TEST_F(CheckEntryTimes, TimesWithoutTheIntervalThatTheEntryHasAreIncomplete) {
  const char *incomplete =
      "'f' has no interval of its speed-up over the default in x.json, and its "
      "entry has one; run --remeasure again, or tune it again";
  times.entries[0].speedup = {1.6, std::nullopt};
  EXPECT_EQ(check({1.5, 1.7}), incomplete);
  times.entries[0].speedup.reset();
  EXPECT_EQ(check({1.5, 1.7}), incomplete);
}

TEST_F(CheckEntryTimes, RatioToPlainWithoutIntervalProvesNothing) {
  times.entries[0].speedupOverPlain = {0.5, std::nullopt};
  EXPECT_EQ(check({1.2, 1.7}), "");
}

TEST(EntryTimesTest, OneEntryForEachFunction) {
  EntryTimes times = someTimes();
  times.entries.push_back(times.entries[0]);
  Result<EntryTimes> read = readEntryTimes(writeEntryTimes(times), "x.json");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message,
            "'x.json' is no file of --remeasure: there is an entry of this "
            "function before at times.entries[2]");
}

TEST_F(CheckEntryTimes, TimesOfAnotherScheduleDoNotCount) {
  times.entries[0].configuration = R"({"U":4})";
  EXPECT_EQ(check({1.5, 1.7}),
            "'f' has times of another schedule in x.json; run --remeasure "
            "again");
}
