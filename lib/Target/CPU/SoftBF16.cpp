//===- SoftBF16.cpp - bf16 without its instructions -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each operation is rounded, as LLVM's back end does it. Between operations the
// bits are integers: the back end would keep values that leave a block, or are
// extended, as f32, and call the library to convert them back.
//
//===----------------------------------------------------------------------===//

#include "baco/Target/CPU/MachineCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

bool baco::target::lacksBF16(const TargetMachine &machine) {
  // Either set of instructions rounds f32 to bf16.
  return machine.getTargetTriple().isX86() &&
         !machine.getMCSubtargetInfo()->checkFeatures(
             "+avx512bf16,+avx512vl") &&
         !machine.getMCSubtargetInfo()->checkFeatures("+avxneconvert");
}

static bool isBF16(const Value *value) {
  return value->getType()->getScalarType()->isBFloatTy();
}

/// `type` with elements of `element`.
static Type *withElement(Type *type, Type *element) {
  auto *vector = dyn_cast<VectorType>(type);
  return vector ? VectorType::get(element, vector->getElementCount()) : element;
}

/// The bits of `value`.
static Value *bitsOf(IRBuilder<> &builder, Value *value) {
  Type *type = withElement(value->getType(), builder.getInt16Ty());
  auto *cast = dyn_cast<BitCastInst>(value);
  // Looking through a cast keeps pairs of casts, of which numberOf made the
  // first, from piling up.
  return cast && cast->getSrcTy() == type ? cast->getOperand(0)
                                          : builder.CreateBitCast(value, type);
}

/// The number with these bits.
static Value *numberOf(IRBuilder<> &builder, Value *bits) {
  return builder.CreateBitCast(
      bits, withElement(bits->getType(), builder.getBFloatTy()));
}

static Value *widen(IRBuilder<> &builder, Value *value) {
  Type *i32 = withElement(value->getType(), builder.getInt32Ty());
  // A bf16 number is the upper half of the f32 that has the same value.
  Value *wide = builder.CreateZExt(bitsOf(builder, value), i32);
  return builder.CreateBitCast(
      builder.CreateShl(wide, 16),
      withElement(value->getType(), builder.getFloatTy()));
}

/// Rounds f32 to bf16, to nearest, ties to even. NaN stays NaN, and is quiet.
static Value *narrow(IRBuilder<> &builder, Value *wide) {
  Type *i32 = withElement(wide->getType(), builder.getInt32Ty());
  auto constant = [&](uint64_t value) { return ConstantInt::get(i32, value); };
  Value *bits = builder.CreateBitCast(wide, i32);
  Value *isOdd = builder.CreateAnd(builder.CreateLShr(bits, 16), constant(1));
  // This adds half of the last bit that stays, or one less if that bit is even,
  // so that ties go to even.
  Value *rounded =
      builder.CreateAdd(bits, builder.CreateAdd(isOdd, constant(0x7fff)));
  // Rounding could carry a NaN's mantissa into its exponent and sign, or cut
  // off all of its bits, which leaves infinity.
  Value *quiet = builder.CreateOr(bits, constant(0x400000));
  Value *chosen =
      builder.CreateSelect(builder.CreateFCmpUNO(wide, wide), quiet, rounded);
  Value *half =
      builder.CreateTrunc(builder.CreateLShr(chosen, 16),
                          withElement(wide->getType(), builder.getInt16Ty()));
  return numberOf(builder, half);
}

/// The result of a reduction by `kind` of a vector of bf16, which rounds after
/// each step; null if `kind` is none.
static Value *reduce(IRBuilder<> &builder, IntrinsicInst &call) {
  Intrinsic::ID kind = call.getIntrinsicID();
  switch (kind) {
  case Intrinsic::vector_reduce_fmax:
  case Intrinsic::vector_reduce_fmin:
  case Intrinsic::vector_reduce_fmaximum:
  case Intrinsic::vector_reduce_fminimum: {
    // Nothing is rounded.
    Value *wide = widen(builder, call.getArgOperand(0));
    return narrow(builder, builder.CreateIntrinsic(kind, {wide->getType()},
                                                   {wide}, &call));
  }
  case Intrinsic::vector_reduce_fadd:
  case Intrinsic::vector_reduce_fmul: {
    unsigned opcode = kind == Intrinsic::vector_reduce_fadd ? Instruction::FAdd
                                                            : Instruction::FMul;
    Value *start = call.getArgOperand(0), *vector = call.getArgOperand(1);
    auto length = cast<VectorType>(vector->getType())->getElementCount();
    builder.setFastMathFlags(call.getFastMathFlags());
    // Halves are added to each other, so the length has to be a power of two.
    if (!call.hasAllowReassoc() || !isPowerOf2_64(length.getFixedValue()))
      return getOrderedReduction(builder, start, vector, opcode);
    Value *lanes =
        getShuffleReduction(builder, vector, opcode,
                            TargetTransformInfo::ReductionShuffle::SplitHalf);
    return builder.CreateBinOp(Instruction::BinaryOps(opcode), start, lanes);
  }
  default:
    return nullptr;
  }
}

/// Whether an intrinsic takes and returns numbers of one type.
static bool isElementwise(Intrinsic::ID id) {
  return is_contained<Intrinsic::ID>(
      {Intrinsic::fma,        Intrinsic::fmuladd,    Intrinsic::maximum,
       Intrinsic::minimum,    Intrinsic::maxnum,     Intrinsic::minnum,
       Intrinsic::maximumnum, Intrinsic::minimumnum, Intrinsic::sqrt,
       Intrinsic::fabs,       Intrinsic::floor,      Intrinsic::ceil,
       Intrinsic::rint,       Intrinsic::trunc,      Intrinsic::roundeven,
       Intrinsic::round,      Intrinsic::nearbyint,  Intrinsic::copysign,
       Intrinsic::exp,        Intrinsic::exp2,       Intrinsic::log,
       Intrinsic::log2,       Intrinsic::log10,      Intrinsic::pow,
       Intrinsic::sin,        Intrinsic::cos,        Intrinsic::tan,
       Intrinsic::asin,       Intrinsic::acos,       Intrinsic::atan,
       Intrinsic::atan2,      Intrinsic::sinh,       Intrinsic::cosh,
       Intrinsic::tanh},
      id);
}

/// The replacement of an instruction whose operands, but not its result, are
/// bf16; null if it doesn't compute.
static Value *expandUse(IRBuilder<> &builder, Instruction &instruction) {
  if (!isa<FCmpInst, FPExtInst, FPToSIInst, FPToUIInst>(instruction) ||
      !isBF16(instruction.getOperand(0)))
    return nullptr;
  Value *wide = widen(builder, instruction.getOperand(0));
  if (isa<FPExtInst>(instruction))
    return builder.CreateFPExt(wide, instruction.getType());
  Instruction *copy = instruction.clone();
  copy->setOperand(0, wide);
  if (isa<FCmpInst>(instruction))
    copy->setOperand(1, widen(builder, instruction.getOperand(1)));
  return builder.Insert(copy);
}

/// Moves bits instead of numbers; null if `instruction` moves none.
static Value *moveBits(IRBuilder<> &builder, Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    // The clone keeps the alignment, and whether the load is volatile.
    LoadInst *copy = cast<LoadInst>(builder.Insert(load->clone()));
    copy->mutateType(withElement(load->getType(), builder.getInt16Ty()));
    return numberOf(builder, copy);
  }
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (call && call->getIntrinsicID() == Intrinsic::masked_load)
    return numberOf(
        builder,
        builder.CreateMaskedLoad(
            withElement(call->getType(), builder.getInt16Ty()),
            call->getArgOperand(0), call->getParamAlign(0).valueOrOne(),
            call->getArgOperand(1), bitsOf(builder, call->getArgOperand(2))));
  // Fast-math flags don't apply to integers.
  if (auto *select = dyn_cast<SelectInst>(&instruction))
    return numberOf(builder, builder.CreateSelect(
                                 select->getCondition(),
                                 bitsOf(builder, select->getTrueValue()),
                                 bitsOf(builder, select->getFalseValue())));
  if (!isa<FreezeInst, ShuffleVectorInst, InsertElementInst,
           ExtractElementInst>(instruction))
    return nullptr;
  Instruction *copy = instruction.clone();
  for (Use &operand : copy->operands())
    if (isBF16(operand))
      operand.set(bitsOf(builder, operand));
  copy->mutateType(withElement(copy->getType(), builder.getInt16Ty()));
  return numberOf(builder, builder.Insert(copy));
}

/// The replacement of `instruction`; null if it stays.
static Value *expand(IRBuilder<> &builder, Instruction &instruction) {
  if (!isBF16(&instruction))
    return expandUse(builder, instruction);
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (call && isElementwise(call->getIntrinsicID())) {
    SmallVector<Value *> operands;
    for (Value *argument : call->args())
      operands.push_back(widen(builder, argument));
    return narrow(builder, builder.CreateIntrinsic(call->getIntrinsicID(),
                                                   {operands[0]->getType()},
                                                   operands, call));
  }
  if (isa<BinaryOperator, UnaryOperator>(instruction)) {
    Instruction *wide = instruction.clone();
    for (Use &operand : wide->operands())
      operand.set(widen(builder, operand));
    wide->mutateType(wide->getOperand(0)->getType());
    return narrow(builder, builder.Insert(wide));
  }
  Type *f32 = withElement(instruction.getType(), builder.getFloatTy());
  if (isa<SIToFPInst, UIToFPInst>(instruction))
    return narrow(builder,
                  builder.CreateCast(cast<CastInst>(instruction).getOpcode(),
                                     instruction.getOperand(0), f32));
  // A truncation of f64 stays: by way of f32, it would be rounded twice.
  if (isa<FPTruncInst>(instruction) &&
      instruction.getOperand(0)->getType() == f32)
    return narrow(builder, instruction.getOperand(0));
  return moveBits(builder, instruction);
}

/// Replaces the instructions for which `rewrite` returns a value.
static void
rewriteAll(Function &function,
           function_ref<Value *(IRBuilder<> &, Instruction &)> rewrite) {
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    IRBuilder<> builder(&instruction);
    if (Value *value = rewrite(builder, instruction)) {
      instruction.replaceAllUsesWith(value);
      instruction.eraseFromParent();
    }
  }
}

/// Gives `phi` the incoming blocks of `other`, with the values that `make`
/// returns for the values of `other`.
static void fillPhi(PHINode &phi, PHINode &other,
                    function_ref<Value *(IRBuilder<> &, Value *)> make) {
  for (auto [block, value] :
       zip_equal(other.blocks(), other.incoming_values())) {
    // A block that branches here twice must pass the same value both times.
    int known = phi.getBasicBlockIndex(block);
    // The value is only known to be there at the end of its block.
    IRBuilder<> builder(block->getTerminator());
    phi.addIncoming(
        known >= 0 ? phi.getIncomingValue(known) : make(builder, value), block);
  }
}

/// Makes values that leave blocks integers.
static void moveBitsBetweenBlocks(Function &function) {
  SmallVector<std::pair<PHINode *, PHINode *>> pairs;
  for (BasicBlock &block : function)
    for (PHINode &phi : make_early_inc_range(block.phis())) {
      if (!isBF16(&phi))
        continue;
      Type *type =
          withElement(phi.getType(), Type::getInt16Ty(function.getContext()));
      PHINode *bits =
          IRBuilder<>(&phi).CreatePHI(type, phi.getNumIncomingValues());
      // Phis have to stay together at the beginning of the block.
      IRBuilder<> builder(&block, block.getFirstInsertionPt());
      phi.replaceAllUsesWith(numberOf(builder, bits));
      pairs.push_back({&phi, bits});
    }
  // Phis take each other's values, so all have their integers before any is
  // filled.
  for (auto [phi, bits] : pairs) {
    fillPhi(*bits, *phi, bitsOf);
    phi->eraseFromParent();
  }
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    IRBuilder<> builder(&instruction);
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (isa<StoreInst>(instruction) && isBF16(instruction.getOperand(0))) {
      instruction.setOperand(0, bitsOf(builder, instruction.getOperand(0)));
    } else if (call && call->getIntrinsicID() == Intrinsic::masked_store &&
               isBF16(call->getArgOperand(0))) {
      builder.CreateMaskedStore(
          bitsOf(builder, call->getArgOperand(0)), call->getArgOperand(1),
          call->getParamAlign(1).valueOrOne(), call->getArgOperand(2));
      call->eraseFromParent();
    }
  }
}

/// The indices of all that `type`, an array, holds, if these are of bf16.
static void findParts(Type *type, SmallVector<unsigned> &path,
                      SmallVector<SmallVector<unsigned>> &parts) {
  auto *array = dyn_cast<ArrayType>(type);
  if (!array) {
    if (type->getScalarType()->isBFloatTy())
      parts.push_back(path);
    return;
  }
  for (unsigned i = 0; i < array->getNumElements(); ++i) {
    path.push_back(i);
    findParts(array->getElementType(), path, parts);
    path.pop_back();
  }
}

/// Makes arrays that leave blocks, as rows of sums do, values of their own.
static void splitArrays(Function &function) {
  for (BasicBlock &block : function)
    for (PHINode &phi : make_early_inc_range(block.phis())) {
      SmallVector<unsigned> path;
      SmallVector<SmallVector<unsigned>> parts;
      if (phi.getType()->isArrayTy())
        findParts(phi.getType(), path, parts);
      if (parts.empty())
        continue;
      IRBuilder<> after(&block, block.getFirstInsertionPt());
      Value *whole = PoisonValue::get(phi.getType());
      for (ArrayRef<unsigned> part : parts) {
        PHINode *one = IRBuilder<>(&phi).CreatePHI(
            ExtractValueInst::getIndexedType(phi.getType(), part),
            phi.getNumIncomingValues());
        fillPhi(*one, phi, [&](IRBuilder<> &builder, Value *value) {
          return builder.CreateExtractValue(value, part);
        });
        whole = after.CreateInsertValue(whole, one, part);
      }
      phi.replaceAllUsesWith(whole);
      phi.eraseFromParent();
    }
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    // Uses of what was inserted go past the array, which nothing uses then.
    if (auto *extract = dyn_cast<ExtractValueInst>(&instruction))
      if (Value *value = isBF16(extract)
                             ? FindInsertedValue(extract->getAggregateOperand(),
                                                 extract->getIndices())
                             : nullptr) {
        extract->replaceAllUsesWith(value);
        extract->eraseFromParent();
      }
  // The instructions that build arrays, last one first.
  for (BasicBlock &block : function)
    for (Instruction &instruction : make_early_inc_range(reverse(block)))
      if (isa<InsertValueInst>(instruction) && instruction.use_empty())
        instruction.eraseFromParent();
}

void baco::target::expandBF16(Module &module) {
  for (Function &function : module) {
    // Arrays come first, because the steps below know only numbers and vectors.
    splitArrays(function);
    // They become sums of bf16, which are next.
    rewriteAll(function, [](IRBuilder<> &builder, Instruction &instruction) {
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      return call && isBF16(call) ? reduce(builder, *call) : nullptr;
    });
    rewriteAll(function, expand);
    moveBitsBetweenBlocks(function);
  }
}
