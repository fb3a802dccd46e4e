//===- AnnotateStructured.h - Recipes for linalg ops ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_ANNOTATESTRUCTURED_H
#define BACO_LIB_SCHEDULE_ANNOTATESTRUCTURED_H

#include "baco/IR/BacoAttributes.h"
#include "baco/Schedule/NestPlanner.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace baco::schedule {

/// Is there nothing in the structured `op` that would be worth a search: does
/// it only set or copy elements, or has it so few of them that it takes about a
/// microsecond?
bool isTrivial(mlir::Operation *op);

/// Is `op` a structured op that can be scheduled as loops, and isn't better off
/// as a matrix product?
bool mayBecomeLoops(mlir::Operation *op);

/// The recipe of loop commands of a structured op on memrefs of static shape,
/// or why it has none.
llvm::Expected<RecipeAttr> annotateStructured(mlir::Operation *op,
                                              NestPlanner &planner);

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_ANNOTATESTRUCTURED_H
