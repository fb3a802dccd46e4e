//===- CpuTraffic.cpp - What memory costs a function ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of each access, the distance in bytes between two iterations is known for
// every loop around it. So is how many lines of a cache all accesses in a loop
// touch. The outermost loop of which one iteration fits into a cache is the one
// that keeps there what it reads again; from it outwards all is read anew.
//
//===----------------------------------------------------------------------===//

#include "CpuCost.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <cmath>

using namespace llvm;
using namespace baco;
using namespace baco::target;

static constexpr double lineBytes = 64;

namespace {

/// Accesses with the same base and the same steps.
struct Stream {
  /// Their loops, innermost first, and the bytes from one iteration to the
  /// next; nullopt: anywhere.
  SmallVector<std::pair<const Loop *, std::optional<int64_t>>> steps;
  /// What they touch in one iteration of the innermost loop: begin and end.
  SmallVector<std::pair<int64_t, int64_t>> pieces;
  const Value *object = nullptr;
  /// The most executions of one of them.
  double times = 0;
};

class TrafficFinder {
public:
  TrafficFinder(Function &function, LoopInfo &loops, ScalarEvolution &evolution,
                const BlockFrequencies &frequencies)
      : function(function), loops(loops), evolution(evolution),
        frequencies(frequencies) {}

  void collect();
  /// The lines that come into a cache of `capacity` bytes.
  double linesInto(double capacity) const;

private:
  /// The bytes from one iteration of the loop to the next; nullopt: anywhere.
  std::optional<int64_t> stepOf(const SCEV *address, const Loop *loop) const;
  void add(Instruction &instruction, Value *pointer, int64_t bytes);
  /// The lines that a stream touches in all iterations of its `numLoops`
  /// innermost loops.
  double linesOf(const Stream &stream, size_t numLoops) const;
  /// The same for all streams of a loop: in one iteration of it.
  double linesInIteration(const Loop *loop) const;

  Function &function;
  LoopInfo &loops;
  ScalarEvolution &evolution;
  const BlockFrequencies &frequencies;
  std::vector<Stream> streams;
  /// By the base of the address.
  DenseMap<const SCEV *, std::vector<size_t>> streamsOf;
};

} // namespace

std::optional<int64_t> TrafficFinder::stepOf(const SCEV *address,
                                             const Loop *loop) const {
  if (evolution.isLoopInvariant(address, loop))
    return 0;
  // By the values at two iterations, as they may be sums of minima and the
  // like; bases cancel out.
  const SCEV *base = evolution.getPointerBase(address);
  const SCEV *offset = evolution.getMinusSCEV(address, base);
  if (isa<SCEVCouldNotCompute>(offset) ||
      !evolution.isLoopInvariant(base, loop))
    return std::nullopt;
  std::optional<int64_t> before =
      valueInTheMiddle(offset, evolution, frequencies.trips(), {loop, 0});
  std::optional<int64_t> next =
      valueInTheMiddle(offset, evolution, frequencies.trips(), {loop, 1});
  return next && before ? std::optional(*next - *before) : std::nullopt;
}

void TrafficFinder::add(Instruction &instruction, Value *pointer,
                        int64_t bytes) {
  double times = frequencies.of(instruction.getParent());
  if (times == 0)
    return;
  const Loop *inner = loops.getLoopFor(instruction.getParent());
  const SCEV *address = evolution.getSCEV(pointer);
  const SCEV *base = evolution.getPointerBase(address);
  Stream wanted;
  wanted.object = getUnderlyingObject(pointer);
  for (const Loop *loop = inner; loop; loop = loop->getParentLoop())
    wanted.steps.emplace_back(loop, stepOf(address, loop));
  std::optional<int64_t> offset;
  if (const SCEV *difference = evolution.getMinusSCEV(address, base);
      !isa<SCEVCouldNotCompute>(difference))
    offset = valueInTheMiddle(difference, evolution, frequencies.trips());
  // Where it is doesn't matter to one that has no known neighbors.
  std::vector<size_t> &candidates = streamsOf[base];
  auto found = llvm::find_if(candidates, [&](size_t i) {
    return offset && streams[i].steps == wanted.steps;
  });
  if (found == candidates.end()) {
    candidates.push_back(streams.size());
    streams.push_back(std::move(wanted));
    found = std::prev(candidates.end());
  }
  Stream &stream = streams[*found];
  stream.pieces.emplace_back(offset.value_or(0), offset.value_or(0) + bytes);
  stream.times = std::max(stream.times, times);
}

void TrafficFinder::collect() {
  const DataLayout &layout = function.getParent()->getDataLayout();
  for (Instruction &instruction : instructions(function)) {
    if (Value *pointer = getLoadStorePointerOperand(&instruction)) {
      add(instruction, pointer,
          static_cast<int64_t>(
              layout.getTypeStoreSize(getLoadStoreType(&instruction))));
      continue;
    }
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call)
      continue;
    if (call->getIntrinsicID() == Intrinsic::masked_load)
      add(instruction, call->getArgOperand(0),
          static_cast<int64_t>(layout.getTypeStoreSize(call->getType())));
    if (call->getIntrinsicID() == Intrinsic::masked_store)
      add(instruction, call->getArgOperand(1),
          static_cast<int64_t>(
              layout.getTypeStoreSize(call->getArgOperand(0)->getType())));
  }
  for (Stream &stream : streams) {
    llvm::sort(stream.pieces);
    // Neighbors become one piece.
    SmallVector<std::pair<int64_t, int64_t>> merged;
    for (auto [begin, end] : stream.pieces)
      if (!merged.empty() && begin <= merged.back().second + int64_t(lineBytes))
        merged.back().second = std::max(merged.back().second, end);
      else
        merged.emplace_back(begin, end);
    stream.pieces = std::move(merged);
  }
}

double TrafficFinder::linesOf(const Stream &stream, size_t numLoops) const {
  double extent = 0;
  for (auto [begin, end] : stream.pieces)
    extent += static_cast<double>(end - begin);
  auto count = static_cast<double>(stream.pieces.size());
  extent /= count;
  // Dense pieces grow, from the smallest steps on; others are repeated.
  SmallVector<std::pair<double, double>> steps;
  for (auto [loop, step] : ArrayRef(stream.steps).take_front(numLoops))
    steps.emplace_back(step ? std::abs(static_cast<double>(*step)) : HUGE_VAL,
                       frequencies.trips(loop));
  llvm::sort(steps);
  for (auto [step, trips] : steps) {
    if (step == 0)
      continue;
    if (step <= std::max(extent, lineBytes))
      extent += step * (trips - 1);
    else
      count *= trips;
  }
  // A piece begins anywhere in a line.
  return count * (extent <= 1 ? 1 : (extent - 1) / lineBytes + 1);
}

double TrafficFinder::linesInIteration(const Loop *loop) const {
  // Buffers that are written in one place and read in another count once.
  MapVector<const Value *, double> lines;
  for (const Stream &stream : streams) {
    size_t depth = 0;
    while (depth < stream.steps.size() && stream.steps[depth].first != loop)
      ++depth;
    if (depth == stream.steps.size())
      continue;
    double &most = lines[stream.object];
    most = std::max(most, linesOf(stream, depth));
  }
  double sum = 0;
  for (const auto &each : lines)
    sum += each.second;
  return sum;
}

double TrafficFinder::linesInto(double capacity) const {
  DenseMap<const Loop *, bool> fits;
  for (const Loop *loop : loops.getLoopsInPreorder())
    fits[loop] = linesInIteration(loop) * lineBytes <= capacity;
  double sum = 0;
  for (const Stream &stream : streams) {
    // The loops whose iterations find what the one before has left.
    size_t kept = 0;
    while (kept < stream.steps.size() && fits[stream.steps[kept].first])
      ++kept;
    double again = stream.times;
    for (auto [loop, step] : ArrayRef(stream.steps).take_front(kept))
      again /= frequencies.trips(loop);
    sum += linesOf(stream, kept) * std::max(again, 1.0);
  }
  return sum;
}

double target::cyclesOfTraffic(Function &function, LoopInfo &loops,
                               ScalarEvolution &evolution,
                               const BlockFrequencies &frequencies,
                               const schedule::HostInfo &host) {
  TrafficFinder finder(function, loops, evolution, frequencies);
  finder.collect();
  // What a line costs that comes from the next level, foreseen by hardware:
  // about that of desktop and server CPUs since 2015.
  constexpr double fromL2 = 0.5, fromL3 = 4, fromMemory = 16;
  double cycles = 0;
  cycles += fromL2 * finder.linesInto(static_cast<double>(host.l1Bytes));
  if (host.l2Bytes > 0)
    cycles += fromL3 * finder.linesInto(static_cast<double>(host.l2Bytes));
  if (host.l3Bytes > 0)
    cycles += fromMemory * finder.linesInto(static_cast<double>(host.l3Bytes));
  return cycles;
}
