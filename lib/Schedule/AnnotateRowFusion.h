//===- AnnotateRowFusion.h - Recipes for row fusion --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_ANNOTATEROWFUSION_H
#define BACO_LIB_SCHEDULE_ANNOTATEROWFUSION_H

#include "baco/Schedule/NestPlanner.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"

namespace baco::schedule {

/// Gives recipes to linalg ops and loop nests that follow each other and had
/// better take turns row by row (polyhedral::countRowFusionGroup), such as
/// those of a softmax: the first of them gets the recipe. Returns all of them;
/// they are not to be annotated by themselves.
llvm::DenseSet<mlir::Operation *> annotateRowFusion(mlir::Operation *root,
                                                    NestPlanner &planner,
                                                    int64_t &numRecipes);

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_ANNOTATEROWFUSION_H
