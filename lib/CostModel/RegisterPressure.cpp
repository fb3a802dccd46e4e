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
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"

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
using Scalars = SmallVector<Scalar, 4>;

/// Numbers the scalars of a kernel, and finds those that are live.
class Liveness {
public:
  explicit Liveness(const Function &kernel);
  MapVector<const BasicBlock *, int64_t> findPressure() const;
  /// Lets loads wait until something needs them, up to the next barrier.
  void sinkLoads();

private:
  const Scalars &scalarsOf(const Value *value);
  Scalars makeScalars(const Value *value);
  Scalars number(Type *type);
  void addUses(const Instruction &instruction);
  int64_t walk(const BasicBlock &block, BitVector &live) const;

  const Function &kernel;
  DenseMap<const Value *, Scalars> scalars;
  /// Half registers of each scalar: 2 for one of 32 bits.
  SmallVector<uint8_t, 0> halves;
  /// The scalars that each instruction reads.
  DenseMap<const Instruction *, Scalars> uses;
  /// The scalars that are loaded just before an instruction, the first one that
  /// needs them.
  DenseMap<const Instruction *, Scalars> sunk;
};
} // namespace

/// New scalars for a value of `type`.
Scalars Liveness::number(Type *type) {
  Scalars numbers;
  auto add = [&](Type *scalar) {
    unsigned bits = 64;
    if (auto *pointer = dyn_cast<PointerType>(scalar))
      bits = kernel.getDataLayout().getPointerSizeInBits(
          pointer->getAddressSpace());
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

static unsigned countElements(const Type *type) {
  const auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

/// The scalars that `value` consists of. Moves have those of their sources.
Scalars Liveness::makeScalars(const Value *value) {
  if (const auto *address = dyn_cast<GEPOperator>(value);
      address && address->hasAllConstantIndices())
    return scalarsOf(address->getPointerOperand());
  if (isa<Constant>(value))
    return Scalars(countElements(value->getType()), noScalar);
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
        return {source[index->getZExtValue()]};
    }
  if (const auto *shuffle = dyn_cast<ShuffleVectorInst>(value)) {
    Scalars sources = scalarsOf(shuffle->getOperand(0));
    sources.append(scalarsOf(shuffle->getOperand(1)));
    Scalars result;
    for (int index : shuffle->getShuffleMask())
      result.push_back(index < 0 ? noScalar : sources[index]);
    return result;
  }
  if (isa<BitCastInst, FreezeInst>(value)) {
    const Value *source = cast<Instruction>(value)->getOperand(0);
    if (countElements(source->getType()) == countElements(value->getType()))
      return scalarsOf(source);
  }
  if (isa<AddrSpaceCastInst>(value))
    return scalarsOf(cast<Instruction>(value)->getOperand(0));
  return number(value->getType());
}

const Scalars &Liveness::scalarsOf(const Value *value) {
  if (auto found = scalars.find(value); found != scalars.end())
    return found->second;
  // Dominance makes this end: only phis have cycles, and they are numbered.
  Scalars made = makeScalars(value);
  return scalars[value] = std::move(made);
}

/// Whether an instruction has no machine code of its own, and reads nothing at
/// its place.
static bool isFolded(const Instruction &instruction) {
  if (const auto *address = dyn_cast<GetElementPtrInst>(&instruction))
    return address->hasAllConstantIndices();
  return isFusedProduct(instruction) ||
         isa<InsertElementInst, ExtractElementInst, ShuffleVectorInst,
             BitCastInst, FreezeInst, AddrSpaceCastInst, PHINode>(instruction);
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

Liveness::Liveness(const Function &kernel) : kernel(kernel) {
  for (const BasicBlock &block : kernel)
    for (const PHINode &phi : block.phis())
      scalars[&phi] = number(phi.getType());
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

void Liveness::sinkLoads() {
  // The bytes of a long vector that one instruction loads.
  constexpr size_t partBytes = 16;
  for (const BasicBlock &block : kernel) {
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
      if (!isa<LoadInst>(instruction))
        continue;
      ArrayRef<Scalar> loaded = scalars.find(&instruction)->second;
      size_t size =
          std::max(1u, instruction.getType()->getScalarSizeInBits() / 8);
      size_t each = std::max<size_t>(1, partBytes / size);
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

MapVector<const BasicBlock *, int64_t>
baco::target::findPressure(const Function &kernel) {
  Liveness liveness(kernel);
  // ptxas moves loads, too.
  liveness.sinkLoads();
  return liveness.findPressure();
}
