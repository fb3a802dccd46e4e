//===- CpuTraffic.cpp - Cycles of memory traffic --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each access has a known distance in bytes between two iterations of every
// loop around it. So the number of cache lines that all accesses in a loop
// touch is known, too. The outermost loop of which one iteration fits into a
// cache reuses lines there; from that loop outwards, all lines are read anew.
//
//===----------------------------------------------------------------------===//

#include "baco/CostModel/CpuCost.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace llvm;
using namespace baco;
using namespace baco::target;

static constexpr int64_t cacheLineBytes = 64, pageBytes = 4096;

namespace {

struct Cache {
  int64_t bytes = 0;
  /// Sets that addresses choose by their low bits, and lines in each; 0: by all
  /// bits, so that none is full before the others.
  int64_t numSets = 0, numWays = 0;
};

/// The bytes that an access touches in some loops.
class Footprint {
public:
  /// Touches the bytes between `begin` and `end`, counted from the begin of an
  /// object, which begins with a line.
  void add(int64_t begin, int64_t end) { pieces.emplace_back(begin, end); }
  /// Joins pieces without a whole line between them.
  void merge();
  /// Becomes the footprint of `trips` iterations, each `step` bytes behind the
  /// one before; nullopt: anywhere.
  void repeat(std::optional<int64_t> step, double trips);
  double lines() const;
  double numPieces() const { return numCopies * double(pieces.size()); }
  /// Whether most lines are in sets of the cache that overflow.
  bool isCrowded(const Cache &cache) const;

private:
  /// The lines of a piece: the first, and how many.
  static std::pair<int64_t, int64_t> linesOf(std::pair<int64_t, int64_t> piece);

  SmallVector<std::pair<int64_t, int64_t>> pieces;
  /// The number of copies of the pieces, at different places.
  double numCopies = 1;
};

/// Accesses with the same base and the same steps.
struct Stream {
  /// Their loops, innermost first, and the bytes from one iteration to the
  /// next; nullopt: anywhere.
  SmallVector<std::pair<const Loop *, std::optional<int64_t>>> steps;
  /// The footprints in all iterations of the innermost loops, by the number of
  /// these loops.
  std::vector<Footprint> footprints = std::vector<Footprint>(1);
  const Value *object = nullptr;
  /// The share of its lines that are the first of a piece far away from the one
  /// before, which hardware doesn't foresee.
  double unforeseen = 0;
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
  /// Adds the cycles of the lines that come into a cache, each of which takes
  /// so many, in one call that follows another.
  void addTraffic(const Cache &cache, double cyclesOfLine,
                  CyclesByLoop &cycles) const;

private:
  /// The bytes from one iteration of the loop to the next; nullopt: anywhere.
  std::optional<int64_t> stepOf(const SCEV *address, const Loop *loop) const;
  void add(Instruction &instruction, Value *pointer, int64_t bytes);
  void findFootprints(Stream &stream) const;
  double findUnforeseen(const Stream &stream) const;
  /// The lines that one iteration of a loop touches; null: one call.
  double linesInIteration(const Loop *loop) const;

  Function &function;
  LoopInfo &loops;
  ScalarEvolution &evolution;
  const BlockFrequencies &frequencies;
  std::vector<Stream> streams;
  /// Objects with instructions that prefetch them, by innermost loops.
  DenseSet<std::pair<const Value *, const Loop *>> prefetched;
  /// The indices of streams, by the base of the address.
  DenseMap<const SCEV *, std::vector<size_t>> streamsOf;
};

} // namespace

void Footprint::merge() {
  llvm::sort(pieces);
  decltype(pieces) merged;
  for (auto [begin, end] : pieces)
    if (!merged.empty() && begin <= merged.back().second + cacheLineBytes)
      merged.back().second = std::max(merged.back().second, end);
    else
      merged.emplace_back(begin, end);
  pieces = std::move(merged);
}

void Footprint::repeat(std::optional<int64_t> step, double trips) {
  int64_t count = std::llround(trips);
  if (step == 0 || count <= 1)
    return;
  // More aren't told apart.
  constexpr size_t maxPieces = 4096;
  bool isDense =
      step && llvm::all_of(pieces, [&](const auto &piece) {
        return std::abs(*step) <= piece.second - piece.first + cacheLineBytes;
      });
  if (!isDense &&
      (!step || pieces.size() > maxPieces / static_cast<size_t>(count))) {
    numCopies *= trips;
    return;
  }
  decltype(pieces) first = std::move(pieces);
  pieces.clear();
  for (auto [begin, end] : first) {
    int64_t last = *step * (count - 1);
    if (isDense)
      add(std::min(begin, begin + last), std::max(end, end + last));
    else
      for (int64_t i = 0; i < count; ++i)
        add(begin + *step * i, end + *step * i);
  }
  merge();
}

std::pair<int64_t, int64_t>
Footprint::linesOf(std::pair<int64_t, int64_t> piece) {
  int64_t first = divideFloorSigned(piece.first, cacheLineBytes);
  return {first,
          divideFloorSigned(piece.second - 1, cacheLineBytes) - first + 1};
}

double Footprint::lines() const {
  int64_t count = 0;
  for (const auto &piece : pieces)
    count += linesOf(piece).second;
  return numCopies * static_cast<double>(count);
}

bool Footprint::isCrowded(const Cache &cache) const {
  if (cache.numSets == 0)
    return false;
  std::vector<int64_t> counts(static_cast<size_t>(cache.numSets));
  int64_t all = 0;
  for (const auto &piece : pieces) {
    auto [first, count] = linesOf(piece);
    all += count;
    // The same number in each set, and one more in some.
    for (int64_t &each : counts)
      each += count / cache.numSets;
    for (int64_t i = 0; i < count % cache.numSets; ++i)
      ++counts[static_cast<size_t>(mod(first + i, cache.numSets))];
  }
  int64_t crowded = 0;
  for (int64_t count : counts)
    if (count > cache.numWays)
      crowded += count;
  return 2 * crowded > all;
}

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
      valueInTheMiddle(offset, evolution, frequencies.trips(), {{loop, 0}});
  std::optional<int64_t> next =
      valueInTheMiddle(offset, evolution, frequencies.trips(), {{loop, 1}});
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
  // The offset doesn't matter to an access without known neighbors.
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
  stream.footprints.front().add(offset.value_or(0), offset.value_or(0) + bytes);
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
    if (call->getIntrinsicID() == Intrinsic::prefetch)
      prefetched.insert({getUnderlyingObject(call->getArgOperand(0)),
                         loops.getLoopFor(call->getParent())});
    if (call->getIntrinsicID() == Intrinsic::masked_load)
      add(instruction, call->getArgOperand(0),
          static_cast<int64_t>(layout.getTypeStoreSize(call->getType())));
    if (call->getIntrinsicID() == Intrinsic::masked_store)
      add(instruction, call->getArgOperand(1),
          static_cast<int64_t>(
              layout.getTypeStoreSize(call->getArgOperand(0)->getType())));
  }
  for (Stream &stream : streams) {
    findFootprints(stream);
    stream.unforeseen = findUnforeseen(stream);
  }
}

void TrafficFinder::findFootprints(Stream &stream) const {
  stream.footprints.front().merge();
  for (size_t depth = 1; depth <= stream.steps.size(); ++depth) {
    auto steps = to_vector(ArrayRef(stream.steps).take_front(depth));
    // From the smallest steps on, so that pieces grow together.
    llvm::sort(steps, [](const auto &a, const auto &b) {
      auto sizeOf = [](std::optional<int64_t> step) {
        return step ? std::abs(static_cast<double>(*step)) : HUGE_VAL;
      };
      return std::pair(sizeOf(a.second), a.first->getLoopDepth()) <
             std::pair(sizeOf(b.second), b.first->getLoopDepth());
    });
    Footprint footprint = stream.footprints.front();
    for (auto [loop, step] : steps)
      footprint.repeat(step, frequencies.trips(loop));
    stream.footprints.push_back(std::move(footprint));
  }
}

double TrafficFinder::findUnforeseen(const Stream &stream) const {
  // Fewer than two steps in a page don't show a pattern.
  constexpr int64_t farBytes = pageBytes / 2;
  const auto *next = llvm::find_if(
      stream.steps, [](const auto &step) { return step.second != 0; });
  if (next == stream.steps.end() ||
      (next->second && std::abs(*next->second) < farBytes) ||
      prefetched.contains({stream.object, stream.steps.front().first}))
    return 0;
  const Footprint &once = stream.footprints.front();
  return once.numPieces() / once.lines();
}

double TrafficFinder::linesInIteration(const Loop *loop) const {
  // Buffers that are written in one place and read in another count once.
  MapVector<const Value *, double> lines;
  for (const Stream &stream : streams) {
    size_t depth = 0;
    while (depth < stream.steps.size() && stream.steps[depth].first != loop)
      ++depth;
    if (loop && depth == stream.steps.size())
      continue;
    double &most = lines[stream.object];
    most = std::max(most, stream.footprints[depth].lines());
  }
  double sum = 0;
  for (const auto &each : lines)
    sum += each.second;
  return sum;
}

void TrafficFinder::addTraffic(const Cache &cache, double cyclesOfLine,
                               CyclesByLoop &cycles) const {
  auto isSmall = [&](const Loop *loop) {
    return linesInIteration(loop) * static_cast<double>(cacheLineBytes) <=
           static_cast<double>(cache.bytes);
  };
  DenseMap<const Loop *, bool> fits;
  for (const Loop *loop : loops.getLoopsInPreorder())
    fits[loop] = isSmall(loop);
  fits[nullptr] = isSmall(nullptr);
  // Accesses of one buffer in an iteration share the lines that arrive.
  struct Arrival {
    double lines = 0;
    const Loop *loop = nullptr;
  };
  MapVector<std::pair<const Value *, const Loop *>, Arrival> shared;
  auto count = [&](const Arrival &arrival) {
    cycles[arrival.loop ? arrival.loop->getHeader()->getName() : ""] +=
        cyclesOfLine * arrival.lines;
  };
  for (const Stream &stream : streams) {
    // The number of loops whose iterations find the data of the one before.
    size_t kept = 0, numLoops = stream.steps.size();
    while (kept <= numLoops &&
           fits[kept < numLoops ? stream.steps[kept].first : nullptr] &&
           !stream.footprints[kept].isCrowded(cache))
      ++kept;
    if (kept > numLoops)
      continue;
    double again = stream.times;
    for (auto [loop, step] : ArrayRef(stream.steps).take_front(kept))
      again /= frequencies.trips(loop);
    // The more, the longer the rest of the code has to wait. Lines that one
    // iteration has pushed out of a full set don't come back ahead of the next
    // one, either.
    constexpr double unforeseenFactor = 4;
    double unforeseen =
        stream.footprints.front().isCrowded(cache) ? 1 : stream.unforeseen;
    double lines = stream.footprints[kept].lines() * std::max(again, 1.0) *
                   (1 + unforeseen * (unforeseenFactor - 1));
    Arrival arrival{lines, numLoops > 0 ? stream.steps[0].first : nullptr};
    if (kept == 0) {
      count(arrival);
      continue;
    }
    Arrival &most = shared[{stream.object, stream.steps[kept - 1].first}];
    if (arrival.lines > most.lines)
      most = arrival;
  }
  for (const auto &each : shared)
    count(each.second);
}

CyclesByLoop target::cyclesOfTraffic(Function &function, LoopInfo &loops,
                                     ScalarEvolution &evolution,
                                     const BlockFrequencies &frequencies,
                                     const schedule::HostInfo &host) {
  TrafficFinder finder(function, loops, evolution, frequencies);
  finder.collect();
  // The cycles of a line from the next level that hardware prefetches: about
  // those of desktop and server CPUs since 2015.
  constexpr double fromL2 = 0.5, fromL3 = 2, fromMemory = 12;
  // The sets of level 1 are a page, so that they are found before addresses are
  // translated. The sets of level 3 are found by hashes.
  constexpr int64_t l2Ways = 16;
  CyclesByLoop cycles;
  finder.addTraffic(
      {host.l1Bytes, pageBytes / cacheLineBytes, host.l1Bytes / pageBytes},
      fromL2, cycles);
  if (host.l2Bytes > 0)
    finder.addTraffic(
        {host.l2Bytes, host.l2Bytes / cacheLineBytes / l2Ways, l2Ways}, fromL3,
        cycles);
  if (host.l3Bytes > 0)
    finder.addTraffic({host.l3Bytes}, fromMemory, cycles);
  return cycles;
}
