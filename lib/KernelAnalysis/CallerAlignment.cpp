//===- CallerAlignment.cpp - Alignment that all callers guarantee ---------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/KernelAnalysis/KernelSignature.h"

#include "baco/IR/BacoDialect.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

/// The known alignment of `memory` in bytes; 1: unknown.
static int64_t alignmentOf(Value memory) {
  Operation *op = memory.getDefiningOp();
  if (auto cast = dyn_cast_or_null<memref::CastOp>(op))
    return alignmentOf(cast.getSource());
  if (auto assumed = dyn_cast_or_null<memref::AssumeAlignmentOp>(op))
    return std::max<int64_t>(assumed.getAlignment(),
                             alignmentOf(assumed.getMemref()));
  std::optional<uint64_t> alignment;
  if (auto alloc = dyn_cast_or_null<memref::AllocOp>(op))
    alignment = alloc.getAlignment();
  else if (auto alloca = dyn_cast_or_null<memref::AllocaOp>(op))
    alignment = alloca.getAlignment();
  else if (auto address = dyn_cast_or_null<memref::GetGlobalOp>(op))
    if (auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
            op, address.getNameAttr()))
      alignment = global.getAlignment();
  return std::max<int64_t>(alignment.value_or(1), 1);
}

/// All calls of `function`, if nothing else can call it.
static SmallVector<func::CallOp> findCalls(func::FuncOp function) {
  auto module = function->getParentOfType<ModuleOp>();
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(function, module);
  if (!function.isPrivate() || !uses)
    return {};
  SmallVector<func::CallOp> calls;
  for (const SymbolTable::SymbolUse &use : *uses) {
    auto call = dyn_cast<func::CallOp>(use.getUser());
    // Schedules name functions, too.
    if (use.getUser()->getParentWithTrait<OpTrait::SymbolTable>() != module)
      continue;
    if (!call)
      return {};
    calls.push_back(call);
  }
  return calls;
}

void baco::target::promiseAlignments(func::FuncOp function,
                                     func::FuncOp kernel) {
  constexpr int64_t largest = 1 << 21;
  SmallVector<func::CallOp> calls = findCalls(function);
  for (unsigned i = 0; i < function.getNumArguments() && !calls.empty(); ++i) {
    if (!isa<MemRefType>(function.getArgument(i).getType()))
      continue;
    int64_t least = largest;
    for (func::CallOp call : calls)
      least = std::min(least, alignmentOf(call.getOperand(i)));
    // The least of several powers of two holds for all callers.
    if (least > 1 && llvm::isPowerOf2_64(least))
      kernel.setArgAttr(
          i, BacoDialect::kAlignment,
          IntegerAttr::get(IntegerType::get(kernel.getContext(), 64), least));
  }
}
