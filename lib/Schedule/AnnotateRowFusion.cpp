//===- AnnotateRowFusion.cpp - Recipes for chains of nests ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds adjacent ops in blocks; their dependences decide whether they are a
// chain.
//
//===----------------------------------------------------------------------===//

#include "AnnotateRowFusion.h"
#include "AnnotateLoops.h"

#include "baco/IR/BacoAttributes.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/Structured.h"
#include "baco/LoopNest/PrepareNest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-annotate-chains"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

/// More nests than this are looked at in parts: the time to find chains grows
/// with the square.
static constexpr size_t maxNests = 24;

/// Is it a nest of loops around a single statement? Others are no part of
/// chains, and it takes long to find that out by their dependences.
static bool isSingleStatement(Operation *nest) {
  size_t numWrites = 0;
  WalkResult walked = nest->walk([&](Operation *op) {
    numWrites += isa<affine::AffineStoreOp, memref::StoreOp>(op);
    bool isKnown = isa<LoopLikeOpInterface>(op) || op->getNumRegions() == 0;
    return isKnown && numWrites <= 1 ? WalkResult::advance()
                                     : WalkResult::interrupt();
  });
  return numWrites == 1 && !walked.wasInterrupted();
}

/// May `op` be a part of a chain?
static bool isCandidate(Operation *op) {
  if (op->hasAttr(BacoDialect::kRecipe) || isMapped(op))
    return false;
  if (isa<LoopLikeOpInterface>(op))
    return !op->getParentOfType<LoopLikeOpInterface>() && isSingleStatement(op);
  return isStructured(op) && countIterators(op) > 0 && whyNoLoops(op).empty();
}

/// Is the chain long enough to gain from it?
static bool isWorthwhile(ArrayRef<Operation *> nests) {
  return llvm::any_of(
      nests, [](Operation *op) { return !isStructured(op) || !isTrivial(op); });
}

/// Appends the chains among neighbors.
static void splitIntoChains(ArrayRef<Operation *> neighbors,
                            NestPlanner &planner,
                            SmallVectorImpl<SmallVector<Operation *>> &chains) {
  while (!neighbors.empty()) {
    ArrayRef<Operation *> head = neighbors.take_front(maxNests);
    size_t count =
        isWorthwhile(head) ? planner.countRowFusionGroup(head) : head.size();
    if (count > 0 && isWorthwhile(head.take_front(count)))
      chains.push_back(llvm::to_vector(head.take_front(count)));
    neighbors = neighbors.drop_front(std::max<size_t>(count, 1));
  }
}

llvm::DenseSet<Operation *>
baco::schedule::annotateRowFusion(Operation *root, NestPlanner &planner,
                                  int64_t &numRecipes) {
  SmallVector<SmallVector<Operation *>> chains;
  root->walk([&](Block *block) {
    SmallVector<Operation *> neighbors;
    auto finish = [&] {
      splitIntoChains(neighbors, planner, chains);
      neighbors.clear();
    };
    for (Operation &op : *block) {
      if (isCandidate(&op)) {
        neighbors.push_back(&op);
        if (!planner.mayGroup())
          finish();
      } else if (neighbors.empty() ||
                 !loopnest::canHoist(&op, neighbors.front()))
        finish();
    }
    finish();
  });
  llvm::DenseSet<Operation *> members;
  for (ArrayRef<Operation *> chain : chains) {
    auto recipe = planner.planRowFusion(chain);
    if (!recipe) {
      // Its ops are then annotated one by one.
      std::string why = llvm::toString(recipe.takeError());
      LDBG() << "no recipe for " << chain.size() << " ops from "
             << chain.front()->getLoc() << " on: " << why;
      continue;
    }
    LDBG() << chain.size() << " ops from " << chain.front()->getLoc()
           << " on: " << *recipe;
    chain.front()->setAttr(BacoDialect::kRecipe, *recipe);
    members.insert_range(chain);
    for (Operation *nest : chain)
      remarkOneThread(nest, planner.host());
    ++numRecipes;
  }
  return members;
}
