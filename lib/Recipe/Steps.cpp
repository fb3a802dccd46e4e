//===- Steps.cpp - Steps of recipes ---------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace baco;

/// Calls `visit` with `step` as what it is.
template <typename Visit>
static void visitStep(Attribute step, Visit visit) {
  llvm::TypeSwitch<Attribute>(step)
      .Case<TileAttr, InterchangeAttr, PromoteAttr, VectorizeAttr, HoistAttr,
            BufferizeAttr, SplitReductionAttr, ParallelizeAttr, GeneralizeAttr,
            LLVMAttr, GpuBlocksAttr, GpuSharedAttr, GpuFuseAttr, GpuThreadsAttr,
            GpuReduceAttr, GpuMmaAttr, SparsifyAttr>(visit);
}

LogicalResult baco::advanceStep(Attribute step, RecipeAnalysis &state) {
  LogicalResult result = failure();
  visitStep(step, [&](auto step) { result = advance(step, state); });
  return result;
}

void baco::expandStep(Attribute step, RecipeExpander &expander) {
  visitStep(step, [&](auto step) { expand(step, expander); });
}
