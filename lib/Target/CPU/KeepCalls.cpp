//===- KeepCalls.cpp - Programs call their kernels ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/Passes.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-keep-calls"

namespace baco::target {
#define GEN_PASS_DEF_KEEPCALLSPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;
using LLVM::LLVMFuncOp;

namespace {
/// The loops of a function.
class Loops {
public:
  explicit Loops(LLVMFuncOp function) {
    Region &body = function.getBody();
    // Threads execute the regions of ops.
    hasRegions = llvm::any_of(
        body.getOps(), [](Operation &op) { return op.getNumRegions() > 0; });
    // A tree of one block has no node.
    if (body.hasOneBlock())
      return;
    dominance.emplace(function);
    info.emplace(dominance->getDomTree(&body));
  }

  bool areThere() const { return hasRegions || (info && !info->empty()); }
  bool contain(Block *block) const { return info && info->getLoopFor(block); }

private:
  bool hasRegions = false;
  std::optional<DominanceInfo> dominance;
  std::optional<CFGLoopInfo> info;
};

/// The functions that a function calls.
struct Calls {
  SmallVector<LLVMFuncOp> outside, inLoops;
  bool hasLoops = false;
};

struct KeepCallsPass
    : public baco::target::impl::KeepCallsPassBase<KeepCallsPass> {
protected:
  void runOnOperation() override;

private:
  void findCalls();
  bool runsLoops(LLVMFuncOp function);

  llvm::MapVector<Operation *, Calls> calls;
  /// Whether a function has loops, or those that it calls.
  DenseMap<Operation *, bool> areLooping;
};
} // namespace

void KeepCallsPass::findCalls() {
  SymbolTable symbols(getOperation());
  for (auto function : getOperation().getOps<LLVMFuncOp>()) {
    if (function.isExternal())
      continue;
    Loops loops(function);
    Calls &found = calls[function];
    found.hasLoops = loops.areThere();
    function.walk([&](LLVM::CallOp call) {
      std::optional<StringRef> name = call.getCallee();
      auto callee = name ? symbols.lookup<LLVMFuncOp>(*name) : LLVMFuncOp();
      if (!callee || callee.isExternal())
        return;
      bool isOutside =
          call->getParentOp() == function && !loops.contain(call->getBlock());
      (isOutside ? found.outside : found.inLoops).push_back(callee);
    });
  }
}

bool KeepCallsPass::runsLoops(LLVMFuncOp function) {
  // A call of itself has no loops that the function doesn't have.
  auto [known, isNew] = areLooping.try_emplace(function, false);
  if (!isNew)
    return known->second;
  const Calls &found = calls.find(function)->second;
  auto runs = [&](LLVMFuncOp callee) { return runsLoops(callee); };
  bool isLooping = found.hasLoops || llvm::any_of(found.outside, runs) ||
                   llvm::any_of(found.inLoops, runs);
  return areLooping[function] = isLooping;
}

void KeepCallsPass::runOnOperation() {
  calls.clear();
  areLooping.clear();
  findCalls();
  llvm::SmallSetVector<Operation *, 8> kernels;
  DenseSet<Operation *> others;
  for (auto &[function, found] : calls) {
    others.insert_range(found.inLoops);
    SmallVector<LLVMFuncOp> looping = llvm::filter_to_vector(
        found.outside, [&](LLVMFuncOp callee) { return runsLoops(callee); });
    // A single one may be a kernel's own function.
    if (looping.size() > 1)
      kernels.insert_range(looping);
  }
  for (Operation *kernel : kernels) {
    if (others.contains(kernel))
      continue;
    LDBG() << cast<LLVMFuncOp>(kernel).getName() << " isn't inlined";
    cast<LLVMFuncOp>(kernel).setNoInline(true);
  }
}
