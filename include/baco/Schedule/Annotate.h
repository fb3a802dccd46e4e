//===- Annotate.h - Automatic annotation ------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recipes can be printed and edited: annotation writes them, and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SCHEDULE_ANNOTATE_H
#define BACO_SCHEDULE_ANNOTATE_H

#include "baco/Schedule/NestPlanner.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco::schedule {

/// Gives each linalg op of static shape, and each loop nest without linalg ops,
/// in a function of the outermost module, a `baco.recipe` with knobs whose
/// domains, defaults and constraints suit its shape and `planner`'s host. An op
/// that has a recipe keeps it. An op that can't be scheduled is left as it is,
/// with a remark that gives the reason; so are, without a remark, ops that only
/// set or copy elements or have fewer than 1024 iterations, and functions with
/// `baco.no_tune`. Functions on tensors that differ in their names only get the
/// recipes of the first one, without its remarks. Returns how many ops got a
/// recipe.
int64_t annotate(mlir::ModuleOp module, NestPlanner &planner);

/// Emits a remark at `op` with the reason why it gets no recipe.
void emitNoRecipe(mlir::Operation *op, llvm::StringRef why);

/// Emits a remark that says why no schedule can make `root` faster, if all
/// that it computes with are ops that only set or copy elements or have fewer
/// than 1024 iterations, of which there is at least one. Returns whether that
/// is so.
bool remarkNothingToGain(mlir::Operation *root);

/// Fewer iterations than this take about a microsecond, which is less than the
/// call of a kernel and its timing.
inline constexpr double fewIterations = 1024;

/// Is there nothing in the structured `op` that would be worth a search: does
/// it only set or copy elements, or has it so few of them that it takes about a
/// microsecond?
bool isTrivial(mlir::Operation *op);

/// Whether `function` has an op or a loop nest to annotate, as far as its kind
/// tells.
bool hasOpsToTune(mlir::func::FuncOp function);

/// Writes recipes on the outermost affine loops of `function` that have none:
/// one for each run of neighbors, which may then share loops. Returns their
/// number; a remark says why a run has none.
int64_t annotateForFpga(mlir::func::FuncOp function);

} // namespace baco::schedule

#endif // BACO_SCHEDULE_ANNOTATE_H
