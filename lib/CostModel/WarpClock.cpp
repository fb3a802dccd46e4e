//===- WarpClock.cpp - How long a warp takes alone ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpClock.h"
#include "RegisterPressure.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

#include <cmath>

using namespace llvm;
using namespace baco::target;

namespace {
class WarpClock {
public:
  WarpClock(const Function &kernel, const WarpTrace &trace) : trace(trace) {
    append_range(order, ReversePostOrderTraversal<const Function *>(&kernel));
  }

  /// Runs the blocks of `loop`, or of the kernel if it is null, once.
  void runBody(const Loop *loop, bool isFirst);
  double now() const { return std::max(last, start); }

private:
  void runLoop(const Loop &loop);
  void runBlock(const BasicBlock &block, bool isFirst);
  void run(const Instruction &instruction, const ThreadCost &cost);
  void follow(const Instruction &instruction, double begin);
  void startPhis(const BasicBlock &block, bool isFirst);
  void skip(const Loop &loop, double cycles);
  void issue();

  const WarpTrace &trace;
  SmallVector<const BasicBlock *> order;
  /// When the next instruction can be issued, and the end of all so far.
  double start = 0, last = 0;
  /// Instructions that wait for their issue: when their operands are there, and
  /// the cycles that it takes.
  SmallVector<std::pair<double, double>> waiting;
  /// When the result of each instruction is there.
  DenseMap<const Value *, double> ready;
  /// When the copies of no group so far are there; of each group, when its own
  /// and those of all before are.
  double copied = 0;
  SmallVector<double> groups;
};
} // namespace

/// The name of an instruction for copies that run ahead, such as wait.group;
/// empty if it is another.
static StringRef nameOfCopy(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  StringRef name = callee ? callee->getName() : "";
  return name.consume_front("llvm.nvvm.cp.async.") ? name : "";
}

/// Values that a phi takes come from the last iteration of its loop but at
/// first.
void WarpClock::startPhis(const BasicBlock &block, bool isFirst) {
  const Loop *loop = trace.loops.getLoopFor(&block);
  bool isHeader = loop && loop->getHeader() == &block;
  // All phis of a block read at once.
  SmallVector<std::pair<const PHINode *, double>> times;
  for (const PHINode &phi : block.phis()) {
    double time = start;
    for (auto [value, from] : zip_equal(phi.incoming_values(), phi.blocks()))
      if (!isHeader || loop->contains(from) != isFirst)
        time = std::max(time, ready.lookup(value));
    times.emplace_back(&phi, time);
  }
  for (auto [phi, time] : times)
    ready[phi] = time;
}

/// Follows copies that run ahead, from the start of an instruction of theirs.
void WarpClock::follow(const Instruction &instruction, double begin) {
  StringRef name = nameOfCopy(instruction);
  if (name.empty())
    return;
  if (name == "commit.group") {
    groups.push_back(std::max(copied, groups.empty() ? 0 : groups.back()));
    copied = 0;
  } else if (name == "wait.all") {
    issue();
    start = std::max({start, copied, groups.empty() ? 0 : groups.back()});
  } else if (name == "wait.group") {
    issue();
    auto rest = cast<ConstantInt>(instruction.getOperand(0))->getZExtValue();
    if (rest < groups.size())
      start = std::max(start, groups[groups.size() - 1 - rest]);
  } else {
    copied = std::max(copied, begin + globalLatency);
  }
}

/// Issues instructions in the order in which their operands are there, as ptxas
/// places them within a block.
void WarpClock::issue() {
  sort(waiting);
  for (auto [begin, cycles] : waiting)
    start = std::max(start, begin) + cycles;
  waiting.clear();
}

void WarpClock::run(const Instruction &instruction, const ThreadCost &cost) {
  if (isBarrier(instruction)) {
    issue();
    start += cost.latency;
  }
  double begin = start;
  for (const Value *operand : instruction.operand_values())
    begin = std::max(begin, ready.lookup(operand));
  if (cost.issued > 0)
    waiting.emplace_back(begin, cost.issued);
  ready[&instruction] = begin + cost.latency;
  last = std::max(last, begin + cost.latency);
  follow(instruction, begin);
}

void WarpClock::runBlock(const BasicBlock &block, bool isFirst) {
  startPhis(block, isFirst);
  for (const Instruction &instruction : block)
    if (auto cost = trace.costs.find(&instruction);
        cost != trace.costs.end() && !isa<PHINode>(instruction))
      run(instruction, cost->second);
  issue();
}

void WarpClock::runBody(const Loop *loop, bool isFirst) {
  const BasicBlock *first = loop ? loop->getHeader() : order.front();
  double all = trace.frequencies.lookup(first);
  for (const BasicBlock *block : order) {
    const Loop *around = trace.loops.getLoopFor(block);
    bool isInner = around && around->getParentLoop() == loop &&
                   around->getHeader() == block;
    if (around != loop && !isInner)
      continue;
    double frequency = trace.frequencies.lookup(block);
    if (isInner)
      frequency /= static_cast<double>(trace.tripCounts.lookup(around));
    double startBefore = start, lastBefore = last;
    if (isInner)
      runLoop(*around);
    else
      runBlock(*block, isFirst);
    // It runs sometimes: the mean.
    if (frequency < all) {
      start = std::lerp(startBefore, start, frequency / all);
      last = std::lerp(lastBefore, last, frequency / all);
    }
  }
}

/// Lets time pass for all that `loop` has computed.
void WarpClock::skip(const Loop &loop, double cycles) {
  for (double *time : {&start, &last, &copied})
    *time += cycles;
  for (double &group : groups)
    group += cycles;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      if (auto time = ready.find(&instruction); time != ready.end())
        time->second += cycles;
}

/// Whether iterations of the loop itself wait for copies.
static bool waitsForCopies(const Loop &loop, const LoopInfo &loops) {
  return any_of(loop.blocks(), [&](const BasicBlock *block) {
    return loops.getLoopFor(block) == &loop &&
           any_of(*block, [](const Instruction &one) {
             return nameOfCopy(one).starts_with("wait");
           });
  });
}

void WarpClock::runLoop(const Loop &loop) {
  int64_t trips = trace.tripCounts.lookup(&loop);
  // With n groups of copies ahead, one of n + 1 iterations waits. The mean is
  // of a multiple of 2, 3, 4 and 8, once all groups are under way.
  int64_t first = 1, counted = 2;
  if (waitsForCopies(loop, trace.loops)) {
    first = 8;
    counted = 24;
  }
  int64_t followed = std::min(trips, first + counted);
  double before = 0;
  for (int64_t i = 0; i < followed; ++i) {
    if (i == first)
      before = now();
    runBody(&loop, /*isFirst=*/i == 0);
  }
  if (trips > followed)
    skip(loop, static_cast<double>(trips - followed) * (now() - before) /
                   static_cast<double>(counted));
}

double baco::target::timeWarp(const Function &kernel, const WarpTrace &trace) {
  WarpClock clock(kernel, trace);
  clock.runBody(nullptr, /*isFirst=*/true);
  return clock.now();
}
