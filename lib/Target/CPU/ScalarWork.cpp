//===- ScalarWork.cpp - Scalar code that MLIR leaves to LLVM --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/CPU/ScalarWork.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using baco::target::ScalarWork;

/// Whether a value of this type can be an element of the kernel's data.
static bool isElement(const Type *type) {
  return type->isFloatingPointTy() || type->isIntegerTy();
}

/// Arithmetic, comparisons and conversions.
static bool computes(const Instruction &instruction) {
  return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst>(
      instruction);
}

static bool hasFloatOperand(const User &user) {
  return llvm::any_of(user.operands(), [](const Use &use) {
    return use->getType()->isFloatingPointTy();
  });
}

static bool hasVectorOperand(const User &user) {
  return llvm::any_of(user.operands(), [](const Use &use) {
    return use->getType()->isVectorTy();
  });
}

static ScalarWork workOfCall(const CallBase &call, bool isInLoop) {
  const Function *callee = call.getCalledFunction();
  // A reduction may start with a scalar.
  if (isa<IntrinsicInst>(call))
    return hasFloatOperand(call) && !hasVectorOperand(call)
               ? ScalarWork::Arithmetic
               : ScalarWork::None;
  // Any other function is the library's, and takes scalars if it takes floats.
  bool isOurs = !callee || !callee->isDeclaration();
  if (isInLoop && isOurs)
    return ScalarWork::Arithmetic;
  return !isOurs && hasFloatOperand(call) ? ScalarWork::Arithmetic
                                          : ScalarWork::None;
}

static ScalarWork workOfLoad(const LoadInst &load) {
  if (!isElement(load.getType()))
    return ScalarWork::None;
  ScalarWork work = ScalarWork::None;
  for (const User *user : load.users()) {
    if (isa<StoreInst>(user))
      work = std::max(work, ScalarWork::Copies);
    // An element that goes into a vector is gathered, and not computed with.
    else if (!isa<InsertElementInst>(user))
      return ScalarWork::Arithmetic;
  }
  return work;
}

static ScalarWork workOf(const Instruction &instruction, bool isInLoop) {
  if (const auto *call = dyn_cast<CallBase>(&instruction))
    return workOfCall(*call, isInLoop);
  if (computes(instruction) && (instruction.getType()->isFloatingPointTy() ||
                                hasFloatOperand(instruction)))
    return ScalarWork::Arithmetic;
  if (!isInLoop)
    return ScalarWork::None;
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return workOfLoad(*load);
  if (const auto *store = dyn_cast<StoreInst>(&instruction))
    if (isElement(store->getValueOperand()->getType()))
      return ScalarWork::Copies;
  return ScalarWork::None;
}

ScalarWork baco::target::findScalarWork(const Module &module) {
  ScalarWork most = ScalarWork::None;
  for (const Function &function : module) {
    if (function.isDeclaration())
      continue;
    // The analysis only reads the function, but takes no const one.
    DominatorTree tree(const_cast<Function &>(function));
    LoopInfo loops(tree);
    for (const BasicBlock &block : function)
      for (const Instruction &instruction : block)
        most = std::max(most, workOf(instruction, loops.getLoopFor(&block)));
  }
  return most;
}
