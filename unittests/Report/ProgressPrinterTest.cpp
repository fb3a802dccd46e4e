//===- ProgressPrinterTest.cpp - Tests of live progress -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Texts written by hand, on a terminal and off it.
//
//===----------------------------------------------------------------------===//

#include "baco/Report/ProgressPrinter.h"

#include <cstdlib>
#include <sstream>

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::report;

static Progress twelveOfSixty() {
  Progress progress;
  progress.evaluations = 12;
  progress.budget = 60;
  progress.counts[static_cast<size_t>(Status::Ok)] = 9;
  progress.counts[static_cast<size_t>(Status::CompileFailed)] = 2;
  progress.counts[static_cast<size_t>(Status::TimedOut)] = 1;
  progress.bestTimeNs = 2.1e6;
  progress.defaultTimeNs = 3.402e6;
  progress.isNewBest = true;
  progress.elapsedSeconds = 4;
  progress.leftSeconds = 16;
  return progress;
}

static const std::string fullLine =
    "matmul  12/60  best so far 2.10 ms (1.62x over default, unconfirmed)  3 "
    "failed (2 compile-failed, 1 timed-out)  4.0 s, 16 s left";

TEST(ProgressTest, FailuresByKind) {
  EXPECT_EQ(describeFailures({}), "");
  EXPECT_EQ(describeFailures(twelveOfSixty().counts),
            "3 failed (2 compile-failed, 1 timed-out)");
  EXPECT_EQ(numFailures(twelveOfSixty().counts), 3u);
}

TEST(ProgressPrinterTest, AnEarlierBudgetMayHaveBeenLarger) {
  std::ostringstream stream;
  ProgressPrinter printer(stream, "k", /*isTerminal=*/true, 200);
  Progress progress;
  progress.evaluations = 3;
  progress.budget = 2;
  printer.update(progress);
  EXPECT_EQ(stream.str(), "\r\x1b[Kk  3/3  0.0 s");
}

TEST(ProgressPrinterTest, CostsAreNotTimes) {
  std::ostringstream stream;
  ProgressPrinter printer(stream, "k", /*isTerminal=*/false, 200);
  Progress progress = twelveOfSixty();
  progress.unit = CostUnit::Cycles;
  printer.update(progress);
  EXPECT_NE(stream.str().find("best so far 2100000 cycles (1.62x over default, "
                              "static cost, not a time)"),
            std::string::npos)
      << stream.str();
}

/// The row of blocks falls with the incumbent, where the terminal has blocks.
TEST(ProgressPrinterTest, TerminalsShowTheCourse) {
  setenv("LC_ALL", "C.UTF-8", 1);
  std::ostringstream stream;
  ProgressPrinter printer(stream, "k", /*isTerminal=*/true, 200);
  Progress progress;
  // Powers of two are equal steps.
  for (double best : {128e6, 64e6, 64e6, 16e6, 1e6}) {
    ++progress.evaluations;
    progress.bestTimeNs = best;
    printer.update(progress);
  }
  auto has = [&](const char *text) {
    return stream.str().find(text) != std::string::npos;
  };
  EXPECT_TRUE(has("k  1  best so far 128 ms")) << stream.str();
  EXPECT_TRUE(has("k  2  █▁  best so far 64.0 ms")) << stream.str();
  EXPECT_TRUE(has("k  5  █▇▇▅▁  best so far 1.00 ms")) << stream.str();
  setenv("LC_ALL", "C", 1);
  stream.str("");
  printer.update(progress);
  EXPECT_TRUE(has("k  5  best so far 1.00 ms")) << stream.str();
  unsetenv("LC_ALL");
}

TEST(ProgressPrinterTest, EventsAreLinesOfJson) {
  auto events = std::make_shared<std::ostringstream>();
  ProgressPrinter printer("k\"1", {.isQuiet = true, .json = events});
  printer.announce("finals", "round 1");
  printer.update(twelveOfSixty());
  EXPECT_EQ(
      events->str(),
      R"({"event":"phase","name":"k\"1","phase":"finals","place":"round 1"}
{"event":"evaluation","name":"k\"1","evaluations":12,"budget":60,"failures":{"compile-failed":2,"timed-out":1},"best":2100000.0,"default":3402000.0,"unit":"ns","new_best":true,"elapsed_seconds":4.0,"left_seconds":16.0}
)");
}

TEST(ProgressPrinterTest, AnnouncesWhatComesBefore) {
  std::ostringstream terminal, log;
  ProgressPrinter(terminal, "k", /*isTerminal=*/true, 200).announce("a test");
  EXPECT_EQ(terminal.str(), "\r\x1b[Kk  a test\r\x1b[K");
  ProgressPrinter(log, "k", /*isTerminal=*/false).announce("a test");
  EXPECT_EQ(log.str(), "k  a test\n");
}

TEST(ProgressPrinterTest, OnlyTerminalsShowThePlace) {
  std::ostringstream terminal, log;
  {
    ProgressPrinter printer(terminal, "k", /*isTerminal=*/true, 200);
    printer.announce("finals", "round 1");
  }
  EXPECT_EQ(terminal.str(), "\r\x1b[Kk  finals, round 1\r\x1b[K");
  ProgressPrinter printer(log, "k", /*isTerminal=*/false);
  printer.announce("finals", "round 1");
  printer.announce("finals", "round 2");
  EXPECT_EQ(log.str(), "k  finals\n");
}

TEST(ProgressPrinterTest, LogsOmitIntermediateProgress) {
  std::ostringstream stream;
  ProgressPrinter printer(stream, "k", /*isTerminal=*/false, 200);
  Progress progress;
  progress.evaluations = 1;
  progress.isNewBest = true;
  printer.announce("waiting");
  printer.announce("waiting");
  printer.update(progress);
  printer.announce("waiting");
  printer.announce("a test");
  printer.announce("waiting");
  EXPECT_EQ(stream.str(), "k  waiting\nk  1  0.0 s\nk  waiting\nk  a test\n"
                          "k  waiting\n");
}

TEST(ProgressPrinterTest, WithoutALimit) {
  std::ostringstream stream;
  ProgressPrinter printer(stream, "matmul", /*isTerminal=*/false, 200);
  Progress progress;
  progress.evaluations = 12;
  progress.isNewBest = true;
  progress.elapsedSeconds = 4;
  printer.update(progress);
  EXPECT_EQ(stream.str(), "matmul  12  4.0 s\n");
}

TEST(ProgressPrinterTest, TerminalRewritesOneLine) {
  std::ostringstream stream;
  {
    ProgressPrinter printer(stream, "matmul", /*isTerminal=*/true, 200);
    Progress start;
    start.budget = 60;
    printer.update(start);
    EXPECT_EQ(stream.str(), "\r\x1b[Kmatmul  0/60  0.0 s");
    stream.str("");
    printer.update(twelveOfSixty());
    EXPECT_EQ(stream.str(), "\r\x1b[K" + fullLine);
    stream.str("");
    printer.clear();
    EXPECT_EQ(stream.str(), "\r\x1b[K");
    stream.str("");
    printer.clear();
    EXPECT_EQ(stream.str(), "") << "nothing left to clear";
    printer.update(start);
    stream.str("");
  }
  EXPECT_EQ(stream.str(), "\r\x1b[K") << "cleared at the end";
}

TEST(ProgressPrinterTest, TerminalLineIsTruncated) {
  for (unsigned width : {0u, 1u, 2u, 10u, 80u}) {
    std::ostringstream stream;
    ProgressPrinter printer(stream, "matmul", /*isTerminal=*/true, width);
    printer.update(twelveOfSixty());
    size_t columns = width == 0 ? 0 : width - 1;
    EXPECT_EQ(stream.str(), "\r\x1b[K" + fullLine.substr(0, columns));
  }
  // An e with an accent is two bytes but one column.
  std::ostringstream stream;
  ProgressPrinter printer(stream, "\xC3\xA9\xC3\xA9\xC3\xA9", true, 3);
  printer.update(twelveOfSixty());
  EXPECT_EQ(stream.str(), "\r\x1b[K\xC3\xA9\xC3\xA9");
}

TEST(ProgressPrinterTest, PlainLinesForNewsAndTenths) {
  std::ostringstream stream;
  ProgressPrinter printer(stream, "k", /*isTerminal=*/false);
  Progress progress;
  progress.budget = 30;
  std::vector<uint64_t> printed;
  for (uint64_t i = 0; i <= 30; ++i) {
    stream.str("");
    progress.evaluations = i;
    progress.isNewBest = i == 1 || i == 17;
    if (progress.isNewBest)
      progress.bestTimeNs = 100.0 / static_cast<double>(i);
    printer.update(progress);
    if (!stream.str().empty())
      printed.push_back(i);
    if (i == 17) {
      EXPECT_EQ(stream.str(),
                "k  17/30  best so far 5.88 ns (unconfirmed)  0.0 s\n");
    }
  }
  EXPECT_EQ(printed, (std::vector<uint64_t>{1, 3, 6, 9, 12, 15, 17, 18, 21, 24,
                                            27, 30}));
}

TEST(ProgressPrinterTest, HostileNames) {
  std::ostringstream stream;
  ProgressPrinter printer(stream, "a\x1b[2J\n", /*isTerminal=*/false);
  Progress progress;
  progress.isNewBest = true;
  printer.update(progress);
  EXPECT_EQ(stream.str(), "a?[2J?  0  0.0 s\n");
}
