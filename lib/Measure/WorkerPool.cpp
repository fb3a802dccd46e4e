//===- WorkerPool.cpp - Workers that measure side by side -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Measure/WorkerPool.h"

#include <cassert>

using namespace baco;
using namespace baco::measure;

Workers::~Workers() = default;
Result<void> Workers::identify(const std::string &) { return {}; }
std::vector<std::string> Workers::notes() const { return {}; }

Result<std::unique_ptr<WorkerPool>>
WorkerPool::start(std::vector<WorkerOptions> options) {
  assert(!options.empty() && "a pool has a worker");
  std::vector<std::unique_ptr<WorkerProcess>> workers;
  for (WorkerOptions &one : options) {
    auto started = WorkerProcess::start(std::move(one));
    if (!started)
      return started.error();
    workers.push_back(std::move(*started));
  }
  return std::unique_ptr<WorkerPool>(new WorkerPool(std::move(workers)));
}

std::vector<std::string> WorkerPool::devices() const {
  std::vector<std::string> names;
  for (const auto &worker : workers)
    names.push_back(worker->ready().device);
  return names;
}

WorkerProcess &WorkerPool::workerOf(uint64_t trial) {
  auto repeated = repetitions.find(trial);
  size_t times = repeated == repetitions.end() ? 0 : repeated->second;
  return *workers[(trial + times) % workers.size()];
}

Result<void> WorkerPool::submit(uint64_t trial, std::string configurationJson) {
  if (auto [entry, isNew] = repetitions.try_emplace(trial, 0); !isNew)
    ++entry->second;
  return workerOf(trial).submit(trial, std::move(configurationJson));
}

/// An outcome that one worker has seen limits the trials of all.
Result<Outcome> WorkerPool::wait(uint64_t trial) {
  WorkerProcess &own = workerOf(trial);
  Result<Outcome> outcome = own.wait(trial);
  if (outcome)
    for (const auto &worker : workers)
      if (worker.get() != &own)
        worker->recall(*outcome);
  return outcome;
}

void WorkerPool::cancel(uint64_t trial) { workerOf(trial).cancel(trial); }

void WorkerPool::recall(const Outcome &outcome) {
  for (const auto &worker : workers)
    worker->recall(outcome);
}

void WorkerPool::endIn(double seconds) {
  for (const auto &worker : workers)
    worker->endIn(seconds);
}
