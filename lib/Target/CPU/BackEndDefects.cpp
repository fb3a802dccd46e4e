//===- BackEndDefects.cpp - Code that LLVM's back end gets wrong ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackEndDefects.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace llvm;

/// The only element that a constant mask selects, if there is just one.
static std::optional<unsigned> findSingleLane(const Constant &mask,
                                              unsigned numLanes) {
  std::optional<unsigned> found;
  for (unsigned lane = 0; lane < numLanes; ++lane) {
    Constant *bit = mask.getAggregateElement(lane);
    if (bit && bit->isNullValue())
      continue;
    // A bit that isn't defined, or not known, may be either.
    if (!bit || !bit->isOneValue() || found)
      return std::nullopt;
    found = lane;
  }
  return found;
}

/// LLVM 22 takes a masked store of a single element for a plain one, for
/// AVX-512 also where the element is truncated: then it stores all eight bytes
/// that are to become one. So such stores become plain ones.
static void storeSingleLanes(Function &function) {
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    auto *store = dyn_cast<IntrinsicInst>(&instruction);
    if (!store || store->getIntrinsicID() != Intrinsic::masked_store)
      continue;
    Value *vector = store->getArgOperand(0);
    auto *type = dyn_cast<FixedVectorType>(vector->getType());
    auto *mask = dyn_cast<Constant>(store->getArgOperand(2));
    unsigned bits = vector->getType()->getScalarSizeInBits();
    // Elements that don't fill bytes have no addresses.
    if (!type || !mask || bits == 0 || bits % 8 != 0)
      continue;
    auto lane = findSingleLane(*mask, type->getNumElements());
    if (!lane)
      continue;
    IRBuilder<> builder(store);
    Value *address = builder.CreateConstInBoundsGEP1_64(
        type->getElementType(), store->getArgOperand(1), *lane);
    builder.CreateAlignedStore(
        builder.CreateExtractElement(vector, *lane), address,
        // The element may be less aligned than the vector.
        commonAlignment(store->getParamAlign(1).valueOrOne(),
                        *lane * bits / 8));
    store->eraseFromParent();
  }
}

/// Loads vectors of bf16 as integers that LLVM 22 can't load on CPUs with
/// AVX512-BF16: those with a single element left in parts of eight ("Do not
/// know how to soft promote this operator's operand"). The integers become bf16
/// in a vector whose length is a power of two.
static void loadOddBF16(Function &function) {
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    auto *type = load ? dyn_cast<FixedVectorType>(load->getType()) : nullptr;
    // Volatile and atomic loads have to stay as they are.
    if (!type || !type->getElementType()->isBFloatTy() || !load->isSimple() ||
        isPowerOf2_64(type->getNumElements()))
      continue;
    unsigned length = type->getNumElements();
    // The lanes that are added are dropped again below.
    SmallVector<int> lanes(PowerOf2Ceil(length), PoisonMaskElem);
    std::iota(lanes.begin(), lanes.begin() + length, 0);
    IRBuilder<> builder(load);
    Value *bits = builder.CreateAlignedLoad(
        FixedVectorType::get(builder.getInt16Ty(), length),
        load->getPointerOperand(), load->getAlign());
    Value *wide = builder.CreateBitCast(
        builder.CreateShuffleVector(bits, lanes),
        FixedVectorType::get(type->getElementType(), lanes.size()));
    load->replaceAllUsesWith(builder.CreateShuffleVector(
        wide, ArrayRef<int>(lanes).take_front(length)));
    load->eraseFromParent();
  }
}

void baco::target::workAroundBackEnd(Module &module) {
  for (Function &function : module) {
    storeSingleLanes(function);
    loadOddBF16(function);
  }
}
