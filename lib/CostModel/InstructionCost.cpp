//===- InstructionCost.cpp - Instruction costs of a thread ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstructionCost.h"

#include "RegisterPressure.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <cmath>

using namespace llvm;
using namespace baco;
using namespace baco::target;

static ThreadCost onUnit(GpuUnit unit, double count,
                         double latency = arithmeticLatency) {
  return {count, unit, count, latency};
}

/// The unit for floating-point arithmetic on `type`, and how many operations of
/// it there are: two values of 16 bits are one.
static ThreadCost arithmetic(const Type *type) {
  double count = 1;
  if (const auto *vector = dyn_cast<FixedVectorType>(type))
    count = vector->getNumElements();
  const Type *scalar = type->getScalarType();
  if (scalar->isDoubleTy())
    return onUnit(GpuUnit::F64, count, 2 * arithmeticLatency);
  if (!scalar->is16bitFPTy())
    return onUnit(GpuUnit::F32, count);
  ThreadCost cost = onUnit(GpuUnit::F16, count);
  cost.issued = std::ceil(count / 2);
  return cost;
}

static ThreadCost integers(const Type *type, double instructions,
                           double latency = arithmeticLatency) {
  double count = 1;
  if (const auto *vector = dyn_cast<FixedVectorType>(type))
    count = vector->getNumElements();
  if (type->getScalarSizeInBits() > 32)
    count *= 2;
  return onUnit(GpuUnit::Integer, count * instructions, latency);
}

/// `mma.sync` of one shape, such as in "llvm.nvvm.mma.m16n8k8.row.col.tf32";
/// its multiply-adds are those of a warp. nullopt: it is none.
static std::optional<ThreadCost> matrixProduct(StringRef name) {
  if (!name.consume_front("llvm.nvvm.mma.m"))
    return std::nullopt;
  unsigned m = 0, n = 0, k = 0;
  if (name.consumeInteger(10, m) || !name.consume_front("n") ||
      name.consumeInteger(10, n) || !name.consume_front("k") ||
      name.consumeInteger(10, k))
    return std::nullopt;
  double products = double(m) * n * k / nvidia::warpSize;
  double factor = name.contains("f64")                           ? 16
                  : name.contains("tf32")                        ? 2
                  : name.contains(".s8") || name.contains(".u8") ? 0.5
                                                                 : 1;
  return ThreadCost{1, GpuUnit::Matrix, factor * products, matrixLatency};
}

/// Calls; nullopt: it isn't known.
static std::optional<ThreadCost> costOfCall(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee || !callee->isIntrinsic())
    return std::nullopt;
  const Type *type = call.getType();
  switch (call.getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::fabs:
  case Intrinsic::copysign:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::roundeven:
    return arithmetic(type);
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::abs:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::ctpop:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
  case Intrinsic::bitreverse:
  case Intrinsic::is_fpclass:
    return integers(type, 1);
  case Intrinsic::round:
  case Intrinsic::sqrt:
  case Intrinsic::exp2:
  case Intrinsic::log2:
  case Intrinsic::sin:
  case Intrinsic::cos: {
    // With some arithmetic around it.
    ThreadCost cost = arithmetic(type);
    cost.issued *= 8;
    cost.unit = GpuUnit::Special;
    cost.latency = 2 * specialLatency;
    return cost;
  }
  case Intrinsic::vector_reduce_add:
  case Intrinsic::vector_reduce_fadd:
  case Intrinsic::vector_reduce_fmul:
  case Intrinsic::vector_reduce_fmax:
  case Intrinsic::vector_reduce_fmin: {
    const Type *vector = call.getArgOperand(call.arg_size() - 1)->getType();
    ThreadCost cost =
        vector->isFPOrFPVectorTy() ? arithmetic(vector) : integers(vector, 1);
    cost.latency *= cost.operations;
    return cost;
  }
  case Intrinsic::assume:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::experimental_noalias_scope_decl:
    return ThreadCost();
  default:
    break;
  }
  if (isa<DbgInfoIntrinsic>(call))
    return ThreadCost();
  StringRef name = callee->getName();
  if (std::optional<ThreadCost> product = matrixProduct(name))
    return product;
  if (name.contains("read.ptx.sreg"))
    return ThreadCost{1, std::nullopt, 0, specialLatency};
  if (name.contains("barrier") || name.contains("bar.warp.sync") ||
      name.contains("membar") || name.contains("fence"))
    return ThreadCost{1, std::nullopt, 0, barrierLatency};
  if (name.contains(".shfl.") || name.contains(".vote.") ||
      name.contains(".redux.") || name.contains(".match."))
    return ThreadCost{1, GpuUnit::Special, 1, sharedLatency};
  if (name.contains("cp.async.wait") || name.contains("cp.async.commit"))
    return ThreadCost{1, std::nullopt, 0, arithmeticLatency};
  if (name.contains("cp.async") || name.contains("ldmatrix"))
    return ThreadCost{1, std::nullopt, 0, sharedLatency};
  if (name.starts_with("llvm.nvvm.f2tf32.")) // As other conversions.
    return integers(type, 1);
  if (name.starts_with("llvm.nvvm.")) // Approximate functions and the like.
    return ThreadCost{2, GpuUnit::Special, 1, specialLatency};
  return std::nullopt;
}

/// Divisions of integers take a sequence of instructions, whose lengths are
/// those of 32 and of 64 bits here.
static ThreadCost costOfDivision(const Instruction &instruction) {
  if (isa<Constant>(instruction.getOperand(1)))
    return integers(instruction.getType(), 3, 3 * arithmeticLatency);
  constexpr double steps = 20;
  return integers(instruction.getType(), steps, steps * arithmeticLatency);
}

/// The cost of an instruction that isn't a memory access; nullopt if unknown.
std::optional<ThreadCost> baco::target::costOf(const Instruction &instruction) {
  const Type *type = instruction.getType();
  switch (instruction.getOpcode()) {
  case Instruction::FMul:
    return isFusedProduct(instruction) ? ThreadCost() : arithmetic(type);
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FNeg:
    return arithmetic(type);
  case Instruction::FCmp:
    return arithmetic(instruction.getOperand(0)->getType());
  case Instruction::FDiv:
  case Instruction::FRem: {
    ThreadCost cost = arithmetic(type);
    cost.issued *= 10;
    cost.operations *= 10;
    cost.latency = 2 * specialLatency;
    return cost;
  }
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return costOfDivision(instruction);
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return integers(type, 1);
  case Instruction::ICmp:
    return integers(instruction.getOperand(0)->getType(), 1);
  case Instruction::Select:
    return integers(type, 1);
  case Instruction::GetElementPtr:
    // Constant distances are a part of the access.
    return cast<GetElementPtrInst>(instruction).hasAllConstantIndices()
               ? ThreadCost()
               : onUnit(GpuUnit::Integer, 1);
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::FPToSI:
  case Instruction::FPToUI:
  case Instruction::SIToFP:
  case Instruction::UIToFP: {
    ThreadCost cost = integers(type, 1);
    // Mostly, widening a predicate or an index is a part of its user.
    if (isa<SExtInst, ZExtInst>(instruction))
      cost.issued = cost.operations = cost.operations / 2;
    return cost;
  }
  case Instruction::Br:
    return cast<BranchInst>(instruction).isConditional()
               ? ThreadCost{1, std::nullopt, 0, arithmeticLatency}
               : ThreadCost();
  case Instruction::Switch:
    return ThreadCost{4, std::nullopt, 0, 4 * arithmeticLatency};
  case Instruction::Fence:
    return ThreadCost{1, std::nullopt, 0, barrierLatency};
  case Instruction::Trunc:
  case Instruction::BitCast:
  case Instruction::Freeze:
  case Instruction::PHI:
  case Instruction::Ret:
  case Instruction::Unreachable:
  case Instruction::AddrSpaceCast:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
  case Instruction::Alloca:
    return ThreadCost();
  case Instruction::Call:
    return costOfCall(cast<CallBase>(instruction));
  default:
    return std::nullopt;
  }
}
