//===- CpuPlan.cpp - Which CPU does what ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/CpuPlan.h"

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace baco;
using namespace baco::runtime;

std::vector<int> runtime::allowedCpus() {
  cpu_set_t allowed;
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &allowed))
        cpus.push_back(cpu);
  if (cpus.empty())
    cpus.push_back(0);
  return cpus;
}

cpu_set_t runtime::parseCpuList(const std::string &text) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  std::istringstream list(text);
  int first = 0;
  while (list >> first) {
    int last = first;
    if (list.peek() == '-')
      list.ignore() >> last;
    for (int cpu = std::max(first, 0); cpu <= std::min(last, CPU_SETSIZE - 1);
         ++cpu)
      CPU_SET(cpu, &cpus);
    if (list.get() != ',')
      break;
  }
  return cpus;
}

CpuPlan runtime::makeCpuPlan(int measured, const cpu_set_t &allowed,
                             const cpu_set_t &core) {
  CpuPlan plan{measured, allowed, 0, false, {}};
  CPU_CLR(measured, &plan.others);
  cpu_set_t siblings, apart;
  CPU_AND(&siblings, &plan.others, &core);
  CPU_XOR(&apart, &plan.others, &siblings);
  plan.sharesCore = CPU_COUNT(&apart) == 0;
  if (!plan.sharesCore)
    plan.others = apart;
  plan.numOthers = CPU_COUNT(&plan.others);
  return plan;
}

/// The hardware threads of the core that `cpu` belongs to; none if the system
/// doesn't say.
std::vector<int>
runtime::chooseTeam(const CpuPlan &plan,
                    const std::function<cpu_set_t(int)> &coreOf) {
  std::vector<int> team;
  cpu_set_t free = plan.others;
  cpu_set_t measuredCore = coreOf(plan.measured);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &free) || CPU_ISSET(cpu, &measuredCore))
      continue;
    team.push_back(cpu);
    cpu_set_t core = coreOf(cpu), common;
    CPU_AND(&common, &free, &core);
    CPU_XOR(&free, &free, &common);
  }
  return team;
}

static cpu_set_t coreOf(int cpu) {
  std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                     "/topology/thread_siblings_list");
  std::string line;
  std::getline(file, line);
  return parseCpuList(line);
}

Result<CpuPlan> runtime::planCpus(int wanted) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return {ErrorCode::IOError, "cannot read the worker's CPU affinity"};
  int measured = 0;
  std::string names;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &allowed)) {
      names += (names.empty() ? "" : ", ") + std::to_string(i);
      measured = i;
    }
  if (wanted >= CPU_SETSIZE || (wanted >= 0 && !CPU_ISSET(wanted, &allowed)))
    return {ErrorCode::InvalidArgument,
            "CPU " + std::to_string(wanted) +
                " cannot be measured: the worker may run on " + names};
  CpuPlan plan = makeCpuPlan(wanted >= 0 ? wanted : measured, allowed,
                             coreOf(wanted >= 0 ? wanted : measured));
  plan.team = chooseTeam(plan, coreOf);
  return plan;
}
