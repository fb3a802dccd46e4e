//===- RunCommandTest.cpp - Tests of runCommand ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Command/RunCommand.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

using namespace baco;
using namespace baco::command;

static CommandEnd run(const std::string &line, CommandLimits limits = {},
                      const std::function<bool()> &isStopped = nullptr) {
  Result<CommandEnd> end = runCommand(line, {}, limits, isStopped);
  EXPECT_TRUE(end) << end.error().message;
  return end ? *end : CommandEnd();
}

/// The number that a command has printed.
static pid_t pidIn(const CommandEnd &end) {
  return static_cast<pid_t>(std::stol(end.output));
}

/// Whether there is no such process, not even a zombie.
static bool isGone(pid_t process) { return kill(process, 0) != 0; }

TEST(RunCommandTest, ReportsHowACommandEnds) {
  CommandEnd end = run("echo out; echo err >&2; exit 3");
  EXPECT_EQ(end.kind, CommandEnd::Exited);
  EXPECT_EQ(end.code, 3);
  EXPECT_EQ(end.output, "out\n");
  EXPECT_EQ(end.errors, "err\n");
  EXPECT_GT(end.wallNs, 0);
  end = run("kill -SEGV $$");
  EXPECT_EQ(end.kind, CommandEnd::Signaled);
  EXPECT_EQ(end.code, SIGSEGV);
}

TEST(RunCommandTest, PassesTheEnvironmentOn) {
  setenv("BACO_TEST_OLD", "old", 1);
  Result<CommandEnd> end =
      runCommand("echo $BACO_TEST_OLD $BACO_TEST_NEW; cat",
                 {{"BACO_TEST_NEW", "a b"}, {"BACO_TEST_OLD", "new"}}, {});
  ASSERT_TRUE(end);
  EXPECT_EQ(end->output, "new a b\n");
}

TEST(RunCommandTest, TimeIsLimited) {
  CommandEnd end = run("sleep 600", {.timeoutMs = 50});
  EXPECT_EQ(end.kind, CommandEnd::TimedOut);
  EXPECT_LT(end.wallNs, 60e9);
}

TEST(RunCommandTest, NothingIsLeftBehind) {
  // A process that a command leaves, in a session of its own, once it is there.
  CommandEnd end = run("there=$(mktemp -u); export there; "
                       "setsid sh -c 'trap \"\" TERM HUP INT; echo $$; "
                       ">$there; exec sleep 600' & "
                       "until [ -e $there ]; do sleep 0.01; done; rm $there");
  EXPECT_EQ(end.kind, CommandEnd::Exited);
  EXPECT_TRUE(isGone(pidIn(end)));
  // Children that ignore the request to end.
  end =
      run("trap '' TERM; echo $$; sleep 600 & sleep 600", {.timeoutMs = 1000});
  EXPECT_EQ(end.kind, CommandEnd::TimedOut);
  EXPECT_TRUE(isGone(pidIn(end)));
}

TEST(RunCommandTest, AKilledSupervisorSaysNothingOfTheCommand) {
  CommandEnd end = run("kill -9 $PPID; sleep 600");
  EXPECT_EQ(end.kind, CommandEnd::Stopped);
}

TEST(RunCommandTest, OutputIsLimited) {
  CommandEnd end = run("yes", {.maxOutputBytes = 1 << 20});
  EXPECT_EQ(end.kind, CommandEnd::TooMuchOutput);
  EXPECT_LE(end.output.size(), maxKeptBytes);
  // The last part is kept.
  end = run("head -c 3000000 /dev/zero; echo; echo last");
  EXPECT_EQ(end.kind, CommandEnd::Exited);
  EXPECT_TRUE(end.output.ends_with("\nlast\n"));
  EXPECT_LE(end.output.size(), maxKeptBytes);
}

TEST(RunCommandTest, ACallerGivesUp) {
  std::atomic<bool> isStopped = false;
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    isStopped = true;
  });
  CommandEnd end = run("sleep 600", {}, [&] { return isStopped.load(); });
  stopper.join();
  EXPECT_EQ(end.kind, CommandEnd::Stopped);
}

TEST(RunCommandTest, ThreadsRunCommandsSideBySide) {
  std::vector<std::thread> threads;
  std::atomic<int> sum = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&sum, i] {
      for (int j = 0; j < 10; ++j) {
        CommandEnd end = run("echo " + std::to_string(i));
        sum += end.output == std::to_string(i) + "\n";
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(sum, 80);
}

TEST(RunCommandTest, ClosedOutputsAreNoTrouble) {
  CommandEnd end = run("exec >&- 2>&-; sleep 0.05; exit 7");
  EXPECT_EQ(end.kind, CommandEnd::Exited);
  EXPECT_EQ(end.code, 7);
}
