//===- AnnotateLoops.cpp - Recipes for loop nests -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses the loops that get recipes, and reports those that don't.
//
//===----------------------------------------------------------------------===//

#include "AnnotateLoops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-annotate-loops"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

/// Emits remarks on parallel loops in `nest` that a schedule for one thread
/// makes sequential.
static void remarkOneThread(Operation *nest, const HostInfo &host) {
  if (host.threads > 1)
    return;
  nest->walk<WalkOrder::PreOrder>([](Operation *op) {
    if (!isa<affine::AffineParallelOp, scf::ParallelOp, scf::ForallOp>(op))
      return WalkResult::advance();
    op->emitRemark() << "its iterations run on one thread; set threads=N in "
                        "the option 'host' to distribute them";
    return WalkResult::interrupt();
  });
}

bool baco::schedule::isMapped(Operation *op) {
  // An scf.forall has it of its own; --gpu-map-parallel-loops sets it on an
  // scf.parallel.
  auto hasMapping = [](Operation *loop) {
    auto mapping = loop->getAttrOfType<ArrayAttr>("mapping");
    return isa<LoopLikeOpInterface>(loop) && mapping && !mapping.empty();
  };
  for (Operation *around = op; around; around = around->getParentOp())
    if (hasMapping(around))
      return true;
  return op
      ->walk([&](Operation *inner) {
        return hasMapping(inner) ? WalkResult::interrupt()
                                 : WalkResult::advance();
      })
      .wasInterrupted();
}

llvm::Expected<RecipeAttr>
baco::schedule::makeLoopRecipe(Operation *outermost, NestPlanner &planner) {
  LDBG() << "plans the nest at " << outermost->getLoc();
  auto recipe = planner.planNest(outermost);
  if (recipe)
    remarkOneThread(outermost, planner.host());
  return recipe;
}

llvm::Expected<RecipeAttr>
baco::schedule::makeChainRecipe(ArrayRef<Operation *> nests,
                                NestPlanner &planner) {
  LDBG() << "plans a chain of " << nests.size() << " nests from "
         << nests.front()->getLoc() << " on";
  auto recipe = planner.planChain(nests);
  if (recipe)
    for (Operation *nest : nests)
      remarkOneThread(nest, planner.host());
  return recipe;
}
