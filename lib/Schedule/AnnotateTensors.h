//===- AnnotateTensors.h - Recipes for ops on tensors ----------*- C++ -*--===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op on tensors gets the recipe of the op on memrefs that it becomes, behind
// a `bufferize`.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_ANNOTATETENSORS_H
#define BACO_LIB_SCHEDULE_ANNOTATETENSORS_H

#include "baco/Schedule/NestPlanner.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco::schedule {

/// Whether a linalg op of `function` is on tensors.
bool worksOnTensors(mlir::func::FuncOp function);

/// Writes recipes on `function`, those that `annotateMemRefs` writes on a copy
/// that is in memory; returns their number. An op without a recipe gets a
/// remark with the reason.
int64_t
annotateTensors(mlir::func::FuncOp function, NestPlanner &planner,
                llvm::function_ref<int64_t(mlir::func::FuncOp, NestPlanner &)>
                    annotateMemRefs);

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_ANNOTATETENSORS_H
