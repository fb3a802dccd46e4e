//===- Steps.h - Steps of recipes -------------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recipe calls, for each step in order, `expand` and then `advance` (only
// `advance` if it just verifies): both see the op as the steps before have left
// it. A new step needs an attribute, an overload of `expand`, one of `advance`
// if its row doesn't say all, and a row in the table of Steps.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_RECIPE_STEPS_H
#define BACO_LIB_RECIPE_STEPS_H

#include "baco/Recipe/RecipeExpander.h"

namespace baco {

/// `advance` checks the step against the op, as far as its row doesn't, states
/// its constraints in `state`, and updates there what isn't an OpFact. Fails
/// after it has reported why through `state`. `expand` appends the transform
/// ops that do the step.
mlir::LogicalResult advance(TileAttr step, RecipeAnalysis &state);
void expand(TileAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(InterchangeAttr step, RecipeAnalysis &state);
void expand(InterchangeAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(PromoteAttr step, RecipeAnalysis &state);
void expand(PromoteAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(VectorizeAttr step, RecipeAnalysis &state);
void expand(VectorizeAttr step, RecipeExpander &expander);
void expand(HoistAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(BufferizeAttr step, RecipeAnalysis &state);
void expand(BufferizeAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(ParallelizeAttr step, RecipeAnalysis &state);
void expand(ParallelizeAttr step, RecipeExpander &expander);
void expand(LLVMAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(GpuBlocksAttr step, RecipeAnalysis &state);
void expand(GpuBlocksAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(GpuSplitAttr step, RecipeAnalysis &state);
void expand(GpuSplitAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(GpuPadAttr step, RecipeAnalysis &state);
void expand(GpuPadAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(GpuEpilogueAttr step, RecipeAnalysis &state);
void expand(GpuEpilogueAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(GpuSharedAttr step, RecipeAnalysis &state);
void expand(GpuSharedAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(GpuFuseAttr step, RecipeAnalysis &state);
void expand(GpuFuseAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(GpuChainAttr step, RecipeAnalysis &state);
void expand(GpuChainAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(GpuThreadsAttr step, RecipeAnalysis &state);
void expand(GpuThreadsAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(GpuReduceAttr step, RecipeAnalysis &state);
void expand(GpuReduceAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(GpuRowsAttr step, RecipeAnalysis &state);
void expand(GpuRowsAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(GpuMmaAttr step, RecipeAnalysis &state);
void expand(GpuMmaAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(SparsifyAttr step, RecipeAnalysis &state);
void expand(SparsifyAttr step, RecipeExpander &expander);

/// A condition that a step needs.
struct Need {
  OpFact all = OpFact::None, none = OpFact::None;
  /// The error if not all of `all`, or some of `none`, hold.
  const char *otherwise = "";
};

/// The part of `advance` that needs no code.
struct StepRule {
  /// In the order of their checks.
  Need needs[6] = {};
  /// Holds from then on, or no longer.
  OpFact leaves = OpFact::None, ends = OpFact::None;
};

/// A row of the table of steps.
struct StepRow {
  StepRule rule;
  bool (*isFor)(mlir::Attribute step);
  mlir::LogicalResult (*advance)(mlir::Attribute step, RecipeAnalysis &state);
  void (*expand)(mlir::Attribute step, RecipeExpander &expander);
};

/// The row of a step.
const StepRow &findRow(mlir::Attribute step);

} // namespace baco

#endif // BACO_LIB_RECIPE_STEPS_H
