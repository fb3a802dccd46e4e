//===- AnnotateFpga.cpp - Recipes for FPGAs -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Schedule/Annotate.h"

#include "baco/IR/BacoAttributes.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/Walk.h"
#include "baco/LoopNest/GeneratedDialects.h"
#include "baco/LoopNest/PrepareNest.h"
#include "baco/Schedule/NestPlanner.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-annotate"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

/// Writes a recipe for `nests`; returns whether it did.
static bool annotateDesign(ArrayRef<Operation *> nests) {
  auto recipe = planDesign(nests);
  if (!recipe) {
    emitNoRecipe(nests.front(), llvm::toString(recipe.takeError()));
    return false;
  }
  LDBG() << nests.size() << " nests from " << nests.front()->getLoc()
         << " on: " << *recipe;
  nests.front()->setAttr(BacoDialect::kRecipe, *recipe);
  return true;
}

int64_t baco::schedule::annotateForFpga(func::FuncOp function) {
  function.getContext()->getOrLoadDialect<BacoDialect>();
  loopnest::loadGeneratedDialects(function.getContext());
  // One by hand may be for several nests.
  if (hasRecipe(function))
    return 0;
  SmallVector<SmallVector<Operation *>> runs(1);
  for (Operation &op : function.getBody().front()) {
    SmallVector<Operation *> &run = runs.back();
    if (isa<affine::AffineForOp>(op))
      run.push_back(&op);
    else if (!run.empty() && !loopnest::canHoist(&op, run.front()))
      runs.emplace_back();
  }
  return llvm::count_if(runs, [](ArrayRef<Operation *> run) {
    return !run.empty() && annotateDesign(run);
  });
}
