//===- BlockFrequencies.cpp - How often code runs -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels have static shapes, so that nearly all frequencies are known. A
// frequency that depends on outer loops, as those of the last tile and of the
// rows of a triangle do, is a mean over the iterations of all these loops: M
// rows that are cut into blocks of MC and these into tiles of MR are M rows,
// whether or not the sizes divide each other.
//
//===----------------------------------------------------------------------===//

#include "baco/CostModel/CpuCost.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace llvm;

namespace baco::target {

class FrequencyFinder {
public:
  FrequencyFinder(Function &function, LoopInfo &loops,
                  ScalarEvolution &evolution)
      : function(function), loops(loops), evolution(evolution) {}

  Expected<BlockFrequencies> run();

private:
  /// Whether the loop has a trip count; sets it.
  bool findTrips(Loop *loop);
  struct Sample {
    SmallVector<Iteration, 4> at;
    double weight = 0;
  };

  /// The loops that decide `scevs` in an iteration of `loop`, outermost first.
  SmallVector<const Loop *> loopsOf(const Loop *loop,
                                    ArrayRef<const SCEV *> scevs) const;
  /// How often the body of a loop runs in iterations `at` of loops around it.
  double tripsAt(const Loop *loop, ArrayRef<Iteration> at) const;
  /// Iterations of the loops, outermost first, each with the number of those
  /// that it stands for: all, or some at equal distances. The first and the
  /// last one of a loop stand for themselves.
  SmallVector<Sample> samplesOf(ArrayRef<const Loop *> nest) const;
  /// The mean of `value` over the iterations of all loops from `loop` outwards
  /// that decide `scevs`; nullopt if any isn't known.
  std::optional<double>
  average(const Loop *loop, ArrayRef<const SCEV *> scevs,
          function_ref<double(ArrayRef<int64_t>)> value) const;
  std::optional<double> probabilityOf(const BranchInst *branch) const;
  /// Sends the executions that arrive at `block` to its successors.
  void propagate(BasicBlock *block);
  void add(BasicBlock *block, double times) {
    result.frequencies[block] += times;
  }

  Function &function;
  LoopInfo &loops;
  ScalarEvolution &evolution;
  BlockFrequencies result;
  /// How often loops are entered, and their headers run then.
  DenseMap<const Loop *, double> entries, headerCounts;
  /// One less than how often headers run, where that depends on other loops.
  DenseMap<const Loop *, const SCEV *> taken;
};

} // namespace baco::target

using namespace baco;
using namespace baco::target;
using namespace llvm::PatternMatch;

/// The operation of `scev` on the values of its operands.
static std::optional<int64_t> combine(const SCEVNAryExpr *scev,
                                      ArrayRef<int64_t> values) {
  auto result = static_cast<uint64_t>(values.front());
  for (int64_t value : values.drop_front()) {
    auto bits = static_cast<uint64_t>(value);
    bool isLess = value < static_cast<int64_t>(result), isBelow = bits < result;
    switch (scev->getSCEVType()) {
    case scAddExpr:
      result += bits;
      break;
    case scMulExpr:
      result *= bits;
      break;
    case scSMinExpr:
      result = isLess ? bits : result;
      break;
    case scSMaxExpr:
      result = isLess ? result : bits;
      break;
    case scUMinExpr:
    case scSequentialUMinExpr:
      result = isBelow ? bits : result;
      break;
    case scUMaxExpr:
      result = isBelow ? result : bits;
      break;
    default:
      return std::nullopt;
    }
  }
  return static_cast<int64_t>(result);
}

/// The middle one of so many iterations.
static uint64_t middleOf(double trips) {
  return static_cast<uint64_t>(std::max(trips - 1, 0.0) / 2);
}

/// The value of an instruction that scalar evolution doesn't look into:
/// divisions of numbers with a sign, which MLIR rounds down by choices.
static std::optional<int64_t>
compute(Instruction *instruction,
        function_ref<std::optional<int64_t>(Value *)> known) {
  if (auto *choice = dyn_cast<SelectInst>(instruction)) {
    auto *compare = dyn_cast<ICmpInst>(choice->getCondition());
    std::optional<int64_t> left, right;
    if (compare) {
      left = known(compare->getOperand(0));
      right = known(compare->getOperand(1));
    }
    if (!left || !right)
      return std::nullopt;
    bool isTrue = ICmpInst::compare(APInt(64, static_cast<uint64_t>(*left)),
                                    APInt(64, static_cast<uint64_t>(*right)),
                                    compare->getPredicate());
    return known(isTrue ? choice->getTrueValue() : choice->getFalseValue());
  }
  unsigned opcode = instruction->getOpcode();
  if (opcode != Instruction::SDiv && opcode != Instruction::SRem)
    return std::nullopt;
  std::optional<int64_t> left = known(instruction->getOperand(0));
  std::optional<int64_t> right = known(instruction->getOperand(1));
  if (!left || !right || *right == 0 || *right == -1)
    return std::nullopt;
  return opcode == Instruction::SDiv ? *left / *right : *left % *right;
}

std::optional<int64_t> target::valueInTheMiddle(const SCEV *scev,
                                                ScalarEvolution &evolution,
                                                const TripCounts &trips,
                                                ArrayRef<Iteration> at) {
  auto evaluate = [&](const SCEV *part) {
    return valueInTheMiddle(part, evolution, trips, at);
  };
  if (const auto *constant = dyn_cast<SCEVConstant>(scev))
    return constant->getAPInt().getSignificantBits() <= 64
               ? std::optional(constant->getAPInt().getSExtValue())
               : std::nullopt;
  if (const auto *cast = dyn_cast<SCEVCastExpr>(scev)) {
    std::optional<int64_t> value = evaluate(cast->getOperand());
    unsigned from = static_cast<unsigned>(
        evolution.getTypeSizeInBits(cast->getOperand()->getType()));
    unsigned to =
        static_cast<unsigned>(evolution.getTypeSizeInBits(cast->getType()));
    unsigned bits = std::min(from, to);
    if (!value || bits >= 64)
      return value;
    auto low = static_cast<uint64_t>(*value);
    return isa<SCEVZeroExtendExpr>(cast)
               ? std::optional<int64_t>(low & maskTrailingOnes<uint64_t>(bits))
               : std::optional<int64_t>(SignExtend64(low, bits));
  }
  if (const auto *division = dyn_cast<SCEVUDivExpr>(scev)) {
    std::optional<int64_t> left = evaluate(division->getLHS());
    std::optional<int64_t> right = evaluate(division->getRHS());
    return left && right && *right != 0
               ? std::optional<int64_t>(static_cast<uint64_t>(*left) /
                                        static_cast<uint64_t>(*right))
               : std::nullopt;
  }
  if (const auto *recurrence = dyn_cast<SCEVAddRecExpr>(scev)) {
    auto known = trips.find(recurrence->getLoop());
    if (!recurrence->isAffine() || known == trips.end())
      return std::nullopt;
    std::optional<int64_t> start = evaluate(recurrence->getStart());
    std::optional<int64_t> step =
        evaluate(recurrence->getStepRecurrence(evolution));
    const auto *given = llvm::find_if(at, [&](const Iteration &one) {
      return one.loop == recurrence->getLoop();
    });
    uint64_t iteration =
        given != at.end() ? given->number : middleOf(known->second);
    return start && step ? std::optional<int64_t>(
                               static_cast<uint64_t>(*start) +
                               static_cast<uint64_t>(*step) * iteration)
                         : std::nullopt;
  }
  if (const auto *several = dyn_cast<SCEVNAryExpr>(scev)) {
    SmallVector<int64_t> values;
    for (const SCEV *operand : several->operands()) {
      std::optional<int64_t> value = evaluate(operand);
      if (!value)
        return std::nullopt;
      values.push_back(*value);
    }
    return combine(several, values);
  }
  if (const auto *unknown = dyn_cast<SCEVUnknown>(scev)) {
    auto known = [&](Value *operand) -> std::optional<int64_t> {
      return evolution.isSCEVable(operand->getType())
                 ? evaluate(evolution.getSCEV(operand))
                 : std::nullopt;
    };
    if (auto *instruction = dyn_cast<Instruction>(unknown->getValue()))
      if (std::optional<int64_t> value = compute(instruction, known))
        return value;
    if (!at.empty() && evolution.isLoopInvariant(scev, at.back().loop))
      return 0;
  }
  return std::nullopt;
}

SmallVector<const Loop *>
FrequencyFinder::loopsOf(const Loop *loop, ArrayRef<const SCEV *> scevs) const {
  SmallPtrSet<const Loop *, 4> found;
  SmallPtrSet<const SCEV *, 16> seen;
  SmallVector<const SCEV *> left(scevs);
  auto push = [&](Value *value) {
    if (evolution.isSCEVable(value->getType()))
      left.push_back(evolution.getSCEV(value));
  };
  while (!left.empty()) {
    const SCEV *scev = left.pop_back_val();
    if (!seen.insert(scev).second)
      continue;
    append_range(left, scev->operands());
    if (const auto *recurrence = dyn_cast<SCEVAddRecExpr>(scev)) {
      found.insert(recurrence->getLoop());
      // How many iterations it has may depend on others.
      if (const SCEV *count = taken.lookup(recurrence->getLoop()))
        left.push_back(count);
    }
    // compute() looks into the operands of these instructions.
    const auto *unknown = dyn_cast<SCEVUnknown>(scev);
    auto *user = unknown ? dyn_cast<Instruction>(unknown->getValue()) : nullptr;
    if (!user)
      continue;
    if (auto *choice = dyn_cast<SelectInst>(user))
      if (auto *compare = dyn_cast<ICmpInst>(choice->getCondition()))
        for_each(compare->operands(), push);
    if (isa<SelectInst>(user) || user->isIntDivRem())
      for_each(user->operands(), push);
  }
  SmallVector<const Loop *> nest;
  for (; loop; loop = loop->getParentLoop())
    if (found.contains(loop))
      nest.insert(nest.begin(), loop);
  return nest;
}

double FrequencyFinder::tripsAt(const Loop *loop,
                                ArrayRef<Iteration> at) const {
  double trips = result.trips(loop);
  const SCEV *count = taken.lookup(loop);
  std::optional<int64_t> value =
      count ? valueInTheMiddle(count, evolution, result.tripCounts, at)
            : std::nullopt;
  if (!value)
    return trips;
  // The header may run once more than the body.
  return std::max(static_cast<double>(*value), 0.0) + 1 -
         (headerCounts.lookup(loop) - trips);
}

SmallVector<FrequencyFinder::Sample>
FrequencyFinder::samplesOf(ArrayRef<const Loop *> nest) const {
  constexpr double maxSamples = 256;
  SmallVector<Sample> samples = {{{}, 1}};
  for (auto [depth, loop] : enumerate(nest)) {
    // The first, the last and one in between are the least.
    auto most = static_cast<uint64_t>(
        std::max(3.0, std::round(std::pow(maxSamples / double(samples.size()),
                                          1 / double(nest.size() - depth)))));
    SmallVector<Sample> inside;
    for (const Sample &sample : samples) {
      auto trips = static_cast<uint64_t>(tripsAt(loop, sample.at));
      uint64_t count = std::clamp<uint64_t>(trips, 1, most);
      for (uint64_t i = 0; i < count; ++i) {
        // One that doesn't run counts where none runs.
        double weight = trips > 0 ? 1 : 1e-9;
        if (i > 0 && i + 1 < count)
          weight = double(trips - 2) / double(count - 2);
        Sample &one = inside.emplace_back(sample);
        one.weight *= weight;
        one.at.push_back({loop, i == 0 ? 0 : i * (trips - 1) / (count - 1)});
      }
    }
    samples = std::move(inside);
  }
  return samples;
}

std::optional<double>
FrequencyFinder::average(const Loop *loop, ArrayRef<const SCEV *> scevs,
                         function_ref<double(ArrayRef<int64_t>)> value) const {
  double sum = 0, total = 0;
  for (const Sample &sample : samplesOf(loopsOf(loop, scevs))) {
    SmallVector<int64_t> values;
    for (const SCEV *scev : scevs) {
      std::optional<int64_t> one =
          valueInTheMiddle(scev, evolution, result.tripCounts, sample.at);
      if (!one)
        return std::nullopt;
      values.push_back(*one);
    }
    sum += sample.weight * value(values);
    total += sample.weight;
  }
  return sum / total;
}

/// Adds the comparisons that a condition combines; whether it is made of
/// nothing else.
static bool collectCompares(Value *condition,
                            SmallVectorImpl<ICmpInst *> &compares) {
  Value *left, *right;
  if (match(condition, m_LogicalAnd(m_Value(left), m_Value(right))) ||
      match(condition, m_LogicalOr(m_Value(left), m_Value(right))))
    return collectCompares(left, compares) && collectCompares(right, compares);
  auto *compare = dyn_cast<ICmpInst>(condition);
  if (compare)
    compares.push_back(compare);
  return compare;
}

/// Whether a condition holds; `next` has the operands of its comparisons, in
/// order, and is set behind them.
static bool holds(Value *condition, const int64_t *&next) {
  Value *left, *right;
  bool isAnd = match(condition, m_LogicalAnd(m_Value(left), m_Value(right)));
  if (isAnd || match(condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
    bool first = holds(left, next), second = holds(right, next);
    return isAnd ? first && second : first || second;
  }
  APInt operands[] = {APInt(64, static_cast<uint64_t>(next[0])),
                      APInt(64, static_cast<uint64_t>(next[1]))};
  next += 2;
  return ICmpInst::compare(operands[0], operands[1],
                           cast<ICmpInst>(condition)->getPredicate());
}

std::optional<double>
FrequencyFinder::probabilityOf(const BranchInst *branch) const {
  SmallVector<ICmpInst *> compares;
  if (!collectCompares(branch->getCondition(), compares))
    return std::nullopt;
  SmallVector<const SCEV *> scevs;
  for (ICmpInst *compare : compares)
    for (Value *operand : compare->operands()) {
      if (!evolution.isSCEVable(operand->getType()))
        return std::nullopt;
      scevs.push_back(evolution.getSCEV(operand));
    }
  return average(loops.getLoopFor(branch->getParent()), scevs,
                 [&](ArrayRef<int64_t> values) {
                   const int64_t *next = values.data();
                   return holds(branch->getCondition(), next);
                 });
}

bool FrequencyFinder::findTrips(Loop *loop) {
  // The last one of a loop that ends at its begin isn't whole.
  double last = loop->isLoopExiting(loop->getHeader()) &&
                        loop->getLoopLatch() != loop->getHeader()
                    ? 0
                    : 1;
  double trips = evolution.getSmallConstantTripCount(loop);
  if (trips == 0)
    if (const SCEV *count = evolution.getBackedgeTakenCount(loop);
        !isa<SCEVCouldNotCompute>(count)) {
      taken[loop] = count;
      trips =
          average(loop->getParentLoop(), {count}, [](ArrayRef<int64_t> values) {
            return static_cast<double>(std::max<int64_t>(values[0], 0)) + 1;
          }).value_or(0);
    }
  if (trips == 0)
    trips = evolution.getSmallConstantMaxTripCount(loop);
  if (trips == 0)
    return false;
  headerCounts[loop] = trips;
  result.tripCounts[loop] = trips - 1 + last;
  return true;
}

void FrequencyFinder::propagate(BasicBlock *block) {
  Loop *loop = loops.getLoopFor(block);
  double &times = result.frequencies[block];
  if (loop && loop->getHeader() == block) {
    entries[loop] = times;
    times *= headerCounts[loop];
  }
  double here = times;
  SmallVector<BasicBlock *, 4> inside;
  for (BasicBlock *successor : successors(block)) {
    bool isBackEdge = loop && successor == loop->getHeader();
    if (loop && !loop->contains(successor)) {
      // All that entered the outermost of the loops that this leaves.
      Loop *left = loop;
      while (left->getParentLoop() &&
             !left->getParentLoop()->contains(successor))
        left = left->getParentLoop();
      SmallVector<std::pair<BasicBlock *, BasicBlock *>> exits;
      left->getExitEdges(exits);
      double leaves = entries[left] / static_cast<double>(exits.size());
      add(successor, leaves);
      here = std::max(here - leaves, 0.0);
    } else if (!isBackEdge) {
      inside.push_back(successor);
    }
  }
  auto *branch = dyn_cast<BranchInst>(block->getTerminator());
  if (branch && branch->isConditional() && inside.size() == 2)
    if (std::optional<double> taken = probabilityOf(branch)) {
      add(branch->getSuccessor(0), here * *taken);
      add(branch->getSuccessor(1), here * (1 - *taken));
      return;
    }
  for (BasicBlock *successor : inside)
    add(successor, here / static_cast<double>(inside.size()));
}

Expected<BlockFrequencies> FrequencyFinder::run() {
  // Outer loops first.
  for (Loop *loop : loops.getLoopsInPreorder())
    if (!findTrips(loop))
      return createStringError(
          formatv("a loop of '{0}' has no trip count that is known when it is "
                  "compiled",
                  function.getName())
              .str());
  add(&function.getEntryBlock(), 1);
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
    propagate(block);
  return std::move(result);
}

Expected<BlockFrequencies>
BlockFrequencies::compute(Function &function, LoopInfo &loops,
                          ScalarEvolution &evolution) {
  return FrequencyFinder(function, loops, evolution).run();
}
