//===- CpuLeaseTest.cpp - Tests of the lease of a CPU ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/CpuLease.h"

#include "baco/Protocol/Clock.h"

#include <gtest/gtest.h>

#include <csignal>
#include <list>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace baco::runtime;

/// A CPU that no machine has, and no other run of this test means.
static int freeCpu() {
  static int next = 1000000 + getpid() * 16;
  return next++;
}

/// Waits until the lease is had, as the worker's loop does.
static bool waitFor(CpuLease &lease) {
  for (int64_t deadlineNs = nowNs() + 60'000'000'000; nowNs() < deadlineNs;) {
    if (lease.acquire())
      return true;
    pollfd entry{lease.descriptor(), POLLIN, 0};
    poll(&entry, 1, 1);
  }
  return false;
}

TEST(CpuLeaseTest, ThereIsOneForEachCpu) {
  int cpu = freeCpu();
  CpuLease first(cpu), second(cpu), elsewhere(freeCpu());
  EXPECT_TRUE(first.acquire());
  EXPECT_TRUE(first.acquire());
  EXPECT_FALSE(second.acquire());
  EXPECT_TRUE(second.isWaiting());
  EXPECT_TRUE(elsewhere.acquire());
  EXPECT_EQ(second.holder(), "process " + std::to_string(getpid()));
}

TEST(CpuLeaseTest, WaitingWorkersAreWokenUp) {
  int cpu = freeCpu();
  CpuLease first(cpu), second(cpu);
  ASSERT_TRUE(first.acquire());
  ASSERT_FALSE(second.acquire());
  pollfd entry{second.descriptor(), POLLIN, 0};
  EXPECT_EQ(poll(&entry, 1, 0), 0);
  first.release();
  EXPECT_EQ(poll(&entry, 1, 10000), 1);
  EXPECT_TRUE(second.acquire());
  EXPECT_FALSE(second.isWaiting());
}

TEST(CpuLeaseTest, WaitingWorkersComeFirst) {
  int cpu = freeCpu();
  CpuLease first(cpu), second(cpu);
  ASSERT_TRUE(first.acquire());
  ASSERT_FALSE(second.acquire());
  first.release();
  // Were it free at once for the one who had it, nobody else ever got it.
  EXPECT_FALSE(first.acquire());
  EXPECT_TRUE(second.acquire());
  second.release();
  EXPECT_TRUE(waitFor(first));
}

TEST(CpuLeaseTest, ItGoesRoundInTheOrderOfAsking) {
  int cpu = freeCpu();
  std::list<CpuLease> workers;
  for (int i = 0; i < 8; ++i)
    workers.emplace_back(cpu);
  for (CpuLease &worker : workers)
    EXPECT_EQ(worker.acquire(), &worker == &workers.front());
  for (int round = 0; round < 3; ++round)
    for (auto holder = workers.begin(); holder != workers.end(); ++holder) {
      ASSERT_TRUE(holder->isHeld());
      holder->release();
      auto next = std::next(holder) == workers.end() ? workers.begin()
                                                     : std::next(holder);
      // Who had it asks again at once, and the last ones try first.
      for (auto worker = workers.rbegin(); worker != workers.rend(); ++worker)
        EXPECT_EQ(worker->acquire(), &*worker == &*next);
    }
}

TEST(CpuLeaseTest, WhoGaveUpOrDiedIsPassedOver) {
  int cpu = freeCpu();
  CpuLease first(cpu), gaveUp(cpu), last(cpu);
  ASSERT_TRUE(first.acquire());
  ASSERT_FALSE(gaveUp.acquire());
  int pipes[2];
  ASSERT_EQ(pipe(pipes), 0);
  pid_t died = fork();
  if (died == 0) {
    CpuLease waiting(cpu);
    char answer = waiting.acquire() ? 'y' : 'n';
    _exit(write(pipes[1], &answer, 1) == 1 ? 0 : 1);
  }
  char answer = 0;
  ASSERT_EQ(read(pipes[0], &answer, 1), 1);
  EXPECT_EQ(answer, 'n');
  waitpid(died, nullptr, 0);
  ASSERT_FALSE(last.acquire());
  gaveUp.release();
  first.release();
  EXPECT_FALSE(first.acquire());
  EXPECT_TRUE(last.acquire());
  last.release();
  EXPECT_TRUE(waitFor(first));
  close(pipes[0]);
  close(pipes[1]);
}

TEST(CpuLeaseTest, WhoIsStoppedIsPassedOver) {
  int cpu = freeCpu();
  CpuLease first(cpu), last(cpu);
  ASSERT_TRUE(first.acquire());
  pid_t stopped = fork();
  if (stopped == 0) {
    CpuLease waiting(cpu);
    // The copy that it has got by the fork.
    first.release();
    waiting.acquire();
    raise(SIGSTOP);
    _exit(waitFor(waiting) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(stopped, &status, WUNTRACED), stopped);
  ASSERT_TRUE(WIFSTOPPED(status));
  ASSERT_FALSE(last.acquire());
  first.release();
  EXPECT_TRUE(last.acquire());
  last.release();
  kill(stopped, SIGCONT);
  ASSERT_EQ(waitpid(stopped, &status, 0), stopped);
  EXPECT_EQ(status, 0);
}

TEST(CpuLeaseTest, WhoGivesUpPassesOnWhatHasCome) {
  int cpu = freeCpu();
  CpuLease first(cpu), second(cpu), third(cpu);
  ASSERT_TRUE(first.acquire());
  ASSERT_FALSE(second.acquire());
  ASSERT_FALSE(third.acquire());
  first.release();
  second.release();
  EXPECT_TRUE(third.acquire());
  EXPECT_FALSE(second.isHeld());
}

TEST(CpuLeaseTest, WithoutOthersItIsFreeAtOnce) {
  int cpu = freeCpu();
  CpuLease first(cpu);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(first.acquire());
    first.release();
    EXPECT_FALSE(first.isHeld());
  }
}

TEST(CpuLeaseTest, TheEndOfItsHolderFreesIt) {
  int cpu = freeCpu();
  int pipes[2];
  ASSERT_EQ(pipe(pipes), 0);
  pid_t holder = fork();
  if (holder == 0) {
    CpuLease held(cpu);
    char answer = held.acquire() ? 'y' : 'n';
    if (write(pipes[1], &answer, 1) == 1)
      pause();
    _exit(1);
  }
  char answer = 0;
  ASSERT_EQ(read(pipes[0], &answer, 1), 1);
  ASSERT_EQ(answer, 'y');
  CpuLease lease(cpu);
  EXPECT_FALSE(lease.acquire());
  EXPECT_EQ(lease.holder(), "process " + std::to_string(holder));
  kill(holder, SIGKILL);
  EXPECT_TRUE(waitFor(lease));
  waitpid(holder, nullptr, 0);
  close(pipes[0]);
  close(pipes[1]);
}
