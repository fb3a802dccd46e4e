//===- AnnotateLoops.h - Recipes for loop nests -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_ANNOTATELOOPS_H
#define BACO_LIB_SCHEDULE_ANNOTATELOOPS_H

#include "baco/IR/BacoAttributes.h"
#include "baco/Schedule/NestPlanner.h"

#include "mlir/IR/Operation.h"

namespace baco::schedule {

/// Whether a loop in or around `op` says by an attribute `mapping` which
/// processors, mostly those of a GPU, run it.
bool isMapped(mlir::Operation *op);

/// A recipe of loop commands for the nest of which `outermost` is the outermost
/// loop, or why there is none.
llvm::Expected<RecipeAttr> makeLoopRecipe(mlir::Operation *outermost,
                                          NestPlanner &planner);

/// One recipe for neighbors in a block that take turns row by row, or why
/// there is none. See loopnest::countChain.
llvm::Expected<RecipeAttr>
makeChainRecipe(llvm::ArrayRef<mlir::Operation *> nests, NestPlanner &planner);

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_ANNOTATELOOPS_H
