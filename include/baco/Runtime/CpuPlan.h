//===- CpuPlan.h - Which CPU does what --------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The CPU that kernels are measured on, and those on which everything else of
// the worker may run meanwhile.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_CPUPLAN_H
#define BACO_RUNTIME_CPUPLAN_H

#include "baco/Support/Result.h"

#include <functional>
#include <sched.h>
#include <string>
#include <vector>

namespace baco::runtime {

struct CpuPlan {
  int measured = 0;
  /// For compiling. Excludes the measured CPU and, if there are others, the
  /// other hardware threads of its core, which share its resources. May be
  /// empty.
  cpu_set_t others;
  int numOthers = 0;
  /// Whether `others` is empty, or has hardware threads of the measured core
  /// only: what is compiled there changes the times of what runs.
  bool sharesCore = false;

  /// One CPU of each core in `others`, in order: those that parallel kernels
  /// use in addition to `measured`.
  std::vector<int> team;
};

/// The CPUs that this thread may use, in their order; at least one.
std::vector<int> allowedCpus();

/// The CPUs of a list as Linux writes them (`0-2,5`); what is no list is empty.
cpu_set_t parseCpuList(const std::string &text);

/// \param core  the hardware threads of the measured CPU's core, itself
/// included
CpuPlan makeCpuPlan(int measured, const cpu_set_t &allowed,
                    const cpu_set_t &core);

/// CpuPlan::team. `coreOf` gives the CPUs of a CPU's core.
std::vector<int> chooseTeam(const CpuPlan &plan,
                            const std::function<cpu_set_t(int)> &coreOf);

/// The plan for this process and machine. `wanted`: the CPU to measure on, or
/// -1 for the last one that this process may use. InvalidArgument if it may not
/// use `wanted`.
Result<CpuPlan> planCpus(int wanted);

} // namespace baco::runtime

#endif // BACO_RUNTIME_CPUPLAN_H
