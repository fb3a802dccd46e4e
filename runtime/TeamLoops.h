//===- TeamLoops.h - Who runs which iterations ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schedules of parallel loops: static ones, in equal parts or in chunks by
// turns, and those where members take chunks as they come, dynamic and guided.
// Loops count iterations by one; loops in regions within regions run in one
// thread.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_TEAMLOOPS_H
#define BACO_RUNTIME_TEAMLOOPS_H

#include "baco/Runtime/Team.h"

namespace baco::runtime {

/// The calling thread, within its region.
struct TeamMember {
  int number = 0;
  int size = 1;
  /// Added to the number: members have each other's shares.
  uint64_t shift = 0;
  /// Members run one after another: the first one would take all chunks.
  bool isApart = false;
};

/// The calling thread's number and team. Team.cpp has the definition.
TeamMember currentMember();

/// A thread's state in the loop that it runs.
struct TeamLoop {
  /// The number of earlier loops of this kind in the region.
  uint32_t number = 0;
  int32_t kind = 0;
  uint64_t lower = 0, count = 0, chunk = 1;
  /// The next chunk, if chunks are taken by turns.
  uint64_t turn = 0;
};

/// Replaces the calling thread's loop, and returns the previous one.
TeamLoop exchangeLoop(TeamLoop loop);
/// Forgets the loops of the previous region; to be called while no region runs.
void resetLoops();

/// `__kmpc_for_static_*` and `__kmpc_dispatch_*`.
std::span<const TeamSymbol> teamLoopSymbols();

/// Ends the process: the code needs what isn't here.
[[noreturn]] void giveUp(const char *what);

} // namespace baco::runtime

#endif // BACO_RUNTIME_TEAMLOOPS_H
