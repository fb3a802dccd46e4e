//===- DynamicResults.cpp - Tensors that functions return -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's inliner decides by itself what it inlines, so that it isn't used.
//
//===----------------------------------------------------------------------===//

#include "ShapeVersions.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace baco::frontend;

/// Functions don't become larger than that.
static constexpr int64_t maxFunctionOps = 20000;

bool baco::frontend::returnsDynamicTensors(func::FuncOp function) {
  return !function.isExternal() &&
         llvm::any_of(function.getResultTypes(), [](Type type) {
           auto tensor = dyn_cast<RankedTensorType>(type);
           return tensor && !tensor.hasStaticShape();
         });
}

static func::FuncOp calleeOf(func::CallOp call) {
  return SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
}

static bool callsItself(func::FuncOp function) {
  llvm::SetVector<Operation *> reached;
  reached.insert(function);
  bool isReached = false;
  for (size_t i = 0; i < reached.size() && !isReached; ++i)
    reached[i]->walk([&](func::CallOp call) {
      func::FuncOp callee = calleeOf(call);
      isReached |= callee == function;
      if (callee)
        reached.insert(callee);
    });
  return isReached;
}

bool baco::frontend::canInline(func::FuncOp function) {
  return function.getBody().hasOneBlock() && !callsItself(function);
}

static int64_t countOps(func::FuncOp function) {
  int64_t count = 0;
  function.walk([&](Operation *) { ++count; });
  return count;
}

static void inlineCall(func::CallOp call, func::FuncOp callee) {
  Block &body = callee.getBody().front();
  OpBuilder builder(call);
  IRMapping mapping;
  mapping.map(body.getArguments(), call.getOperands());
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  for (auto [result, value] :
       llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
}

bool baco::frontend::inlineDynamicResults(func::FuncOp caller) {
  int64_t size = countOps(caller);
  bool isChanged = false;
  SmallVector<func::CallOp> open;
  do {
    open.clear();
    caller.walk([&](func::CallOp call) {
      func::FuncOp callee = calleeOf(call);
      if (callee && callee != caller && returnsDynamicTensors(callee) &&
          canInline(callee))
        open.push_back(call);
    });
    for (func::CallOp call : open) {
      func::FuncOp callee = calleeOf(call);
      size += countOps(callee);
      if (size > maxFunctionOps)
        return isChanged;
      inlineCall(call, callee);
      isChanged = true;
    }
  } while (!open.empty());
  return isChanged;
}

SmallVector<func::FuncOp>
baco::frontend::inlineDynamicResults(ModuleOp module) {
  SmallVector<func::FuncOp> changed;
  for (auto caller : module.getOps<func::FuncOp>())
    if (!caller.isExternal() && inlineDynamicResults(caller))
      changed.push_back(caller);
  auto isDead = [&](func::FuncOp function) {
    return function.isPrivate() && returnsDynamicTensors(function) &&
           SymbolTable::symbolKnownUseEmpty(function, module);
  };
  bool isErasing = !changed.empty();
  while (isErasing) {
    isErasing = false;
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (isDead(function)) {
        llvm::erase(changed, function);
        function.erase();
        isErasing = true;
      }
  }
  return changed;
}
