//===- Team.h - The threads of a parallel kernel -------------- -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parallel kernels call the entry points that compilers emit for OpenMP; in a
// candidate's process these are ours. An OpenMP library starts its threads, and
// reads files and settings, when the first parallel region runs, which is after
// the sandbox has closed; this team starts before, has its threads pinned to
// the CPUs that are leased, and keeps no secrets from the measurement. What is
// shipped calls any OpenMP library.
//
// Supported: parallel regions and loops with a static schedule, as
// `convert-scf-to-openmp` makes them of `scf.parallel` without reductions. A
// kernel that needs more doesn't link.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_TEAM_H
#define BACO_RUNTIME_TEAM_H

#include "baco/Runtime/Heap.h"

#include <cstdint>
#include <optional>
#include <span>

namespace baco::runtime {

/// Most threads of a team.
inline constexpr int maxTeamSize = 64;

/// Starts a team: the calling thread is its first member and runs on `cpus[0]`,
/// a new thread for each other CPU (up to maxTeamSize) runs on that. Returns
/// when all are ready; false if a thread can't be started. Once per process.
/// Without a team everything runs in the caller's thread.
bool startTeam(std::span<const int> cpus);

/// Members of the team, the caller included; 1 without one.
int teamSize();

/// Makes members that sleep look for the next region, which then begins at the
/// same time for all. They fall asleep 0.2 ms after the last one.
void wakeTeam();

/// From here on each member but the caller fills its stack with a pattern
/// before it takes part in a region; without a value it does not. Not within a
/// region.
void poisonTeamStacks(std::optional<Pattern> pattern);

/// An entry point and the name that compiled code calls it by.
struct TeamSymbol {
  const char *name;
  void *address;
};
std::span<const TeamSymbol> teamSymbols();

/// The symbol that every parallel kernel calls.
inline constexpr char teamForkSymbol[] = "__kmpc_fork_call";

} // namespace baco::runtime

#endif // BACO_RUNTIME_TEAM_H
