//===- StepGpuSplit.cpp - Sums in parts, of several blocks ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The step that gives the parts of a sum to different blocks.
//
//===----------------------------------------------------------------------===//

#include "StepsOnGpu.h"

#include "baco/TransformOps/GpuOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace baco;

/// The iterator whose sum is split.
static int64_t splitIteratorOf(GpuSplitAttr step) {
  return listIterators(step.getSizes()).front();
}

LogicalResult baco::advance(GpuSplitAttr step, RecipeAnalysis &state) {
  if (failed(state.needEntries(step.getSizes())))
    return failure();
  int64_t iterator = splitIteratorOf(step);
  auto op = cast<linalg::LinalgOp>(state.getOp());
  std::optional<int64_t> origin = state.getOrigin(iterator);
  if (!origin)
    return state.emitError() << "a knob decides which iterator " << iterator
                             << " is; leave out 'interchange'";
  if (llvm::Error why = checkSplit(op, *origin))
    return state.emitError() << llvm::toString(std::move(why));
  if (llvm::any_of(state.getLaterSteps(), llvm::IsaPred<GpuSplitAttr>))
    return state.emitError() << "another one follows; split one sum, once";
  const Extents &extents = state.getExtents()[iterator];
  if (extents.size() != 1 || !extents.front().count ||
      extents.front().isPartial)
    return state.emitError() << "the extent of iterator " << iterator
                             << " is not one static number";
  int64_t most = launchLimits(state.getOp()).maxGridExtents[2];
  if (failed(requireTiles(state, step.getSizes(), iterator, most,
                          "a grid has at most " + std::to_string(most) +
                              " blocks along z")))
    return failure();
  return state.parallelize(step.getSizes().getValue(), /*threads=*/{});
}

void baco::expand(GpuSplitAttr step, RecipeExpander &expander) {
  int64_t iterator = splitIteratorOf(step);
  Number size = toNumber(expander, step.getSizes()[iterator]);
  mlir::Value zeros =
      GpuSplitOp::create(expander.builder, expander.loc, expander.anyOp,
                         expander.target, size.param, iterator, size.constant);
  // The loop is another one.
  expander.innermostLoop = mlir::Value();
  expander.writeSharedCopies = [&expander, zeros] {
    GpuComputeOp::create(expander.builder, expander.loc, zeros);
  };
}
