//===- RegisterPressure.cpp - Registers that a kernel needs ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterPressure.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/DemandedBits.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;
using namespace baco::target;

bool baco::target::isFusedProduct(const Instruction &instruction) {
  if (instruction.getOpcode() != Instruction::FMul ||
      !instruction.hasOneUse() ||
      !cast<FPMathOperator>(instruction).hasAllowContract())
    return false;
  const auto *user = dyn_cast<Instruction>(*instruction.user_begin());
  return user &&
         (user->getOpcode() == Instruction::FAdd ||
          user->getOpcode() == Instruction::FSub) &&
         cast<FPMathOperator>(user)->hasAllowContract();
}

namespace {
/// A scalar that occupies a register, numbered; or none, such as a constant.
using Scalar = int;
constexpr Scalar noScalar = -1;
constexpr unsigned registerBits = 32;
using Scalars = SmallVector<Scalar, 4>;

/// Numbers the scalars of a kernel, and finds those that are live.
class Liveness {
public:
  explicit Liveness(const Function &kernel);
  MapVector<const BasicBlock *, int64_t> findPressure() const;
  /// Lets loads in loops wait until something needs them, up to the next
  /// barrier.
  void sinkLoads();
  bool hasLoops() const { return !loops.empty(); }
  int64_t countLoadsAhead(const BasicBlock &block);

private:
  const Scalars &scalarsOf(const Value *value);
  const Value *findNear(const GEPOperator &address);
  std::optional<Scalars> findBits(const BitCastInst &cast);
  std::optional<Scalars> findMoved(const Value *value);
  Scalars number(Type *type, std::optional<unsigned> integerBits = {});
  Scalars numberValue(const Value &value);
  unsigned countBits(const Value &value);
  bool isFolded(const Instruction &instruction) const;
  void addUses(const Instruction &instruction);
  int64_t walk(const BasicBlock &block, BitVector &live) const;

  const Function &kernel;
  AssumptionCache assumptions;
  DominatorTree dominators;
  DemandedBits demanded;
  LoopInfo loops;
  TargetLibraryInfoImpl libraryInfo;
  TargetLibraryInfo library;
  ScalarEvolution evolution;
  /// Addresses that differ by constants, by what they have in common.
  DenseMap<const SCEV *, SmallVector<const Instruction *, 2>> addresses;
  DenseMap<const Value *, Scalars> scalars;
  /// Values whose scalars are others'.
  DenseSet<const Value *> moved;
  /// Half registers of each scalar: 2 for one of 32 bits.
  SmallVector<uint8_t, 0> halves;
  /// The scalars that each instruction reads.
  DenseMap<const Instruction *, Scalars> uses;
  /// The scalars that are loaded just before an instruction, the first one that
  /// needs them.
  DenseMap<const Instruction *, Scalars> sunk;
};
} // namespace

/// The bits of an integer that aren't 0 in the upper half, or that nothing
/// needs: ptxas keeps no register for these.
unsigned Liveness::countBits(const Value &value) {
  unsigned bits = value.getType()->getIntegerBitWidth();
  const auto *instruction = dyn_cast<Instruction>(&value);
  if (bits <= registerBits || !instruction)
    return bits;
  unsigned demanded =
      this->demanded.getDemandedBits(const_cast<Instruction *>(instruction))
          .getActiveBits();
  unsigned known = evolution
                       .getUnsignedRangeMax(evolution.getSCEV(
                           const_cast<Instruction *>(instruction)))
                       .getActiveBits();
  return std::min({bits, demanded, known});
}

/// New scalars for a value of `type`; of an integer, `bits` of it count.
Scalars Liveness::number(Type *type, std::optional<unsigned> integerBits) {
  Scalars numbers;
  auto add = [&](Type *scalar) {
    unsigned bits = 64;
    if (auto *pointer = dyn_cast<PointerType>(scalar))
      bits = pointer->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED
                 ? registerBits // by ptxas, whatever PTX says
                 : kernel.getDataLayout().getPointerSizeInBits(
                       pointer->getAddressSpace());
    else if (integerBits)
      bits = std::max(2u, *integerBits);
    else if (unsigned size = scalar->getScalarSizeInBits())
      bits = size;
    // A predicate isn't in a register.
    halves.push_back(bits == 1 ? 0 : bits <= 16 ? 1 : bits <= 32 ? 2 : 4);
    numbers.push_back(static_cast<Scalar>(halves.size()) - 1);
  };
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      add(vector->getElementType());
  } else if (auto *structure = dyn_cast<StructType>(type)) {
    for (Type *element : structure->elements())
      numbers.append(number(element));
  } else if (!type->isVoidTy() && !type->isArrayTy()) {
    add(type);
    if (halves.back() == 1)
      halves.back() = 2; // alone in its register
  }
  return numbers;
}

/// The number of scalars in front of those at `indices` of a structure.
static unsigned countBefore(const Type *type, ArrayRef<unsigned> indices);

Scalars Liveness::numberValue(const Value &value) {
  std::optional<unsigned> bits;
  if (value.getType()->isIntegerTy() &&
      value.getType()->getIntegerBitWidth() > 1)
    bits = countBits(value);
  return number(value.getType(), bits);
}

static unsigned countScalars(const Type *type) {
  if (const auto *vector = dyn_cast<FixedVectorType>(type))
    return vector->getNumElements();
  if (const auto *structure = dyn_cast<StructType>(type))
    return countBefore(type, structure->getNumElements());
  return type->isVoidTy() || type->isArrayTy() ? 0 : 1;
}

static unsigned countBefore(const Type *type, ArrayRef<unsigned> indices) {
  unsigned count = 0;
  for (unsigned index : indices) {
    const auto *structure = dyn_cast<StructType>(type);
    if (!structure)
      return 0; // arrays have no scalars
    for (unsigned i = 0; i < index; ++i)
      count += countScalars(structure->getElementType(i));
    if (index < structure->getNumElements())
      type = structure->getElementType(index);
  }
  return count;
}

/// An earlier address that differs from `address` by a constant, which is a
/// part of accesses; null if there is none.
const Value *Liveness::findNear(const GEPOperator &address) {
  auto *instruction =
      dyn_cast<Instruction>(const_cast<GEPOperator *>(&address));
  if (!instruction || !address.getType()->isPointerTy())
    return nullptr;
  const SCEV *whole = evolution.getSCEV(instruction);
  const SCEV *variable = whole;
  if (const auto *sum = dyn_cast<SCEVAddExpr>(whole);
      sum && isa<SCEVConstant>(sum->getOperand(0)))
    variable = evolution.getMinusSCEV(whole, sum->getOperand(0));
  SmallVector<const Instruction *, 2> &same = addresses[variable];
  for (const Instruction *other : same)
    if (dominators.dominates(other, instruction))
      return other;
  same.push_back(instruction);
  return nullptr;
}

/// The scalars of a `cast` to a value of the same bits: f16 in pairs are the
/// i32 that they were loaded as. nullopt if they have to be packed.
std::optional<Scalars> Liveness::findBits(const BitCastInst &cast) {
  const Scalars &source = scalarsOf(cast.getOperand(0));
  unsigned count = countScalars(cast.getType());
  if (source.size() == count)
    return source;
  Scalars result;
  if (count > source.size() && !source.empty() && count % source.size() == 0) {
    for (Scalar scalar : source)
      result.append(count / source.size(), scalar);
    return result;
  }
  if (count == 0 || source.size() % count != 0)
    return std::nullopt;
  for (ArrayRef<Scalar> rest = source; !rest.empty();
       rest = rest.drop_front(source.size() / count)) {
    ArrayRef<Scalar> one = rest.take_front(source.size() / count);
    if (!all_equal(one))
      return std::nullopt;
    result.push_back(one.front());
  }
  return result;
}

/// The scalars of a value that others have made, such as of a move; nullopt if
/// it makes its own.
std::optional<Scalars> Liveness::findMoved(const Value *value) {
  if (const auto *address = dyn_cast<GEPOperator>(value)) {
    if (address->hasAllConstantIndices())
      return scalarsOf(address->getPointerOperand());
    if (const Value *other = findNear(*address))
      return scalarsOf(other);
  }
  if (isa<Constant>(value))
    return Scalars(countScalars(value->getType()), noScalar);
  // Kernel arguments are in constant memory.
  if (isa<Argument>(value))
    return Scalars(1, noScalar);
  if (const auto *insert = dyn_cast<InsertElementInst>(value))
    if (const auto *index = dyn_cast<ConstantInt>(insert->getOperand(2))) {
      Scalars result = scalarsOf(insert->getOperand(0));
      Scalars inserted = scalarsOf(insert->getOperand(1));
      if (index->getZExtValue() < result.size() && !inserted.empty())
        result[index->getZExtValue()] = inserted.front();
      return result;
    }
  if (const auto *extract = dyn_cast<ExtractElementInst>(value))
    if (const auto *index = dyn_cast<ConstantInt>(extract->getIndexOperand())) {
      const Scalars &source = scalarsOf(extract->getVectorOperand());
      if (index->getZExtValue() < source.size())
        return Scalars{source[index->getZExtValue()]};
    }
  if (const auto *extract = dyn_cast<ExtractValueInst>(value)) {
    const Value *source = extract->getAggregateOperand();
    ArrayRef<Scalar> all = scalarsOf(source);
    unsigned first = countBefore(source->getType(), extract->getIndices());
    unsigned count = countScalars(value->getType());
    if (first + count <= all.size())
      return Scalars(all.slice(first, count));
  }
  if (const auto *insert = dyn_cast<InsertValueInst>(value)) {
    Scalars result = scalarsOf(insert->getAggregateOperand());
    Scalars inserted = scalarsOf(insert->getInsertedValueOperand());
    unsigned first = countBefore(value->getType(), insert->getIndices());
    if (first + inserted.size() <= result.size()) {
      copy(inserted, result.begin() + first);
      return result;
    }
  }
  if (const auto *shuffle = dyn_cast<ShuffleVectorInst>(value)) {
    Scalars sources = scalarsOf(shuffle->getOperand(0));
    sources.append(scalarsOf(shuffle->getOperand(1)));
    Scalars result;
    for (int index : shuffle->getShuffleMask())
      result.push_back(index < 0 ? noScalar : sources[index]);
    return result;
  }
  if (const auto *cast = dyn_cast<BitCastInst>(value))
    return findBits(*cast);
  if (isa<FreezeInst, AddrSpaceCastInst>(value))
    return scalarsOf(cast<Instruction>(value)->getOperand(0));
  // The lower half of a wide integer is one of 32 bits.
  if (isa<ZExtInst, TruncInst>(value)) {
    const auto *instruction = cast<Instruction>(value);
    const Type *source = instruction->getOperand(0)->getType();
    if (source->isIntegerTy() && !source->isIntegerTy(1) &&
        !value->getType()->isIntegerTy(1))
      return scalarsOf(instruction->getOperand(0));
  }
  return std::nullopt;
}

const Scalars &Liveness::scalarsOf(const Value *value) {
  if (auto found = scalars.find(value); found != scalars.end())
    return found->second;
  // Dominance makes this end: only phis have cycles, and they are numbered.
  std::optional<Scalars> made = findMoved(value);
  if (made)
    moved.insert(value);
  else
    made = numberValue(*value);
  return scalars[value] = std::move(*made);
}

/// Whether an instruction has no machine code of its own, and reads nothing at
/// its place.
bool Liveness::isFolded(const Instruction &instruction) const {
  return moved.contains(&instruction) || isFusedProduct(instruction) ||
         isa<PHINode>(instruction);
}

void Liveness::addUses(const Instruction &instruction) {
  Scalars &read = uses[&instruction];
  if (isFolded(instruction))
    return;
  SmallVector<const Value *> open(instruction.operand_values());
  while (!open.empty()) {
    const Value *operand = open.pop_back_val();
    if (const auto *product = dyn_cast<Instruction>(operand);
        product && isFusedProduct(*product)) {
      append_range(open, product->operand_values());
      continue;
    }
    if (!isa<BasicBlock, MetadataAsValue>(operand))
      for (Scalar scalar : scalarsOf(operand))
        if (scalar != noScalar)
          read.push_back(scalar);
  }
}

Liveness::Liveness(const Function &kernel)
    : kernel(kernel), assumptions(const_cast<Function &>(kernel)),
      dominators(const_cast<Function &>(kernel)),
      demanded(const_cast<Function &>(kernel), assumptions, dominators),
      loops(dominators), libraryInfo(kernel.getParent()->getTargetTriple()),
      library(libraryInfo), evolution(const_cast<Function &>(kernel), library,
                                      assumptions, dominators, loops) {
  for (const BasicBlock &block : kernel)
    for (const PHINode &phi : block.phis())
      scalars[&phi] = numberValue(phi);
  for (const BasicBlock &block : kernel)
    for (const Instruction &instruction : block) {
      scalarsOf(&instruction);
      addUses(instruction);
    }
}

bool baco::target::isBarrier(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().contains("barrier");
}

static bool isMatrixLoad(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with("llvm.nvvm.ldmatrix.");
}

void Liveness::sinkLoads() {
  // The bytes of a long vector that one instruction loads.
  constexpr size_t partBytes = 16;
  for (const BasicBlock &block : kernel) {
    if (!loops.getLoopFor(&block))
      continue;
    // The parts that nothing has needed so far.
    DenseMap<Scalar, Scalars> waiting;
    for (const Instruction &instruction : block) {
      if (isBarrier(instruction))
        waiting.clear();
      for (Scalar scalar : uses.find(&instruction)->second) {
        auto part = waiting.find(scalar);
        if (part == waiting.end())
          continue;
        Scalars all = part->second;
        sunk[&instruction].append(all);
        for (Scalar one : all)
          waiting.erase(one);
      }
      bool isMatrix = isMatrixLoad(instruction);
      if (!isMatrix && !isa<LoadInst>(instruction))
        continue;
      ArrayRef<Scalar> loaded = scalars.find(&instruction)->second;
      size_t size =
          std::max(1u, instruction.getType()->getScalarSizeInBits() / 8);
      size_t each =
          isMatrix ? loaded.size() : std::max<size_t>(1, partBytes / size);
      for (; !loaded.empty();
           loaded = loaded.drop_front(std::min(each, loaded.size()))) {
        ArrayRef<Scalar> part = loaded.take_front(each);
        for (Scalar scalar : part)
          waiting[scalar] = Scalars(part);
      }
    }
  }
}

/// Goes up through `block`, from the scalars `live` at its end, and returns the
/// most half registers that are live in it.
int64_t Liveness::walk(const BasicBlock &block, BitVector &live) const {
  int64_t now = 0, most = 0;
  for (unsigned scalar : live.set_bits())
    now += halves[scalar];
  most = now;
  auto kill = [&](Scalar scalar) {
    if (scalar == noScalar || !live.test(scalar))
      return;
    live.reset(scalar);
    now -= halves[scalar];
  };
  for (const Instruction &instruction : reverse(block)) {
    if (isa<PHINode>(instruction)) {
      for (Scalar scalar : scalars.find(&instruction)->second)
        kill(scalar);
      continue;
    }
    if (!isFolded(instruction))
      for (Scalar scalar : scalars.find(&instruction)->second)
        kill(scalar);
    for (Scalar scalar : uses.find(&instruction)->second)
      if (!live.test(scalar)) {
        live.set(scalar);
        now += halves[scalar];
      }
    most = std::max(most, now);
    if (auto here = sunk.find(&instruction); here != sunk.end())
      for (Scalar scalar : here->second)
        kill(scalar);
  }
  return most;
}

MapVector<const BasicBlock *, int64_t> Liveness::findPressure() const {
  auto size = static_cast<unsigned>(halves.size());
  DenseMap<const BasicBlock *, BitVector> liveIn;
  for (const BasicBlock &block : kernel)
    liveIn.try_emplace(&block, size);
  auto liveOut = [&](const BasicBlock &block) {
    BitVector live(size);
    for (const BasicBlock *next : successors(&block)) {
      live |= liveIn.find(next)->second;
      for (const PHINode &phi : next->phis()) {
        const Value *value = phi.getIncomingValueForBlock(&block);
        auto found = scalars.find(value);
        if (found == scalars.end())
          continue;
        for (Scalar scalar : found->second)
          if (scalar != noScalar)
            live.set(scalar);
      }
    }
    return live;
  };
  MapVector<const BasicBlock *, int64_t> pressure;
  for (bool changes = true; changes;) {
    changes = false;
    for (const BasicBlock &block : reverse(kernel)) {
      BitVector live = liveOut(block);
      int64_t most = walk(block, live);
      pressure[&block] = (most + 1) / 2;
      BitVector &before = liveIn.find(&block)->second;
      if (live != before) {
        before = std::move(live);
        changes = true;
      }
    }
  }
  return pressure;
}

/// The registers for loads of the iterations that follow, if ptxas unrolls the
/// loop whose only block this is; 0 if it doesn't.
int64_t Liveness::countLoadsAhead(const BasicBlock &block) {
  constexpr size_t mostInstructions = 100;
  constexpr int64_t unrolled = 4;
  const Loop *loop = loops.getLoopFor(&block);
  if (!loop || loop->getNumBlocks() != 1 || block.size() > mostInstructions)
    return 0;
  int64_t loaded = 0;
  for (const Instruction &instruction : block) {
    const Value *pointer = isa<LoadInst>(instruction)
                               ? getLoadStorePointerOperand(&instruction)
                               : nullptr;
    if (!pointer || isa<GlobalVariable>(getUnderlyingObject(pointer)))
      continue;
    for (Scalar scalar : scalars.find(&instruction)->second)
      loaded += halves[scalar];
  }
  return (unrolled - 1) * ((loaded + 1) / 2);
}

MapVector<const BasicBlock *, int64_t>
baco::target::estimateRegisters(const Function &kernel) {
  // Fitted to ptxas 13.0 (unittests/Driver/GpuRegisters). Beside live values
  // there are addresses in flight, copies, and gaps by the alignment of
  // vectors.
  constexpr int64_t mostAhead = 16, inLoops = 14, withoutLoops = 4;
  Liveness liveness(kernel);
  MapVector<const BasicBlock *, int64_t> early = liveness.findPressure();
  liveness.sinkLoads();
  MapVector<const BasicBlock *, int64_t> registers = liveness.findPressure();
  int64_t overhead = liveness.hasLoops() ? inLoops : withoutLoops;
  for (auto &[block, count] : registers) {
    if (int64_t ahead = liveness.countLoadsAhead(*block))
      count += std::min(mostAhead, early[block] - count + ahead);
    count += overhead;
  }
  return registers;
}
