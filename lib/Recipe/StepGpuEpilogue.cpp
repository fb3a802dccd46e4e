//===- StepGpuEpilogue.cpp - Elementwise ops around a product -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The step that does elementwise ops on accumulators in registers.
//
//===----------------------------------------------------------------------===//

#include "StepsOnGpu.h"

#include "baco/Analysis/Epilogue.h"
#include "baco/TransformOps/GpuOps.h"

using namespace mlir;
using namespace baco;

LogicalResult baco::advance(GpuEpilogueAttr, RecipeAnalysis &state) {
  if (findEpilogue(cast<linalg::LinalgOp>(state.getOp())).isEmpty())
    return state.emitError()
           << "no elementwise op without a recipe is next to the op that sets "
              "or reads its result";
  ArrayRef<Attribute> later = state.getLaterSteps();
  if (llvm::any_of(later, llvm::IsaPred<GpuPadAttr>))
    return state.emitError() << "put 'gpu_pad' before it";
  auto follows = [&](auto isStep) { return llvm::any_of(later, isStep); };
  bool areRegisters = follows(llvm::IsaPred<GpuThreadsAttr>) &&
                      follows(llvm::IsaPred<VectorizeAttr>) &&
                      follows(llvm::IsaPred<HoistAttr>);
  if (!areRegisters && !follows(llvm::IsaPred<GpuMmaAttr>))
    return state.emitError()
           << "accumulators aren't in registers; let 'gpu_threads', "
              "'vectorize' and 'hoist' follow, or 'gpu_mma'";
  return success();
}

void baco::expand(GpuEpilogueAttr, RecipeExpander &expander) {
  GpuEpilogueOp::create(expander.builder, expander.loc, expander.target);
  expander.atEnd([](RecipeExpander &expander) {
    GpuInlineOp::create(expander.builder, expander.loc, expander.function);
  });
}
