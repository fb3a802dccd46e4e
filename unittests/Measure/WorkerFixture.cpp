//===- WorkerFixture.cpp - Test workers and what is left of them ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkerFixture.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <unistd.h>

using namespace baco;
using namespace baco::measure;

namespace {
class WorkerProgram : public testing::Environment {
public:
  void SetUp() override {
    std::filesystem::copy_file(
        BACO_TEST_WORKER, test::workerPath(),
        std::filesystem::copy_options::overwrite_existing);
  }
  void TearDown() override { std::filesystem::remove(test::workerPath()); }
};

testing::Environment *const workerProgram =
    testing::AddGlobalTestEnvironment(new WorkerProgram);
} // namespace

const std::string &test::workerName() {
  static const std::string name = "bacow-" + std::to_string(getpid());
  return name;
}

const std::string &test::workerPath() {
  static const std::string path = testing::TempDir() + workerName();
  return path;
}

WorkerOptions test::makeOptions() {
  WorkerOptions options;
  options.program = workerPath();
  options.measure.timing = {2, 12, 1, 3};
  options.measure.limits.memoryLimitMiB = 256;
  // What hangs is waited for; what does not has time on a busy machine.
  options.measure.limits.runTimeoutMs = 10000;
  return options;
}

std::unique_ptr<WorkerProcess> test::startWorker(WorkerOptions options) {
  auto worker = WorkerProcess::start(std::move(options));
  EXPECT_TRUE(worker) << worker.error().message;
  return worker ? std::move(*worker) : nullptr;
}

std::string test::errorOfStart(WorkerOptions options) {
  auto worker = WorkerProcess::start(std::move(options));
  return worker ? "started" : worker.error().message;
}

Outcome test::evaluate(WorkerProcess &worker, const std::string &candidate) {
  static uint64_t trial = 1000;
  Result<void> submitted = worker.submit(++trial, candidate);
  EXPECT_TRUE(submitted) << submitted.error().message;
  Result<Outcome> outcome = worker.wait(trial);
  EXPECT_TRUE(outcome) << outcome.error().message;
  return outcome ? *outcome : Outcome();
}

void test::expectFault(WorkerProcess &worker, const Fault &fault) {
  Outcome outcome = evaluate(worker, fault.candidate);
  EXPECT_EQ(statusName(outcome.status), statusName(fault.status))
      << fault.candidate << ": " << outcome.message;
  EXPECT_EQ(outcome.message.substr(0, fault.message.size()), fault.message)
      << fault.candidate;
  EXPECT_TRUE(std::isnan(outcome.timeNs)) << fault.candidate;
  EXPECT_EQ(outcome.numSamples, 0) << fault.candidate;
}

std::vector<pid_t> test::findWorkers() {
  std::vector<pid_t> found;
  for (const auto &entry : std::filesystem::directory_iterator("/proc")) {
    std::string number = entry.path().filename(), stat;
    if (number.find_first_not_of("0123456789") != std::string::npos)
      continue;
    // "PID (NAME) STATE ...": the dead wait for init, which may take its time.
    std::ifstream file(entry.path() / "stat");
    std::string start = number + " (" + workerName() + ") ";
    if (std::getline(file, stat) && stat.rfind(start, 0) == 0 &&
        stat[start.size()] != 'Z' && stat[start.size()] != 'X')
      found.push_back(std::stoi(number));
  }
  return found;
}

bool test::areLeft(size_t number) {
  for (int i = 0; i < 5000; ++i) {
    if (findWorkers().size() == number)
      return true;
    poll(nullptr, 0, 1);
  }
  return false;
}
