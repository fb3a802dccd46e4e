//===- WorkerLease.cpp - Which candidate has the CPU ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Worker.h"

#include "baco/Protocol/Clock.h"

#include <algorithm>
#include <cstring>

using namespace baco;
using namespace baco::runtime;

/// How long another worker may keep the measured CPU before we give up: it is
/// stopped, or times something that takes minutes.
static constexpr int64_t maxLeaseWaitNs = 600'000'000'000;

Result<void> Worker::lend() {
  if (lease)
    return {};
  auto ready = std::find_if(jobs.begin(), jobs.end(), [](const Job &job) {
    return job.isReady() && job.needsLease();
  });
  if (ready == jobs.end()) {
    // The jobs that waited for it have failed meanwhile.
    endLease();
    return {};
  }
  if (!mayLendTo(*ready))
    return {};
  if (!acquireCpus(ready->isParallel()))
    return awaitCpu();
  Result<void> told;
  if (waitingSinceNs > 0) {
    int64_t now = nowNs(), waitedNs = now - waitingSinceNs;
    // Waiting for other workers doesn't count in the set-up's deadline.
    if (ready->isSetUp()) {
      setupDeadlineNs += waitedNs;
      for (Contender &contender : ready->contenders)
        contender.deadlineNs += waitedNs;
    }
    told = channel.send(Waiting{"", now - waitingToldNs}, sendTimeoutMs);
  }
  waitingSinceNs = 0;
  lease = &*ready;
  advance(*lease);
  return told;
}

/// Takes the leases of all CPUs that a job needs, or none: workers that wait
/// for each other's would wait for ever.
bool Worker::acquireCpus(bool isParallel) {
  CpuLease &first = mainLease();
  awaited = first.acquire() ? nullptr : &first;
  if (!isParallel)
    return !awaited;
  for (CpuLease &other : teamLeases)
    if (!awaited && !other.acquire())
      awaited = &other;
  if (!awaited)
    return true;
  if (awaited != &first)
    first.release();
  for (CpuLease &other : teamLeases)
    if (awaited != &other)
      other.release();
  return false;
}

/// The measured device or CPU, for messages.
std::string Worker::measured() const {
  return device ? deviceName() : "CPU " + std::to_string(cpu);
}

/// Tells the coordinator now and then that another worker has the CPU.
Result<void> Worker::awaitCpu() {
  int64_t now = nowNs();
  if (waitingSinceNs == 0)
    waitingSinceNs = waitingToldNs = now;
  if (int error = awaited->error())
    return {ErrorCode::IOError,
            "cannot find out whether another worker measures on " + measured() +
                ": " + std::strerror(error)};
  if (now - waitingSinceNs > maxLeaseWaitNs)
    return {ErrorCode::IOError,
            measured() + " has been used by " + awaited->holder() + " for " +
                std::to_string(maxLeaseWaitNs / 1000000000) +
                " s: end that process, or choose another " +
                (device ? "one with CUDA_VISIBLE_DEVICES" : "CPU with --cpu")};
  if (now - waitingToldNs < waitingNoteNs)
    return {};
  Waiting waiting{awaited->holder(), now - waitingToldNs};
  waitingToldNs = now;
  return channel.send(waiting, sendTimeoutMs);
}

void Worker::endLease() {
  lease = nullptr;
  waitingSinceNs = 0;
  awaited = nullptr;
  mainLease().release();
  for (CpuLease &other : teamLeases)
    other.release();
}
