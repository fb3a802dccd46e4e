//===- Annotate.cpp - Recipes for ops that have none ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides which ops can be scheduled, and writes their recipes.
//
//===----------------------------------------------------------------------===//

#include "baco/Schedule/Annotate.h"
#include "AnnotateChains.h"
#include "AnnotateLoops.h"
#include "AnnotateStructured.h"

#include "baco/IR/BacoAttributes.h"
#include "baco/IR/BacoDialect.h"
#include "baco/LoopNest/GeneratedDialects.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

/// Whether `op` is the outermost loop of a nest without linalg ops.
static bool isPlainLoopNest(Operation *op) {
  if (!isa<LoopLikeOpInterface>(op) ||
      op->getParentOfType<LoopLikeOpInterface>())
    return false;
  return !op->walk([](linalg::LinalgOp) {
              return WalkResult::interrupt();
            }).wasInterrupted();
}

int64_t baco::schedule::annotate(ModuleOp module, const HostInfo &host) {
  module.getContext()->getOrLoadDialect<BacoDialect>();
  loopnest::loadGeneratedDialects(module.getContext());
  int64_t count = 0;
  auto explain = [](Operation *op, StringRef why) {
    op->emitRemark() << "no automatic recipe: " << why;
  };
  llvm::DenseSet<Operation *> chained = annotateChains(module, host, count);
  module.walk([&](Operation *op) {
    if (op->hasAttr(BacoDialect::kRecipe) || chained.contains(op))
      return;
    if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
      if (isTrivial(structured))
        return;
      auto recipe = annotateStructured(structured, host);
      if (!recipe)
        return explain(op, llvm::toString(recipe.takeError()));
      op->setAttr(BacoDialect::kRecipe, *recipe);
      ++count;
    } else if (isPlainLoopNest(op)) {
      auto recipe = makeLoopRecipe(op, host);
      if (!recipe)
        return explain(op, llvm::toString(recipe.takeError()));
      op->setAttr(BacoDialect::kRecipe, *recipe);
      ++count;
    } else if (isa<linalg::AggregatedOpInterface>(op)) {
      explain(op, "it stands for several structured ops: decompose it first "
                  "(transform.structured.decompose_interface on tensors), then "
                  "bufferize");
    }
  });
  return count;
}
