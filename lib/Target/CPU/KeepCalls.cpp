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
  void findLooping();

  llvm::MapVector<Operation *, Calls> calls;
  /// The functions that have loops, or call those that have.
  DenseSet<Operation *> looping;
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

void KeepCallsPass::findLooping() {
  auto loops = [&](LLVMFuncOp callee) { return looping.contains(callee); };
  bool hasChanged = true;
  // Functions may call each other in a circle.
  while (hasChanged) {
    hasChanged = false;
    for (auto &[function, found] : calls)
      if (found.hasLoops || llvm::any_of(found.outside, loops) ||
          llvm::any_of(found.inLoops, loops))
        hasChanged |= looping.insert(function).second;
  }
}

void KeepCallsPass::runOnOperation() {
  calls.clear();
  looping.clear();
  findCalls();
  findLooping();
  llvm::SmallSetVector<Operation *, 8> kernels;
  DenseSet<Operation *> others;
  for (auto &[function, found] : calls) {
    others.insert_range(found.inLoops);
    SmallVector<LLVMFuncOp> called =
        llvm::filter_to_vector(found.outside, [&](LLVMFuncOp callee) {
          return looping.contains(callee);
        });
    // A single one may be a kernel's own function.
    if (called.size() > 1)
      kernels.insert_range(called);
  }
  for (Operation *kernel : kernels) {
    if (others.contains(kernel))
      continue;
    LDBG() << cast<LLVMFuncOp>(kernel).getName() << " isn't inlined";
    cast<LLVMFuncOp>(kernel).setNoInline(true);
  }
}
