//===- WorkerDeathTest.cpp - Tests of dead workers and coordinators -------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkerFixture.h"

#include <csignal>
#include <fstream>
#include <poll.h>
#include <set>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace baco;
using namespace baco::measure;
using namespace baco::test;

using WorkerDeathTest = WorkerTest;

TEST_F(WorkerDeathTest, ADeadWorkerIsReplaced) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  pid_t first = worker->pid();
  ASSERT_TRUE(worker->submit(1, "compile-hang"));
  kill(first, SIGKILL);
  Result<Outcome> outcome = worker->wait(1);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, Status::Lost);
  EXPECT_EQ(outcome->message, "the worker died of SIGKILL");
  EXPECT_EQ(evaluate(*worker, "good").status, Status::Ok);
  EXPECT_NE(worker->pid(), first);

  kill(worker->pid(), SIGKILL);
  auto compared = worker->compare({"good"});
  ASSERT_TRUE(compared);
  EXPECT_EQ(compared->front().outcome.status, Status::Lost);
  EXPECT_EQ(worker->compare({"good"})->front().outcome.status, Status::Ok);
}

/// The end of a process that nobody has waited for wakes up its worker, again
/// and again.
TEST_F(WorkerDeathTest, ADeviceProcessThatDiesIdleIsReapedAndReplaced) {
  WorkerOptions options = makeOptions();
  options.text = std::string("device=") + BACO_FAKE_CUDA;
  auto worker = startWorker(options);
  ASSERT_TRUE(worker);
  EXPECT_NE(worker->ready().device, "");
  auto findDevice = [&] {
    EXPECT_TRUE(areLeft(2));
    std::vector<pid_t> processes = findWorkers();
    std::erase(processes, worker->pid());
    return processes.size() == 1 ? processes.front() : -1;
  };
  pid_t device = findDevice();
  ASSERT_GT(device, 0);
  kill(device, SIGKILL);
  // The worker has nothing else to do. A dead child that isn't waited for
  // exists.
  for (int i = 0; kill(device, 0) == 0; ++i) {
    ASSERT_LT(i, 10000);
    poll(nullptr, 0, 1);
  }
  EXPECT_EQ(evaluate(*worker, "good").status, Status::Ok);
  EXPECT_NE(findDevice(), device);
}

TEST_F(WorkerDeathTest, AWorkerThatKeepsDyingIsGivenUp) {
  WorkerOptions options = makeOptions();
  options.maxDeaths = 2;
  auto worker = startWorker(options);
  ASSERT_TRUE(worker);
  for (uint64_t trial = 0; trial < 2; ++trial) {
    ASSERT_TRUE(worker->submit(trial, "compile-hang"));
    kill(worker->pid(), SIGKILL);
    EXPECT_EQ(worker->wait(trial)->status, Status::Lost);
  }
  Result<void> submitted = worker->submit(2, "good");
  ASSERT_FALSE(submitted);
  EXPECT_EQ(submitted.error().message,
            "the worker died 2 times in a row and is not started again; the "
            "last time it died of SIGKILL");
}

TEST_F(WorkerDeathTest, BusyWorkersEndWithTheirOwner) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  for (uint64_t trial = 0; trial < 4; ++trial)
    ASSERT_TRUE(worker->submit(trial, trial % 2 ? "hang" : "compile-hang"));
  worker.reset();
  EXPECT_TRUE(areLeft(0));
}

TEST_F(WorkerDeathTest, CtrlCDoesNotReachTheWorker) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  EXPECT_NE(getpgid(worker->pid()), getpgrp());
  EXPECT_NE(getsid(worker->pid()), getsid(0));
  kill(worker->pid(), SIGINT);
  EXPECT_EQ(evaluate(*worker, "good").status, Status::Ok);
}

/// Kills the candidate that the worker has, once there is one.
static bool killCandidate(const WorkerProcess &worker) {
  for (int i = 0; i < 5000; ++i) {
    for (pid_t pid : findWorkers())
      if (pid != worker.pid())
        return kill(pid, SIGKILL) == 0;
    poll(nullptr, 0, 1);
  }
  return false;
}

TEST_F(WorkerDeathTest, ACandidateThatSomebodyKillsIsLost) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  // Those of the plain kernel end first.
  ASSERT_TRUE(areLeft(1));
  ASSERT_TRUE(worker->submit(1, "compile-hang"));
  ASSERT_TRUE(killCandidate(*worker));
  Result<Outcome> outcome = worker->wait(1);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(statusName(outcome->status), statusName(Status::Lost));
  EXPECT_EQ(outcome->message, "killed from outside by SIGKILL while compiling");
}

TEST_F(WorkerDeathTest, APlainKernelThatSomebodyKillsRunsAgain) {
  WorkerOptions options = makeOptions();
  options.text = "plain=hang";
  options.measure.limits.setupTimeoutMs = 2000;
  std::atomic<bool> stop = false;
  int numKilled = 0;
  std::thread killer([&] {
    std::set<pid_t> killed;
    while (!stop) {
      std::vector<pid_t> workers = findWorkers();
      if (workers.size() > 1 && killed.insert(workers.back()).second)
        numKilled += kill(workers.back(), SIGKILL) == 0;
      poll(nullptr, 0, 1);
    }
  });
  std::string error = errorOfStart(options);
  stop = true;
  killer.join();
  EXPECT_GE(numKilled, 2);
  std::string expected = "the plain kernel, which computes the reference, "
                         "failed (lost): killed from outside by SIGKILL while ";
  EXPECT_EQ(error.substr(0, expected.size()), expected);
}

TEST_F(WorkerDeathTest, WithoutMemoryCandidatesGoFirst) {
  auto worker = startWorker(makeOptions());
  ASSERT_TRUE(worker);
  ASSERT_TRUE(worker->submit(1, "compile-hang"));
  int candidates = 0;
  for (int i = 0; i < 5000 && candidates == 0; ++i) {
    for (pid_t pid : findWorkers()) {
      std::ifstream file("/proc/" + std::to_string(pid) + "/oom_score_adj");
      int score = 0;
      candidates += file >> score && score == 1000 && pid != worker->pid();
    }
    poll(nullptr, 0, 1);
  }
  EXPECT_EQ(candidates, 1);
}

/// Runs `work` in a process that is then killed.
template <typename Work>
static void killWhile(Work work) {
  int pipes[2];
  ASSERT_EQ(pipe(pipes), 0);
  pid_t pid = fork();
  if (pid == 0) {
    work();
    char done = 1;
    if (write(pipes[1], &done, 1) == 1)
      for (;;)
        pause();
    _exit(1);
  }
  close(pipes[1]);
  char done = 0;
  EXPECT_EQ(read(pipes[0], &done, 1), 1);
  close(pipes[0]);
  EXPECT_FALSE(findWorkers().empty());
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
}

TEST_F(WorkerDeathTest, NothingOutlivesAKilledCoordinator) {
  killWhile([] {
    auto worker = startWorker(makeOptions());
    for (uint64_t trial = 0; trial < 4; ++trial)
      EXPECT_TRUE(worker->submit(trial, trial % 2 ? "hang" : "compile-hang"));
    static_cast<void>(worker.release());
  });
  EXPECT_TRUE(areLeft(0));
  // While the worker itself is stuck.
  killWhile([] {
    WorkerOptions options = makeOptions();
    options.text = "hang";
    // Parses for ever; this process does not wait for it.
    if (fork() == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      auto worker = WorkerProcess::start(options);
      _exit(0);
    }
    while (findWorkers().empty())
      poll(nullptr, 0, 1);
  });
  EXPECT_TRUE(areLeft(0));
}
