//===- CpuCost.h - Cycles of code for a CPU, by a model ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cost of the evaluator `static` for a CPU, in three parts: how often each
// block runs and which memory it touches follow from the optimized IR, the time
// it takes from the machine code that LLVM makes of it. No clock, and nothing
// of the machine that computes it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_COSTMODEL_CPUCOST_H
#define BACO_COSTMODEL_CPUCOST_H

#include "baco/Schedule/HostInfo.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace baco::target {

/// How many iterations loops have.
using TripCounts = llvm::DenseMap<const llvm::Loop *, double>;

/// An iteration of a loop, from 0.
struct Iteration {
  const llvm::Loop *loop = nullptr;
  uint64_t number = 0;
};

/// The value of an expression in the middle of all loops, but in `at` of some,
/// outermost first. Values that aren't known, but don't vary with the last one
/// of those, are 0. Nullopt if it isn't known.
std::optional<int64_t> valueInTheMiddle(const llvm::SCEV *scev,
                                        llvm::ScalarEvolution &evolution,
                                        const TripCounts &trips,
                                        llvm::ArrayRef<Iteration> at = {});

/// How often the blocks of a function run when it is called once. If the bounds
/// of a loop or a condition depend on loops around it, this is the mean over
/// the iterations of those loops.
class BlockFrequencies {
public:
  /// The error names a loop without a known trip count.
  static llvm::Expected<BlockFrequencies>
  compute(llvm::Function &function, llvm::LoopInfo &loops,
          llvm::ScalarEvolution &evolution);

  /// 0 for a block that never runs.
  double of(const llvm::BasicBlock *block) const {
    return frequencies.lookup(block);
  }
  /// How often the body of a loop runs each time that it is entered.
  const TripCounts &trips() const { return tripCounts; }
  double trips(const llvm::Loop *loop) const { return tripCounts.lookup(loop); }

private:
  friend class FrequencyFinder;
  llvm::DenseMap<const llvm::BasicBlock *, double> frequencies;
  TripCounts tripCounts;
};

/// Cycles of a function by the names of the headers of its loops, without those
/// of inner loops. The empty name has the cycles outside of loops.
using CyclesByLoop = llvm::StringMap<double>;

/// The cycles for which the caches keep a function waiting. Blocks have names.
CyclesByLoop cyclesOfTraffic(llvm::Function &function, llvm::LoopInfo &loops,
                             llvm::ScalarEvolution &evolution,
                             const BlockFrequencies &frequencies,
                             const schedule::HostInfo &host);

/// The cost model's data about a block of the IR.
struct BlockFacts {
  /// How often it runs.
  double times = 0;
  /// The name of the header of the innermost loop around it; empty: none.
  std::string loop;
};

/// The blocks of functions, both by name.
using FactsByBlock = llvm::StringMap<llvm::StringMap<BlockFacts>>;

/// The machine code of a function.
struct MachineCycles {
  /// Cycles of all blocks, each weighted by how often it runs.
  CyclesByLoop cycles;
  /// Loads and stores of spilled registers, weighted alike.
  double spills = 0;
};

/// Generates code for `module` on `machine` and adds up what it takes by the
/// model of `costMachine`. The module is changed.
llvm::Expected<llvm::StringMap<MachineCycles>>
cyclesOfMachineCode(llvm::Module &module, llvm::TargetMachine &machine,
                    const llvm::TargetMachine &costMachine,
                    const FactsByBlock &blocks);

struct CpuCost {
  double cycles = 0;
  /// One line, which starts with staticCostNote.
  std::string note;
};

/// The cost of a call of `entry` in `module`, which is optimized for `machine`,
/// by the model of `costMachine` and with the caches of `host`. Changes the
/// module. The error, of one line, says why it has none.
llvm::Expected<CpuCost> costOfCode(llvm::Module &module, llvm::Function &entry,
                                   llvm::TargetMachine &machine,
                                   const llvm::TargetMachine &costMachine,
                                   const schedule::HostInfo &host);

} // namespace baco::target

#endif // BACO_COSTMODEL_CPUCOST_H
