//===- WarpClock.h - How long a warp takes alone ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A multiprocessor that has few warps waits for latencies. It takes at least as
// long as one of its warps takes alone.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_COSTMODEL_WARPCLOCK_H
#define BACO_LIB_COSTMODEL_WARPCLOCK_H

#include "InstructionCost.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"

namespace baco::target {

/// The code of a kernel, and how it runs.
struct WarpTrace {
  const llvm::LoopInfo &loops;
  /// The cost of each instruction that a thread executes.
  const llvm::DenseMap<const llvm::Instruction *, ThreadCost> &costs;
  /// The iterations of each loop.
  const llvm::DenseMap<const llvm::Loop *, int64_t> &tripCounts;
  /// How often each block runs.
  const llvm::DenseMap<const llvm::BasicBlock *, double> &frequencies;
};

/// The cycles that one warp takes alone. It issues the instructions of a block
/// in the order in which their operands are there, those in front of a barrier
/// or of a wait for copies before it, and waits for nothing that no instruction
/// needs. Iterations of a loop overlap as far as that allows; a few are
/// followed, and each of the others takes as long as the last of these.
/// Blocks that don't run in each iteration count by their share.
double timeWarp(const llvm::Function &kernel, const WarpTrace &trace);

} // namespace baco::target

#endif // BACO_LIB_COSTMODEL_WARPCLOCK_H
