//===- KeepAssumptions.cpp - Assumptions in parallel regions --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeepAssumptions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace mlir;

/// The name of the function. It never exists.
static constexpr StringLiteral kDistinct = "baco_distinct";
/// LLVM's bundle of operands of an assumption.
static constexpr StringLiteral kSeparateStorage = "separate_storage";

/// The two pointers of such an assumption in a parallel region.
static std::optional<OperandRange> pointersOf(LLVM::AssumeOp op) {
  // Only parallel regions are outlined when they are translated, so other
  // assumptions need no care.
  auto bundles = op.getOpBundleOperands();
  std::optional<ArrayAttr> tags = op.getOpBundleTags();
  if (!op->getParentOfType<omp::ParallelOp>() || !tags || tags->size() != 1 ||
      cast<StringAttr>((*tags)[0]) != kSeparateStorage ||
      bundles.front().size() != 2)
    return std::nullopt;
  return bundles.front();
}

void baco::target::hideAssumptions(ModuleOp module) {
  SmallVector<LLVM::AssumeOp> assumptions;
  module.walk([&](LLVM::AssumeOp op) {
    if (pointersOf(op))
      assumptions.push_back(op);
  });
  if (assumptions.empty())
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(module.getContext()), {pointer, pointer});
  auto function =
      LLVM::LLVMFuncOp::create(builder, module.getLoc(), kDistinct, type);
  for (LLVM::AssumeOp op : assumptions) {
    builder.setInsertionPoint(op);
    LLVM::CallOp::create(builder, op.getLoc(), function,
                         ValueRange(*pointersOf(op)));
    op.erase();
  }
}

void baco::target::showAssumptions(llvm::Module &module) {
  llvm::Function *function = module.getFunction(kDistinct);
  if (!function)
    return;
  llvm::IRBuilder<> builder(module.getContext());
  for (llvm::User *user : llvm::make_early_inc_range(function->users())) {
    auto *call = cast<llvm::CallInst>(user);
    builder.SetInsertPoint(call);
    llvm::OperandBundleDef bundle(
        kSeparateStorage.str(),
        ArrayRef<llvm::Value *>{call->getArgOperand(0),
                                call->getArgOperand(1)});
    // The bundle says all; the condition says nothing.
    builder.CreateAssumption(builder.getTrue(), bundle);
    call->eraseFromParent();
  }
  function->eraseFromParent();
}
