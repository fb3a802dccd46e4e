//===- AnnotateRowFusion.cpp - Recipes for row fusion ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds adjacent ops in blocks; their dependences decide whether they are a
// group.
//
//===----------------------------------------------------------------------===//

#include "AnnotateParts.h"

#include "baco/IR/BacoAttributes.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/Structured.h"
#include "baco/LoopNest/PrepareNest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-annotate-row-fusion"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

/// More nests than this are looked at in parts: the time to find groups grows
/// with the square.
static constexpr size_t maxNests = 24;

/// Is it a nest of loops around a single statement? Others are no part of
/// groups, and it takes long to find that out by their dependences.
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

/// May `op` be a part of a group?
static bool isCandidate(Operation *op) {
  if (isMapped(op))
    return false;
  if (isa<LoopLikeOpInterface>(op))
    return !op->getParentOfType<LoopLikeOpInterface>() && isSingleStatement(op);
  return isStructured(op) && countIterators(op) > 0 &&
         !llvm::errorToBool(checkLoops(op));
}

/// Is the group long enough to gain from it?
static bool isWorthwhile(ArrayRef<Operation *> nests) {
  return llvm::any_of(
      nests, [](Operation *op) { return !isStructured(op) || !isTrivial(op); });
}

/// Appends the groups among neighbors.
static void splitIntoGroups(ArrayRef<Operation *> neighbors,
                            NestPlanner &planner,
                            SmallVectorImpl<SmallVector<Operation *>> &groups) {
  while (!neighbors.empty()) {
    ArrayRef<Operation *> head = neighbors.take_front(maxNests);
    size_t count =
        isWorthwhile(head) ? planner.countRowFusionGroup(head) : head.size();
    if (count > 0 && isWorthwhile(head.take_front(count)))
      groups.push_back(llvm::to_vector(head.take_front(count)));
    neighbors = neighbors.drop_front(std::max<size_t>(count, 1));
  }
}

void baco::schedule::annotateRowFusion(Operation *root, NestPlanner &planner,
                                       llvm::DenseSet<Operation *> &annotated,
                                       int64_t &numRecipes) {
  SmallVector<SmallVector<Operation *>> groups;
  root->walk([&](Block *block) {
    SmallVector<Operation *> neighbors;
    auto finish = [&] {
      splitIntoGroups(neighbors, planner, groups);
      neighbors.clear();
    };
    for (Operation &op : *block) {
      if (!annotated.contains(&op) && isCandidate(&op)) {
        neighbors.push_back(&op);
        if (!planner.mayGroup())
          finish();
      } else if (neighbors.empty() ||
                 !loopnest::canHoist(&op, neighbors.front()))
        finish();
    }
    finish();
  });
  for (ArrayRef<Operation *> group : groups) {
    auto recipe = planner.planRowFusion(group);
    if (!recipe) {
      // Its ops are then annotated one by one.
      std::string why = llvm::toString(recipe.takeError());
      LDBG() << "no recipe for " << group.size() << " ops from "
             << group.front()->getLoc() << " on: " << why;
      continue;
    }
    LDBG() << group.size() << " ops from " << group.front()->getLoc()
           << " on: " << *recipe;
    group.front()->setAttr(BacoDialect::kRecipe, *recipe);
    annotated.insert_range(group);
    for (Operation *nest : group)
      remarkOneThread(nest, planner.host());
    ++numRecipes;
  }
}
