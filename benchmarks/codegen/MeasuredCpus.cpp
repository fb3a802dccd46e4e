//===- MeasuredCpus.cpp - CPUs of our own for a while ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Leases are taken in ascending order, so that nobody waits for each other.
//
//===----------------------------------------------------------------------===//

#include "MeasuredCpus.h"

#include "baco/Protocol/Clock.h"
#include "baco/Runtime/CpuPlan.h"
#include "baco/Runtime/Team.h"

#include <unistd.h>

using namespace baco::benchmarks;
using baco::runtime::CpuLease;
using baco::runtime::nowNs;

static cpu_set_t allowedSet() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof(set), &set);
  return set;
}

int baco::benchmarks::lastCpu() {
  cpu_set_t allowed = allowedSet();
  int cpu = CPU_SETSIZE - 1;
  while (cpu > 0 && !CPU_ISSET(cpu, &allowed))
    --cpu;
  return cpu;
}

llvm::Error baco::benchmarks::startThreads(int count) {
  if (runtime::teamSize() > 1)
    return llvm::Error::success();
  auto plan = runtime::planCpus(-1);
  if (!plan)
    return llvm::createStringError(plan.error().message);
  std::vector<int> cpus = {plan->measured};
  cpus.insert(cpus.end(), plan->team.begin(), plan->team.end());
  if (cpus.size() < static_cast<size_t>(count))
    return llvm::createStringError(
        "this process may use " + std::to_string(cpus.size()) +
        " cores only, and the case needs " + std::to_string(count));
  cpus.resize(count);
  cpu_set_t before = allowedSet();
  bool isStarted = runtime::startTeam(cpus);
  // Threads that libraries start later inherit this.
  sched_setaffinity(0, sizeof(before), &before);
  if (!isStarted)
    return llvm::createStringError("no more threads can be started");
  return llvm::Error::success();
}

static llvm::Error await(CpuLease &lease, int cpu) {
  constexpr int64_t longestNs = int64_t(600) * 1000000000;
  constexpr useconds_t pauseUs = 10000;
  int64_t deadline = nowNs() + longestNs;
  while (!lease.acquire()) {
    if (nowNs() > deadline)
      return llvm::createStringError(
          "CPU " + std::to_string(cpu) +
          " has been reserved for measurements for ten minutes, by " +
          lease.holder());
    usleep(pauseUs);
  }
  return llvm::Error::success();
}

MeasuredCpus::MeasuredCpus() : before(allowedSet()) {}

MeasuredCpus::~MeasuredCpus() { sched_setaffinity(0, sizeof(before), &before); }

llvm::Expected<std::unique_ptr<MeasuredCpus>> MeasuredCpus::take(int cpu) {
  std::unique_ptr<MeasuredCpus> cpus(new MeasuredCpus());
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (cpu >= 0 ? i != cpu : !CPU_ISSET(i, &cpus->before))
      continue;
    cpus->leases.push_back(std::make_unique<CpuLease>(i));
    if (llvm::Error error = await(*cpus->leases.back(), i))
      return error;
  }
  // The team's first member belongs on the last CPU: see startThreads.
  if (cpu < 0)
    cpu = lastCpu();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  if (sched_setaffinity(0, sizeof(one), &one) != 0)
    return llvm::createStringError("can't run on CPU " + std::to_string(cpu));
  return cpus;
}
