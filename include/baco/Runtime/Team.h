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
// the sandbox has closed; this team starts before, and has its threads pinned
// to the leased CPUs. The tuned module runs with any OpenMP library.
//
// Supported: parallel regions and loops with a static schedule, as
// `convert-scf-to-openmp` makes them of `scf.parallel` without reductions. A
// kernel that needs more doesn't link.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_TEAM_H
#define BACO_RUNTIME_TEAM_H

#include "baco/Verification/Heap.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace baco::runtime {

/// Most threads of a team.
inline constexpr int maxTeamSize = 64;

/// Starts a team: the calling thread is its first member and runs on `cpus[0]`,
/// a new thread for each other CPU (up to maxTeamSize) runs on that. Returns
/// when all are ready; false if a thread can't be started. Once per process.
/// Without a team everything runs in the caller's thread. For TeamMode::Apart
/// there are two threads at least.
bool startTeam(std::span<const int> cpus);

/// How the members of a region run. The kernel's results must be the same in
/// all modes, unless its threads race.
enum class TeamMode {
  /// As they come.
  Free,
  /// They begin at the same moment, or a little earlier or later, and have each
  /// other's shares of loops.
  Shaken,
  /// One after another, each on the memory as it was before the region, or
  /// since the last barrier (SharedMemory.h): two that write to the same place,
  /// and one that needs what another writes, then always give another result.
  /// Not for kernels with atomic operations. Two threads take part at least,
  /// even on one CPU.
  Apart
};

/// How often a parallel kernel has to pass each check: first with its threads
/// as they come, once apart, and shaken in the others.
inline constexpr int passesOfParallel = 4;
inline constexpr int apartPass = 1;

/// Sets the mode of all later regions; not within one.
///
/// \param seed    decides what is shaken
/// \param shared  Apart: the memory that the kernel may write, besides memory
///                that it allocates, which is known. If that is too large to be
///                copied, or there are too many regions, they run free
void setTeamMode(TeamMode mode, uint64_t seed = 0,
                 std::vector<std::span<std::byte>> shared = {});

/// Members of the team, the caller included; 1 without one.
int teamSize();

/// Makes members that sleep look for the next region, which then begins at the
/// same time for all. They fall asleep 0.2 ms after the last one.
void wakeTeam();

/// Runs `work` in all members at the same time; returns when all are done.
void runOnTeam(void (*work)(void *shared), void *shared);

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
