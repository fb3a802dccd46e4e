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
// it. A new step needs an attribute, an overload of each, and its name in the
// list in Steps.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_RECIPE_STEPS_H
#define BACO_LIB_RECIPE_STEPS_H

#include "baco/Recipe/RecipeExpander.h"

namespace baco {

/// `advance` checks the step against the op, states its constraints in `state`,
/// and updates `state` to what is there after the step. Fails after it has
/// reported why through `state`. `expand` appends the transform ops that do the
/// step.
mlir::LogicalResult advance(TileAttr step, RecipeAnalysis &state);
void expand(TileAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(InterchangeAttr step, RecipeAnalysis &state);
void expand(InterchangeAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(PromoteAttr step, RecipeAnalysis &state);
void expand(PromoteAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(VectorizeAttr step, RecipeAnalysis &state);
void expand(VectorizeAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(HoistAttr step, RecipeAnalysis &state);
void expand(HoistAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(BufferizeAttr step, RecipeAnalysis &state);
void expand(BufferizeAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(SplitReductionAttr step, RecipeAnalysis &state);
void expand(SplitReductionAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(ParallelizeAttr step, RecipeAnalysis &state);
void expand(ParallelizeAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(GeneralizeAttr step, RecipeAnalysis &state);
void expand(GeneralizeAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(LLVMAttr step, RecipeAnalysis &state);
void expand(LLVMAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(GpuBlocksAttr step, RecipeAnalysis &state);
void expand(GpuBlocksAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(GpuSharedAttr step, RecipeAnalysis &state);
void expand(GpuSharedAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(GpuFuseAttr step, RecipeAnalysis &state);
void expand(GpuFuseAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(GpuThreadsAttr step, RecipeAnalysis &state);
void expand(GpuThreadsAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(GpuReduceAttr step, RecipeAnalysis &state);
void expand(GpuReduceAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(GpuMmaAttr step, RecipeAnalysis &state);
void expand(GpuMmaAttr step, RecipeExpander &expander);
mlir::LogicalResult advance(SparsifyAttr step, RecipeAnalysis &state);
void expand(SparsifyAttr step, RecipeExpander &expander);

/// The same for a step of any kind.
mlir::LogicalResult advanceStep(mlir::Attribute step, RecipeAnalysis &state);
void expandStep(mlir::Attribute step, RecipeExpander &expander);

} // namespace baco

#endif // BACO_LIB_RECIPE_STEPS_H
