//===- SandboxTest.cpp - Tests of a child's limits ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Sandbox.h"

#include <gtest/gtest.h>

#include <csignal>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;

TEST(SandboxTest, SeesItsAddressSpace) {
  uint64_t before = addressSpaceInUse();
  ASSERT_GT(before, 0u);
  size_t size = size_t{1} << 30;
  void *mapping = mmap(nullptr, size, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(mapping, MAP_FAILED);
  EXPECT_GE(addressSpaceInUse(), before + size);
  munmap(mapping, size);
}

TEST(SandboxTest, CountsThreads) {
  EXPECT_EQ(countThreads(), 1);
  std::thread other([] { EXPECT_EQ(countThreads(), 2); });
  other.join();
}

TEST(SandboxTest, ForgetsSignalsAndTimers) {
  // In a process of its own, whose signals are nobody else's.
  pid_t pid = fork();
  if (pid == 0) {
    std::signal(SIGTERM, SIG_IGN);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    itimerval soon{{0, 0}, {1000, 0}}, left{};
    setitimer(ITIMER_REAL, &soon, nullptr);
    resetSignals();
    getitimer(ITIMER_REAL, &left);
    if (left.it_value.tv_sec == 0)
      raise(SIGTERM);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}
