//===- StepGpuPad.cpp - Full tiles for any extents ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The step that gives an op extents which tiles divide.
//
//===----------------------------------------------------------------------===//

#include "StepsOnGpu.h"

#include "baco/TransformOps/GpuOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace baco;

LogicalResult baco::advance(GpuPadAttr step, RecipeAnalysis &state) {
  auto op = cast<linalg::LinalgOp>(state.getOp());
  ArrayRef<int64_t> extents = step.getExtents().asArrayRef();
  if (llvm::Error why = checkPadding(op, extents))
    return state.emitError() << llvm::toString(std::move(why));
  if (llvm::none_of(state.getLaterSteps(), llvm::IsaPred<GpuBlocksAttr>))
    return state.emitError() << "no 'gpu_blocks' follows";
  // Loops run for what is inside only.
  bool areLoops = llvm::none_of(
      state.getLaterSteps(),
      llvm::IsaPred<GpuSharedAttr, GpuFuseAttr, GpuMmaAttr, VectorizeAttr>);
  for (auto [iterator, extent] : llvm::enumerate(extents))
    if (extent != 0)
      state.resize(iterator, extent);
  for (Operation &inner : op.getBlock()->without_terminator())
    if (!areLoops && !isSpeculatable(&inner))
      return state.emitError() << "'" << inner.getName()
                               << "' of the op can't be computed for zeros";
  return success();
}

void baco::expand(GpuPadAttr step, RecipeExpander &expander) {
  GpuPadOp::create(expander.builder, expander.loc, expander.target,
                   step.getExtents());
  expander.atEnd([](RecipeExpander &expander) {
    GpuGuardOp::create(expander.builder, expander.loc, expander.function);
  });
}
