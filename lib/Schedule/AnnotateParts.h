//===- AnnotateParts.h - Automatic recipes by kinds of ops ------*- C++ -*-===//
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

#ifndef BACO_LIB_SCHEDULE_ANNOTATEPARTS_H
#define BACO_LIB_SCHEDULE_ANNOTATEPARTS_H

#include "baco/Schedule/Annotate.h"
#include "baco/Schedule/HostInfo.h"
#include "baco/Schedule/NestPlanner.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Error.h"

namespace baco::schedule {

/// Emits a remark on a parallel loop in `nest` that a schedule for one thread
/// makes sequential.
void remarkOneThread(mlir::Operation *nest, const HostInfo &host);

/// Whether a loop in or around `op` says by an attribute `mapping` which
/// processors, mostly those of a GPU, run it.
bool isMapped(mlir::Operation *op);

/// Whether the structured `op` or loop has so few iterations that it takes
/// about a microsecond; also of contractions, which get recipes of any size.
bool isShort(mlir::Operation *op);

/// The kind of a trivial op that runs at the speed of memory, "copy" or "fill";
/// empty if the op is only short.
llvm::StringRef nameCopy(mlir::Operation *op);

/// The error says why a structured op can't be scheduled as loops, which takes
/// memrefs of static shape.
llvm::Error checkLoops(mlir::Operation *op);

/// Gives recipes to linalg ops and loop nests that follow each other and had
/// better take turns row by row (polyhedral::countRowFusionGroup), such as
/// those of a softmax: the first of them gets the recipe, and all of them join
/// `annotated`, the ops that recipes are for.
void annotateRowFusion(mlir::Operation *root, NestPlanner &planner,
                       llvm::DenseSet<mlir::Operation *> &annotated,
                       int64_t &numRecipes);

/// Whether some op of `function` computes with sparse tensors. Such a function
/// can't be in memory before it is sparsified.
bool worksOnSparseTensors(mlir::func::FuncOp function);

/// Writes recipes with the step `sparsify` on linalg ops of `function`, whose
/// defaults are what upstream's sparsifier does; returns their number. An op
/// that can't have one gets a remark with the reason.
int64_t annotateSparse(mlir::func::FuncOp function, const HostInfo &host);

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

#endif // BACO_LIB_SCHEDULE_ANNOTATEPARTS_H
